// One process under test: a desk with a socket, and programs that ask on it. What they are to ask, and what is to go wrong,
// it is told by the process that started it. `NODE_SETTINGS` is JSON.
import { bearerAccess, createDesk } from '@beckon/desk'
import { systemClock } from 'beckon'
import { openFor } from '../open-store.mjs'
import { hurtStore } from './hurt-store.mjs'
import { tokens } from './people.mjs'

/**
 * @typedef {object} DeskSettings
 * @property {string} storeUrl
 * @property {number} port
 * @property {number} offsetMs how far its clock is off
 */

/**
 * An ask that a program puts: in a session with a turn, or for a call.
 * @typedef {object} AskSpec
 * @property {string} id as it is called on the wire
 * @property {'turn' | 'call'} kind
 * @property {string} session its id; of a call, with what stands before it
 * @property {string} message
 * @property {{ principals?: string[], groups?: string[] } | undefined} audience
 * @property {number} timeoutMs
 */

/** @typedef {{ what: 'open', number: number, spec: AskSpec } | { what: 'load', number: number } | import('./hurt-store.mjs').Hurt} Order */
/** What came of an ask: an answer, or the reason why it is put again. @typedef {{ outcome: import('./record.mjs').Outcome } | { failed: string }} Came */
/** @typedef {{ what: 'came', number: number } & Came} CameNews */
/** @typedef {CameNews | { what: 'load', number: number, operations: number, cpuMs: number } | { what: 'lost', which: string }} News */

/** @type {DeskSettings} */
const { storeUrl, port, offsetMs } = JSON.parse(process.env.NODE_SETTINGS ?? '{}')
/** What is looked for every half minute is looked for every few seconds here: a run has no time to wait for it. */
const hurry = 6
const longMs = 5_000
const clock = {
  now: () => Date.now() + offsetMs,
  /** @type {import('beckon').Clock['after']} */
  after: (ms, fn) => systemClock.after(ms < longMs ? ms : Math.max(ms / hurry, 800), fn),
}

/** @type {import('./hurt-store.mjs').Hurt[]} */
const hurts = []
let operations = 0
/** @param {News} news */
const tell = news => void process.send?.(news, () => {})

const desk = createDesk({
  store: hurtStore(await openFor(storeUrl), {
    hurts,
    onLost: which => tell({ what: 'lost', which }),
    onOperation: () => {
      operations++
    },
    die: () => process.kill(process.pid, 'SIGKILL'),
  }),
  access: bearerAccess({ tokens }),
  clock,
  onError: () => {},
})

/**
 * @param {AskSpec} spec
 * @returns {Promise<import('./record.mjs').Outcome>}
 */
async function open({ id, kind, session, message, audience, timeoutMs }) {
  if (kind === 'call') {
    const call = session.replace('call-', '')
    const form = /** @type {import('@beckon/core').Form} */ ({
      type: 'object',
      properties: { value: { type: 'string' } },
    })
    const request = { id: id.slice(call.length + 1), message, form }
    const opened = await desk.open({ call, server: 'faults', tool: 'tool' }, request, {
      expiresAt: clock.now() + timeoutMs,
    })
    return opened.outcome()
  }
  const opened = await desk.session(session, { server: 'faults' })
  const turn = opened.activeTurn() ?? (await opened.startTurn('go'))
  const questions = [{ id: 'value', kind: /** @type {const} */ ('text'), message: 'Value?' }]
  return turn.ask({ id, message, questions }, { timeoutMs, ...(audience && { audience }) })
}

process.on('message', async (/** @type {Order} */ order) => {
  if (order.what === 'open') {
    const { number, spec } = order
    try {
      tell({ what: 'came', number, outcome: await open(spec) })
    } catch (error) {
      tell({ what: 'came', number, failed: String(error) })
    }
  } else if (order.what === 'load') {
    const { user, system } = process.cpuUsage()
    tell({ what: 'load', number: order.number, operations, cpuMs: (user + system) / 1_000 })
  } else hurts.push(order)
})
process.on('disconnect', () => process.exit(0))
process.on('unhandledRejection', error => {
  console.error(error)
  process.exit(70)
})
// A store may be away when it starts.
for (;;) {
  try {
    await desk.listen({ port, host: '127.0.0.1' })
    break
  } catch (error) {
    console.error(error)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
process.stdout.write('ready\n')
