// A server whose heap and timers can be looked at: `node --expose-gc waiting.mjs`. It serves `plain`, which sends a person
// to an address and waits for its completion, and `gated`, with a flow before it. A retry is held for a moment only, so
// that everybody waits between two requests.

import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createServer, memoryStore } from 'beckon'
import { urlAction } from 'beckon/url-action'

/** @type {Set<NodeJS.Timeout>} */
const timers = new Set()
const { setTimeout: set, clearTimeout: clear } = globalThis
Object.assign(globalThis, {
  /**
   * @param {() => void} fn
   * @param {number} ms
   */
  setTimeout(fn, ms) {
    const timer = set(() => {
      timers.delete(timer)
      fn()
    }, ms)
    timers.add(timer)
    return timer
  },
  /** @param {NodeJS.Timeout} timer */
  clearTimeout(timer) {
    timers.delete(timer)
    clear(timer)
  },
})

const most = Number(process.argv[2])
/** A record of each kind that was kept for somebody. */
const samples = new Map()
const own = memoryStore()
const store = {
  ...own,
  /** @type {typeof own.compareAndSet} */
  compareAndSet(key, ...rest) {
    samples.set(key.split('/')[0], rest[1])
    return own.compareAndSet(key, ...rest)
  },
}
const server = createServer({ name: 'waiting', version: '1.0.0', store, limits: { suspended: most, holdMs: 1 } })
const page = 'https://pay.example/checkout'

server.tool('plain', { description: 'Sends a person somewhere.' }, async (_input, ctx) => {
  await ctx.elicit.url('Please pay.', page, { waitForCompletion: true, timeoutMs: 60 * 60 * 1000 })
  return 'paid'
})
server.tool(
  'gated',
  urlAction({ message: 'Please pay.', url: page, timeoutMs: 60 * 60 * 1000 }),
  { description: 'Has a flow before it.' },
  () => 'paid',
)

async function heap() {
  // Once is not enough: what a finalizer lets go of is there until the next time.
  for (let time = 0; time < 4; time++) {
    globalThis.gc?.()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** @type {Record<string, () => Promise<unknown>>} */
const commands = {
  async usage() {
    return { bytes: await heap(), timers: timers.size }
  },
  /** What the records of one person take, in a store in memory. */
  async records() {
    const before = await heap()
    const copies = memoryStore()
    for (let index = 0; index < most; index++)
      for (const [kind, value] of samples)
        await copies.set(`${kind}/${randomBytes(16).toString('base64url')}`, value, {
          expiresAt: Date.now() + 3_600_000,
        })
    return { bytes: ((await heap()) - before) / most, kinds: [...samples.keys()], copies: Boolean(copies) }
  },
}
process.on('message', async command => {
  const said = await commands[String(command)]?.()
  if (said) process.send?.(said)
})
process.on('disconnect', () => process.exit())
const { url } = await server.listen({ port: 0 })
process.send?.({ url })
