// One process under test: a server whose tools ask and have two effects. What it does is told to the witness, which
// outlives it. `NODE_SETTINGS` is JSON: where the store and the witness are, and how far its clock is off.
import { createServer, systemClock } from 'beckon'
import { sealedStore } from 'beckon/store'
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
 * @param {'run' | 'effect' | 'recorded' | 'log' | 'wrote'} what
 * @param {string} id
 */
async function tell(what, id) {
  // By the clock of the machine, which is the same for all.
  await fetch(`${witnessUrl}/${what}/${encodeURIComponent(id)}/${process.pid}/${Date.now()}`, { method: 'POST' })
}

const isCallLog = (/** @type {string} */ log) => log.startsWith('faults/call/')

/**
 * A store that tells of what is written to the log of a call before it is: nobody could find all logs afterwards, nor who
 * wrote what.
 * @param {import('beckon/store').Store} store
 * @returns {import('beckon/store').Store}
 */
function toldOf(store) {
  // What is written comes sealed: it is opened as if it had been read, by a number of its own.
  /** @type {Map<number | undefined, import('beckon/store').JsonValue>} */
  const sealed = new Map()
  let reads = 0
  const opened = sealedStore({
    ...store,
    read: async (_, options) => [{ seq: 1, value: sealed.get(options?.after) ?? null }],
  })
  /**
   * @param {string} log
   * @param {import('beckon/store').JsonValue} value
   */
  async function open(log, value) {
    const after = ++reads
    sealed.set(after, value)
    const [entry] = await opened.read(log, { after })
    sealed.delete(after)
    return /** @type {import('./journals.mjs').Line} */ (entry?.value)
  }
  return {
    ...store,
    async append(log, entries, options) {
      const [first] = entries
      if (isCallLog(log) && first !== undefined) {
        const { w } = await open(log, first)
        await Promise.all([tell('wrote', w), options?.after === 0 ? tell('log', log) : undefined])
      }
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

let entries = 0

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
      const by = `${process.pid}-${++entries}`
      const step = async (/** @type {string} */ name) => {
        let made = ''
        const { id } = await ctx.step(name, async step => {
          made = step.id
          await tell('effect', step.id)
          return { id: step.id, tag, by }
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
