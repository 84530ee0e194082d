// Remembers effects for processes that may die at any moment.
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {object} Witness
 * @property {string} url
 * @property {ReadonlyMap<string, readonly Mark[]>} effects when the effect of each step was begun, and by whom
 * @property {Set<string>} logs the logs of calls
 * @property {Map<string, string>} writers who wrote, by the id of an append
 * @property {string[]} lost the events of appends whose acknowledgement was lost
 * @property {Set<string>} busy logs that a process did too much with
 * @property {() => Record<string, number>} replays handlers that were entered again, by cause
 * @property {(isCut: (tag: string) => boolean) => { again: number, violations: string[] }} judge effects that happened again
 * because they were not recorded when they began, and those that began although they were; but for calls whose log was cut
 * @property {() => void} close
 */

/** By which process, when by the clock of this machine, and for which call. @typedef {{ by: string, at: number, tag: string }} Mark */

/** What is counted for handlers that were entered again, and nobody said why. */
export const withoutCause = 'without a cause'

/** @returns {Promise<Witness>} */
export async function startWitness() {
  /** @type {Map<string, Mark[]>} */
  const effects = new Map()
  /** @type {Map<string, Mark>} */
  const recorded = new Map()
  /** @type {Set<string>} */
  const logs = new Set()
  /** @type {Map<string, string>} */
  const writers = new Map()
  /** Why the handler of a call was entered: without a cause, the first time. @type {Map<string, string[]>} */
  const entered = new Map()
  /** @type {Set<string>} */
  const busy = new Set()
  /** @type {string[]} */
  const lost = []
  /** @type {Witness} */
  const witness = {
    url: '',
    lost,
    busy,
    effects,
    logs,
    writers,
    replays() {
      /** @type {Record<string, number>} */
      const counts = { [withoutCause]: 0 }
      for (const causes of entered.values()) {
        const known = causes.filter(cause => cause !== '')
        for (const cause of known) counts[cause] = (counts[cause] ?? 0) + 1
        // The first of a process that was killed may never have been told of.
        counts[withoutCause] = (counts[withoutCause] ?? 0) + Math.max(0, causes.length - known.length - 1)
      }
      return counts
    },
    judge(isCut) {
      const repeated = [...effects].flatMap(([id, marks]) => marks.slice(1).map(mark => ({ id, ...mark })))
      const violations = [...effects].flatMap(([id, marks]) => {
        const known = isCut(marks[0]?.tag ?? '') ? undefined : recorded.get(id)
        // One that had begun before cannot be called back: it was not recorded then.
        const late = known === undefined ? [] : marks.filter(({ at }) => at > known.at)
        return late.map(
          ({ by, at }) => `step ${id} ran on ${by}, ${at - (known?.at ?? 0)} ms after ${known?.by} recorded it`,
        )
      })
      return { again: repeated.length - violations.length, violations }
    },
    close: () => server.close(),
  }
  const server = createServer((request, response) => {
    const [, what = '', id = '', by = '', at = '', more = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
    const mark = { by, at: Number(at), tag: more }
    if (what === 'run') entered.set(id, [...(entered.get(id) ?? []), more])
    else if (what === 'log') logs.add(id)
    else if (what === 'wrote') writers.set(id, by)
    else if (what === 'lost') lost.push(id)
    else if (what === 'busy') busy.add(id)
    else if (what === 'effect') effects.set(id, [...(effects.get(id) ?? []), mark])
    else if (mark.at < (recorded.get(id)?.at ?? Number.POSITIVE_INFINITY)) recorded.set(id, mark)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  witness.url = `http://127.0.0.1:${address.port}`
  return witness
}
