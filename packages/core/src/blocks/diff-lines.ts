// Which lines changed: the shortest edit script (Myers 1986), within a bound, since a stranger may choose both texts. What is
// too different for it is shown as taken out and put in whole.

/** A line, and whether it was there before, is there after, or both. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Lines one after the other to which the same happened; unchanged ones that are far from any change are `skipped`. */
export interface DiffRun {
  readonly kind: DiffLine['kind'] | 'skipped'
  readonly texts: readonly string[]
}

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

/** The same in runs, with what did not change put aside, but for a few lines around each change. */
export function diffRuns(before: string, after: string): DiffRun[] {
  const lines = diffLines(before, after)
  const isNear = new Uint8Array(lines.length)
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - contextLines), index + contextLines + 1)
  const runs: { kind: DiffRun['kind']; texts: string[] }[] = []
  for (const [index, line] of lines.entries()) {
    const kind = isNear[index] === 0 ? 'skipped' : line.kind
    const last = runs.at(-1)
    if (last?.kind === kind) last.texts.push(line.text)
    else runs.push({ kind, texts: [line.text] })
  }
  return runs
}

/** Whether lines end otherwise than before, or the last one does: that is in no line. */
export function changesLineEnds(before: string, after: string): boolean {
  return lineEnds(before) !== lineEnds(after)
}

function lineEnds(text: string): string {
  const ends = new Set(text.match(/\r\n?|\n/g) ?? [])
  return `${[...ends].sort().join(' ')} ${/[\r\n]$/.test(text)}`
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  // A line feed ends the last line and begins none.
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function edits(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace: Reach[] = []
  let reach = new Reach(0)
  for (let edit = 0; edit <= Math.min(a.length + b.length, maxEdits); edit++) {
    trace.push(reach)
    const next = new Reach(edit + 1)
    for (let k = -edit; k <= edit; k += 2) {
      let x = isDown(k, edit, reach) ? reach.at(k + 1) : reach.at(k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      next.set(k, x)
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trace)
    }
    reach = next
  }
  return [...a.map(removed), ...b.map(added)]
}

/** How far the first text was read on each diagonal. */
class Reach {
  readonly #far: Int32Array
  readonly #max: number

  constructor(max: number) {
    this.#max = max + 1
    this.#far = new Int32Array(2 * this.#max + 1)
  }

  at(k: number): number {
    return Number(this.#far[k + this.#max])
  }

  set(k: number, x: number): void {
    this.#far[k + this.#max] = x
  }
}

/** Whether the way to a diagonal comes from the one above it: a line that was put in. */
function isDown(k: number, edit: number, reach: Reach): boolean {
  return k === -edit || (k !== edit && reach.at(k - 1) < reach.at(k + 1))
}

function walkBack(a: readonly string[], b: readonly string[], trace: readonly Reach[]): DiffLine[] {
  const lines: DiffLine[] = []
  let [x, y] = [a.length, b.length]
  for (const [edit, reach] of [...trace.entries()].reverse()) {
    const k = x - y
    const from = isDown(k, edit, reach) ? k + 1 : k - 1
    const fromX = reach.at(from)
    const fromY = fromX - from
    // The lines that both have, after the one that was put in or taken out.
    while (x > fromX && y > fromY) {
      x--
      y--
      lines.push(same(`${a[x]}`))
    }
    if (edit === 0) break
    if (x === fromX) lines.push(added(`${b[--y]}`))
    else lines.push(removed(`${a[--x]}`))
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
