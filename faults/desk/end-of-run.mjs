// What is done when nothing fails any more, to see whether everything is as it should be.
import { pause } from '../client.mjs'
import { disagreements, readSessions, staleStates } from './judge.mjs'
import { asksChannel, LiveClient } from './live-client.mjs'
import { endingOf } from './record.mjs'
import { within } from './within.mjs'

/**
 * @typedef {object} Context
 * @property {import('../random.mjs').Random} random
 * @property {readonly import('../cluster.mjs').TestProcess[]} nodes
 * @property {readonly import('./person.mjs').Person[]} people
 * @property {import('./programs.mjs').Programs} programs
 * @property {string} url of the store
 * @property {ReadonlySet<string>} sessions
 * @property {import('./judge.mjs').Cuts} cuts
 */

/** What hints did not tell is looked for in this time. */
const agreeWithinMs = 60_000
const idleMs = 2_000
const atOnce = 50
/** So long a desk that is well may take for anything. */
const patienceMs = 30_000

/**
 * Waits until all devices are connected and know what the logs say; gives what they still disagree about.
 * @param {Context} context
 */
export async function agreeAtLast({ people, url, sessions }) {
  const until = Date.now() + agreeWithinMs
  for (;;) {
    const away = people
      .filter(({ client }) => !client.isConnected)
      .map(({ device, troubles }) => `${device.name} cannot come back: ${troubles.join('; ')}`)
    const found = [...away, ...disagreements(await readSessions(url, sessions), people)]
    if (found.length === 0 || Date.now() > until) return found
    await pause(300)
  }
}

/**
 * Everything that is open for someone, page by page.
 * @param {Context} context
 * @param {string} token
 */
export async function listAll({ random, nodes }, token) {
  const client = new LiveClient({ clientId: `list-${token}`, token, dialect: '1.0' })
  // One that was killed last may still be on its way.
  await retrying(() => client.connect(urlOf(random.pick(nodes))))
  /** @type {Set<string>} */
  const listed = new Set()
  try {
    /** @type {string | undefined} */
    let cursor
    do {
      const from = { channel: asksChannel, limit: 4, ...(cursor && { cursor }) }
      const page = await retrying(() => client.request('beckon/asks', from))
      for (const { request } of page.asks) listed.add(request.id)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return listed
  } finally {
    client.drop()
  }
}

/**
 * What the busiest desk does when there is nothing to do.
 * @param {Context['nodes']} nodes
 * @param {Map<number, (load: { operations: number, cpuMs: number }) => void>} loads
 */
export async function loadOf(nodes, loads) {
  let number = 0
  const look = () =>
    Promise.all(
      nodes.map(node => {
        const id = ++number
        /** @type {Promise<{ operations: number, cpuMs: number }>} */
        const heard = new Promise(resolve => loads.set(id, resolve))
        node.send({ what: 'load', number: id })
        return within(patienceMs, heard)
      }),
    )
  const first = await look()
  await pause(idleMs)
  const second = await look()
  /** @param {'operations' | 'cpuMs'} what */
  const most = what =>
    Math.max(...second.map((load, index) => (load?.[what] ?? Number.POSITIVE_INFINITY) - (first[index]?.[what] ?? 0)))
  return { operations: Math.round((most('operations') * 1_000) / idleMs), cpu: most('cpuMs') / idleMs }
}

/**
 * Puts every ask once more, by its id: it has to give what is stored.
 * @param {Context} context
 */
export async function putAgain({ random, nodes, programs, url, sessions }) {
  const records = await readSessions(url, sessions)
  /** @param {import('./programs.mjs').Waiting} waiting */
  const check = async ({ spec }) => {
    const stored = records.get(spec.session)?.asks.get(spec.id)?.ending
    if (stored === undefined) return []
    const node = random.between(0, nodes.length)
    const came = (await within(patienceMs, programs.put(spec, node))) ?? { failed: 'nothing comes' }
    const is = 'outcome' in came ? endingOf(came.outcome) : came.failed
    return is === stored ? [] : [`${spec.session}: ${spec.id} is ${stored}, and put again on node ${node}: ${is}`]
  }
  const losses = []
  // As many as people put at once, and not thousands.
  for (let from = 0; from < programs.asks.length; from += atOnce)
    losses.push(...(await Promise.all(programs.asks.slice(from, from + atOnce).map(check))).flat())
  return losses
}

/**
 * Every device comes back once more, some to where they were; what they have has to be what one gets who comes anew.
 * @param {Context} context
 */
export async function reconnectAll({ random, nodes, people }) {
  /** @type {string[]} */
  const losses = []
  for (const person of people) {
    const { client, device } = person
    client.drop()
    while (client.isConnected) await pause(5)
    await person.comeBack(random.between(0, nodes.length))
    if (!client.isConnected) {
      losses.push(`${device.name} cannot come back at the end: ${person.troubles.join('; ')}`)
      continue
    }
    const anew = new LiveClient({ ...device, clientId: `${device.name}-anew` })
    await retrying(() => anew.connect(urlOf(random.pick(nodes))))
    for (const channel of client.states.keys())
      if (channel !== asksChannel) await retrying(() => anew.subscribe(channel))
    const fresh = new Map([...anew.states].filter(([channel]) => channel !== asksChannel))
    losses.push(...staleStates(person, fresh))
    anew.drop()
  }
  return losses
}

/**
 * @template Result
 * @param {() => Promise<Result>} work
 */
async function retrying(work) {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > until) throw error
      await pause(100)
    }
  }
}

/** @param {{ port: number }} node */
function urlOf({ port }) {
  return `ws://127.0.0.1:${port}/live`
}
