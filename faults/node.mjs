// One process under test: a server whose tools ask and have two effects. What it does is told to the witness, which
// outlives it. `NODE_SETTINGS` is JSON: where the store and the witness are, and how far its clock is off.
import { createServer, systemClock } from 'beckon'
import { openFor } from './open-store.mjs'

/**
 * What a process under test is told.
 * @typedef {object} NodeSettings
 * @property {string} storeUrl
 * @property {string} witnessUrl
 * @property {number} port
 * @property {number} offsetMs how far its clock is off
 * @property {number} leaseMs
 */

/** @type {NodeSettings} */
const settings = JSON.parse(process.env.NODE_SETTINGS ?? '{}')
const { storeUrl, witnessUrl, port, offsetMs, leaseMs } = settings

const clock = { ...systemClock, now: () => Date.now() + offsetMs }

/**
 * @param {'run' | 'effect' | 'recorded' | 'log'} what
 * @param {string} id
 */
async function tell(what, id) {
  // By the clock of the machine, which is the same for all.
  await fetch(`${witnessUrl}/${what}/${id}/${process.pid}/${Date.now()}`, { method: 'POST' })
}

/**
 * A store that tells of each call's log before it is begun: nobody could find them all afterwards.
 * @param {import('beckon/store').Store} store
 * @returns {import('beckon/store').Store}
 */
function toldOf(store) {
  return {
    ...store,
    async append(log, entries, options) {
      if (log.startsWith('call/') && options?.after === 0) await tell('log', log.slice('call/'.length))
      return store.append(log, entries, options)
    },
  }
}

const server = createServer({
  name: 'faults',
  version: '1',
  store: toldOf(await openFor(storeUrl)),
  clock,
  retainMs: 60 * 60 * 1_000,
  limits: { leaseMs },
})

for (const task of /** @type {const} */ ([undefined, 'required']))
  server.tool(
    task === undefined ? 'work' : 'job',
    {
      input: {
        type: 'object',
        properties: { tag: { type: 'string' }, patienceMs: { type: 'integer' } },
        required: ['tag'],
      },
      annotations: { destructive: true },
      ...(task !== undefined && { task }),
    },
    async (input, ctx) => {
      const { tag, patienceMs } = /** @type {{ tag: string, patienceMs?: number }} */ (input)
      const asks = (/** @type {string} */ question) => ctx.elicit({ question: `${tag} ${question}`, schema: String })
      const step = async (/** @type {string} */ name) => {
        let made = ''
        const id = await ctx.step(name, async step => {
          made = step.id
          await tell('effect', step.id)
          return step.id
        })
        if (made !== '') await tell('recorded', made)
        return id
      }
      // Without anyone signed in, and without a session, a scope is that of one call.
      void tell('run', ctx.sessionId).catch(() => {})
      const first = await asks('first')
      const one = await step('one')
      const [second, third] = await Promise.all([asks('second'), asks('third')])
      const two = await step('two')
      const isSure = await ctx.confirm({ question: `${tag} sure`, ...(patienceMs && { timeoutMs: patienceMs }) })
      return ctx.json({ answers: [first, second, third], steps: [one, two], isSure })
    },
  )

process.on('unhandledRejection', error => {
  console.error(error)
  process.exit(70)
})
await server.listen({ port, host: '127.0.0.1' })
process.stdout.write('ready\n')
