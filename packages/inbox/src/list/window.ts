/** Where each row begins, and after the last one the height of them all. */
export function offsetsOf(heights: readonly number[]): Float64Array {
  const offsets = new Float64Array(heights.length + 1)
  for (const [index, height] of heights.entries()) offsets[index + 1] = (offsets[index] ?? 0) + height
  return offsets
}

/** The rows to draw so that a part of the list is filled, and a little around it: from `first` up to, without, `end`. */
export function rowsWithin(
  offsets: Float64Array,
  { top, height, around = 6 }: { readonly top: number; readonly height: number; readonly around?: number },
): { readonly first: number; readonly end: number } {
  const count = offsets.length - 1
  const first = Math.max(0, rowAt(offsets, top) - around)
  const end = Math.min(count, rowAt(offsets, top + height) + 1 + around)
  return { first, end }
}

/** The row that a height falls on. */
function rowAt(offsets: Float64Array, height: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}
