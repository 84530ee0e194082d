/**
 * The entries of an event log, a line for each event or piece of a snapshot: with the id of its append, and in the first of an
 * append that of the one before.
 * @template Line
 * @param {Iterable<unknown>} entries their values
 * @returns {Line[]}
 */
export function linesOf(entries) {
  return [...entries].flatMap(value => {
    const { e: events, p, ...entry } = /** @type {{ e?: unknown[], p?: string }} */ (value)
    const lines = events?.map(e => ({ ...entry, e })) ?? [entry]
    return lines.map((line, index) => /** @type {Line} */ (index === 0 && p !== undefined ? { ...line, p } : line))
  })
}
