// Remembers effects for processes that may die at any moment.
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {object} Witness
 * @property {string} url
 * @property {Map<string, number>} effects how often each step's effect happened
 * @property {number} replays handlers that were run again
 * @property {number} again effects that happened again because their process ended before they were recorded
 * @property {string[]} violations steps that ran after they were recorded
 * @property {() => void} close
 */

/** @returns {Promise<Witness>} */
export async function startWitness() {
  /** @type {Map<string, number>} */
  const effects = new Map()
  /** @type {Map<string, { by: string, at: number }>} */
  const recorded = new Map()
  const running = new Set()
  const witness = {
    url: '',
    replays: 0,
    effects,
    again: 0,
    violations: /** @type {string[]} */ ([]),
    close: () => server.close(),
  }
  const server = createServer((request, response) => {
    const [, what = '', id = '', by = ''] = (request.url ?? '').split('/')
    if (what === 'run') {
      if (running.has(id)) witness.replays++
      running.add(id)
    } else if (what === 'recorded') recorded.set(id, { by, at: Date.now() })
    else {
      const before = effects.get(id) ?? 0
      effects.set(id, before + 1)
      const known = recorded.get(id)
      if (known !== undefined)
        witness.violations.push(
          `step ${id} ran again on ${by}, ${Date.now() - known.at} ms after ${known.by} recorded it`,
        )
      else if (before > 0) witness.again++
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  witness.url = `http://127.0.0.1:${address.port}`
  return witness
}
