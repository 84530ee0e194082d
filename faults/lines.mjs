/**
 * The entries of an event log as they are read, a line for each event or piece of a snapshot, with the id of its append. What
 * does not go on from the entry before it was written by someone who knew another end of the log, which was cut off.
 * @template Line
 * @param {readonly import('beckon/store').LogEntry[]} entries
 * @returns {Line[]}
 */
export function linesOf(entries) {
  let last = entries[0]?.seq === 1 ? '' : undefined
  return entries.flatMap(({ seq, value }) => {
    const { w, p = `${w}.${seq - 1}` } = /** @type {{ w: string, p?: string }} */ (value)
    if (last !== undefined && p !== last) return []
    last = `${w}.${seq}`
    return /** @type {Line[]} */ (appendedIn([value]))
  })
}

/**
 * The same of entries that are about to be appended.
 * @template Line
 * @param {readonly unknown[]} values
 * @returns {Line[]}
 */
export function appendedIn(values) {
  return values.flatMap(value => {
    const { e: events, p, ...entry } = /** @type {{ e?: unknown[], w: string, p?: string }} */ (value)
    return /** @type {Line[]} */ (events?.map(e => ({ ...entry, e })) ?? [entry])
  })
}
