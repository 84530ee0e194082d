import { type Clock, memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import type { Act } from '../log/act.js'
import type { Order } from '../log/order.js'
import { AskIndex } from '../rest/asks/ask-index.js'
import { Courier, unnotedLines } from './courier.js'
import { hooksFrom, type Webhook } from './hook.js'
import type { LinkTo } from './message.js'
import type { Fetch } from './send.js'
import { Turnstile } from './turnstile.js'

export interface WebhooksOptions {
  readonly order: Order
  readonly clock: Clock
  readonly hooks: readonly Webhook[]
  /** Where it is kept how far each hook has got. Without one, what happens while the process is down is not told. */
  readonly store?: Store | undefined
  /** The name of the desk in the store. */
  readonly name?: string | undefined
  /** Shared with the REST surface; without one they keep their own. */
  readonly asks?: AskIndex | undefined
  /** Where a person answers an ask. */
  readonly linkTo?: LinkTo | undefined
  readonly fetch?: Fetch | undefined
  /** How long a receiver may take. Default: ten seconds. */
  readonly timeoutMs?: number | undefined
  /** Requests at the same time, over all hooks. Default: eight. */
  readonly concurrency?: number | undefined
  /** From 0 to 1, so that many desks do not come back at once. */
  readonly random?: (() => number) | undefined
  /** Something was given up, in words for an operator. Without secrets, URLs and answers. */
  readonly onProblem?: ((problem: string) => void) | undefined
}

export interface Webhooks {
  /** Stops. What was not delivered is, by whoever begins next. */
  close(): Promise<void>
}

/** What may come to something that hooks are told. Drafts do not, and there are many. */
const telling: ReadonlySet<Act['type']> = new Set([
  'inputRequested',
  'audienceChanged',
  'inputCompleted',
  'inputNeededRemoved',
  'sessionDisposed',
])

/**
 * Tells other programs what happens on a desk: signed, in order for each of them, and at least once.
 * @example
 * createWebhooks({ ...parts, hooks: [{ url: 'https://chat.example/beckon', secret }] })
 */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { order, clock, name = 'desk', store = memoryStore({ clock }), timeoutMs = 10_000, linkTo } = options
  const { fetch = globalThis.fetch, random = Math.random, onProblem = () => {}, concurrency = 8 } = options
  const hooks = hooksFrom(options.hooks)
  const asks = options.asks ?? new AskIndex(order)
  const turnstile = new Turnstile(concurrency)
  const shared = { order, asks, store, clock, name, fetch, turnstile, timeoutMs, random, linkTo, onProblem }
  const couriers = hooks.map(hook => new Courier({ ...shared, hook }))
  let quietLines = 0
  const stopListening = order.listen(lines => {
    quietLines += lines.length
    if (quietLines < unnotedLines && !lines.some(({ act }) => telling.has(act.type))) return
    quietLines = 0
    for (const courier of couriers) courier.wake()
  })
  const stopAnew = order.onAnew(() => {
    for (const courier of couriers) courier.wake()
  })
  return {
    async close() {
      stopListening()
      stopAnew()
      await Promise.all(couriers.map(courier => courier.close()))
      if (options.asks === undefined) asks.close()
    },
  }
}
