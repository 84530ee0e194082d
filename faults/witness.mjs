// Remembers effects for processes that may die at any moment.
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {object} Witness
 * @property {string} url
 * @property {ReadonlyMap<string, readonly Mark[]>} effects when the effect of each step was begun, and by whom
 * @property {Set<string>} logs the logs of calls
 * @property {Map<string, string>} writers who wrote, by the id of an append
 * @property {number} replays handlers that were run again
 * @property {() => { again: number, violations: string[] }} judge effects that happened again because they were not
 * recorded when they began, and those that began although they were
 * @property {() => void} close
 */

/** By which process, and when by the clock of this machine. @typedef {{ by: string, at: number }} Mark */

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
  const running = new Set()
  /** @type {Witness} */
  const witness = {
    url: '',
    replays: 0,
    effects,
    logs,
    writers,
    judge() {
      const repeated = [...effects].flatMap(([id, marks]) => marks.slice(1).map(mark => ({ id, ...mark })))
      const violations = [...effects].flatMap(([id, marks]) => {
        const known = recorded.get(id)
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
    const [, what = '', id = '', by = '', at = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
    const mark = { by, at: Number(at) }
    if (what === 'run') {
      if (running.has(id)) witness.replays++
      running.add(id)
    } else if (what === 'log') logs.add(id)
    else if (what === 'wrote') writers.set(id, by)
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
