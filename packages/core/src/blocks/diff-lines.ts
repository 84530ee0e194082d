// Which lines changed: the shortest edit script (Myers 1986), within a bound, since a stranger may choose both texts. What is
// too different for it is shown as taken out and put in whole.

/** A line, and whether it was there before, is there after, or both. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** A line of a diff to be read, or how many unchanged ones are left out. */
export type DiffRow = DiffLine | { readonly kind: 'skipped'; readonly lines: number }

/** So many lines of difference are looked for. */
const maxEdits = 400
const contextLines = 3

/** The lines of two texts, as those of one. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const middle = edits(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)]
}

/** The same with what did not change left out, but for a few lines around each change. */
export function diffRows(before: string, after: string): DiffRow[] {
  const lines = diffLines(before, after)
  const near = new Set<number>()
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') for (let at = index - contextLines; at <= index + contextLines; at++) near.add(at)
  const rows: DiffRow[] = []
  let skipped = 0
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) {
      skipped++
      continue
    }
    if (skipped > 0) rows.push({ kind: 'skipped', lines: skipped })
    skipped = 0
    rows.push(line)
  }
  return skipped > 0 ? [...rows, { kind: 'skipped', lines: skipped }] : rows
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  // A line feed ends the last line and begins none.
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function edits(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace: Map<number, number>[] = []
  let reach = new Map([[1, 0]])
  const reachOf = (k: number) => Number(reach.get(k))
  for (let edit = 0; edit <= Math.min(a.length + b.length, maxEdits); edit++) {
    trace.push(reach)
    const next = new Map<number, number>()
    for (let k = -edit; k <= edit; k += 2) {
      let x = isDown(k, edit, reachOf) ? reachOf(k + 1) : reachOf(k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      next.set(k, x)
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trace)
    }
    reach = next
  }
  return [...a.map(removed), ...b.map(added)]
}

/** Whether the way to a diagonal comes from the one above it: a line that was put in. */
function isDown(k: number, edit: number, reachOf: (k: number) => number): boolean {
  return k === -edit || (k !== edit && reachOf(k - 1) < reachOf(k + 1))
}

function walkBack(a: readonly string[], b: readonly string[], trace: readonly Map<number, number>[]): DiffLine[] {
  const lines: DiffLine[] = []
  let [x, y] = [a.length, b.length]
  for (const [edit, reach] of [...trace.entries()].reverse()) {
    const reachOf = (k: number) => Number(reach.get(k))
    const k = x - y
    const from = isDown(k, edit, reachOf) ? k + 1 : k - 1
    const fromX = reachOf(from)
    const fromY = fromX - from
    // The lines that both have, after the one that was put in or taken out.
    while (x > fromX && y > fromY) {
      x--
      y--
      lines.push(...a.slice(x, x + 1).map(same))
    }
    if (edit === 0) break
    if (x === fromX) lines.push(...b.slice(--y, y + 1).map(added))
    else lines.push(...a.slice(--x, x + 1).map(removed))
  }
  return lines.reverse()
}

function same(text: string): DiffLine {
  return { kind: 'same', text }
}

function removed(text: string): DiffLine {
  return { kind: 'removed', text }
}

function added(text: string): DiffLine {
  return { kind: 'added', text }
}
