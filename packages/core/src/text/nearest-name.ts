/** A longer name is nobody's slip, and takes its time to compare. */
const maxChars = 100

/** The name that was probably meant by one that is not known: no more than a third of it is other letters. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxChars) return undefined
  const wanted = name.toLowerCase()
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const one of known) {
    const distance = distanceOf(wanted, one.toLowerCase())
    if (distance >= least || distance > Math.max(1, Math.floor(Math.max(name.length, one.length) / 3))) continue
    best = one
    least = distance
  }
  return best
}

/** How many letters have to be put in, taken out or replaced to make one text of the other; two that changed places count as one. */
function distanceOf(one: string, other: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          at(before, column - 2) + (isSwapped ? 1 : Number.POSITIVE_INFINITY),
        ),
      )
    }
    before = last
    last = next
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
