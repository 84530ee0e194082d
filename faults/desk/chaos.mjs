// What goes wrong in a run with desks, in step with its asks.
import { shuffled } from '../chaos.mjs'
import { pause } from '../client.mjs'

/**
 * A process is killed, or ends between two writes; the store is ended; the network between the two is cut, or stands still; an
 * acknowledgement of the store is lost; the end of a session's log is; a device is cut off.
 * @typedef {'kill' | 'crash' | 'restart' | 'cut' | 'stall' | 'lose' | 'shorten' | 'drop'} DeskFault
 */

const kinds = ['any', 'name', 'created', 'asked', 'awaited', 'askEnded', 'askEnded']

/**
 * @param {import('../random.mjs').Random} random
 * @param {{ kills: number, hasNetwork: boolean, failsOver: boolean }} options where another server takes over, none of its logs is cut short
 * @returns {DeskFault[]}
 */
export function planDeskFaults(random, { kills, hasNetwork, failsOver }) {
  const network = hasNetwork
    ? { restart: Math.ceil(kills / 6), cut: Math.ceil(kills / 4), stall: Math.ceil(kills / 4) }
    : {}
  const shorten = failsOver ? 0 : kills
  return shuffled(random, { kill: kills, crash: kills, lose: kills * 2, shorten, drop: kills, ...network })
}

/**
 * @param {DeskFault} fault
 * @param {object} options
 * @param {import('../random.mjs').Random} options.random
 * @param {readonly import('../cluster.mjs').TestProcess[]} options.nodes
 * @param {readonly import('../cut-proxy.mjs').CutProxy[]} options.proxies
 * @param {readonly import('./person.mjs').Person[]} options.people
 * @param {() => Promise<unknown>} options.restart of the store
 * @param {(count: number) => Promise<void>} options.shorten takes so many entries off the end of some session
 */
export async function causeDeskFault(fault, { random, nodes, proxies, people, restart, shorten }) {
  await pause(random.between(0, 30))
  if (fault === 'kill') await random.pick(nodes).kill()
  else if (fault === 'crash')
    random.pick(nodes).send({ what: 'crash', after: random.pick(/** @type {const} */ (['put', 'append'])) })
  else if (fault === 'restart') await restart()
  else if (fault === 'lose')
    random.pick(nodes).send({
      what: 'lose',
      kind: random.pick(kinds),
      lateMs: random.next() < 0.3 ? random.between(1, 40) : 0,
    })
  else if (fault === 'shorten') await shorten(random.between(1, 4))
  else if (fault === 'drop') random.pick(people).client.drop()
  else if (fault === 'cut') await random.pick(proxies).cut(random.between(50, 800))
  else await random.pick(proxies).stall(random.between(50, 3_000))
}
