// One process under test: a server whose tools ask and have two effects. What it does is told to the witness, which
// outlives it. `NODE_SETTINGS` is JSON: where the store and the witness are, and how far its clock is off.
import { createServer, systemClock } from 'beckon'
import { listenToCauses } from './causes.mjs'
import { deskAt } from './desk-double.mjs'
import { openFor } from './open-store.mjs'
import { toldStore } from './told-store.mjs'

/**
 * What a process under test is told.
 * @typedef {object} NodeSettings
 * @property {string} storeUrl
 * @property {string} witnessUrl
 * @property {string} deskUrl
 * @property {number} port
 * @property {number} offsetMs how far its clock is off
 * @property {number} leaseMs
 */

/** @type {NodeSettings} */
const settings = JSON.parse(process.env.NODE_SETTINGS ?? '{}')
const { storeUrl, witnessUrl, deskUrl, port, offsetMs, leaseMs } = settings

const clock = { ...systemClock, now: () => Date.now() + offsetMs }

/**
 * @param {'run' | 'effect' | 'recorded' | Parameters<import('./told-store.mjs').Tell>[0]} what
 * @param {string} id
 * @param {string} [more]
 */
async function tell(what, id, more = '') {
  // By the clock of the machine, which is the same for all.
  const path = [what, id, process.pid, Date.now(), more].map(encodeURIComponent).join('/')
  const send = () => fetch(`${witnessUrl}/${path}`, { method: 'POST', signal: AbortSignal.timeout(5_000) })
  // A connection that was idle may be closed at this very moment; the witness itself is always there.
  await send().catch(send)
}

/** @type {import('./told-store.mjs').LostAck[]} */
const toLose = []
process.on('message', (/** @type {import('./told-store.mjs').LostAck} */ lost) => toLose.push(lost))

const causeOfEntry = listenToCauses()
const server = createServer({
  name: 'faults',
  version: '1',
  store: toldStore(await openFor(storeUrl), tell, toLose),
  desk: deskAt(deskUrl),
  wait: 300,
  clock,
  retainMs: 60 * 60 * 1_000,
  // Programs answer here, and their clocks are set apart.
  person: 'unchecked',
  limits: { leaseMs },
})

let entries = 0

/**
 * What every tool does: it tells of its entry, asks, and has effects.
 * @param {import('beckon').Context} ctx
 * @param {string} tag
 */
function begin(ctx, tag) {
  const by = `${process.pid}-${++entries}`
  // Without anyone signed in, and without a session, a scope is that of one call.
  void tell('run', ctx.sessionId, causeOfEntry()).catch(() => {})
  return {
    /** @param {string} question */
    asks: question => ctx.elicit({ question: `${tag} ${question}`, schema: String }),
    /** @param {string} page */
    opens: async page => (await ctx.elicit.url(`${tag} ${page}`, `https://${page}.example/${tag}`)).action,
    /** @param {string} name */
    async step(name) {
      let made = ''
      const { id } = await ctx.step(name, async step => {
        made = step.id
        await tell('effect', step.id, tag)
        return { id: step.id, tag, by }
      })
      if (made !== '') await tell('recorded', made)
      return id
    },
  }
}

const input = /** @type {const} */ ({
  type: 'object',
  properties: { tag: { type: 'string' }, patienceMs: { type: 'integer' } },
  required: ['tag'],
})

for (const task of /** @type {const} */ ([undefined, 'required'])) {
  const config = { input, annotations: { destructive: true }, ...(task !== undefined && { task }) }

  server.tool(task === undefined ? 'work' : 'job', config, async (given, ctx) => {
    const { tag, patienceMs } = /** @type {{ tag: string, patienceMs?: number }} */ (given)
    const { asks, step } = begin(ctx, tag)
    const first = await asks('first')
    const one = await step('one')
    const [second, third] = await Promise.all([asks('second'), asks('third')])
    const two = await step('two')
    const isSure = await ctx.confirm({ question: `${tag} sure`, ...(patienceMs && { timeoutMs: patienceMs }) })
    return ctx.json({ answers: [first, second, third], pages: [], steps: [one, two], isSure })
  })

  // For a client that opens no pages: those go to the desk, and so does the rest once it has gone.
  server.tool(task === undefined ? 'sale' : 'order', config, async (given, ctx) => {
    const { tag } = /** @type {{ tag: string }} */ (given)
    const { asks, opens, step } = begin(ctx, tag)
    const [first, pay] = await Promise.all([asks('first'), opens('pay')])
    const one = await step('one')
    const second = await asks('second')
    const sign = await opens('sign')
    const two = await step('two')
    const [third, seal] = await Promise.all([asks('third'), opens('seal')])
    return ctx.json({ answers: [first, second, third], pages: [pay, sign, seal], steps: [one, two], isSure: true })
  })
}

process.on('unhandledRejection', error => {
  console.error(error)
  process.exit(70)
})
await server.listen({ port, host: '127.0.0.1' })
process.stdout.write('ready\n')
