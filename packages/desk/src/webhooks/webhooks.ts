import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { AskIndex } from '../index/ask-index.js'
import type { Sessions } from '../sessions/sessions.js'
import { ForgottenAsks } from './forgotten-asks.js'
import { hooksFrom, type Webhook } from './hook.js'
import type { LinkTo } from './message.js'
import { outboxNames } from './outbox.js'
import { Semaphore } from './semaphore.js'
import type { Fetch } from './send.js'
import { WebhookDispatcher } from './webhook-dispatcher.js'

export interface WebhooksOptions {
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly clock: Clock
  readonly hooks: readonly Webhook[]
  readonly store: Store
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
  /** Stops delivering. What was not delivered is, by another node or by the next start. */
  close(): Promise<void>
}

/**
 * Tells other programs what happens on a desk: signed, in order for each of them, and at least once.
 * @example
 * createWebhooks({ ...parts, hooks: [{ url: 'https://chat.example/beckon', secret }] })
 */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { sessions, index, store, clock, timeoutMs = 10_000, linkTo } = options
  const { fetch = globalThis.fetch, random = Math.random, onProblem = () => {}, concurrency = 8 } = options
  const hooks = hooksFrom(options.hooks)
  const semaphore = new Semaphore(concurrency)
  const forgotten = new ForgottenAsks({ store, clock, hooks })
  const shared = { sessions, forgotten, store, clock, fetch, semaphore, timeoutMs, random, linkTo, onProblem }
  const dispatchers = hooks.map(hook => new WebhookDispatcher({ ...shared, hook }))
  // For as long as this node writes: what it still takes while it closes, another one delivers.
  index.addNames(happened => ({ puts: happened.flatMap(one => hooks.flatMap(hook => outboxNames(hook, one))) }))
  index.addWrites(happened => forgotten.keep(happened))
  const stopListening = sessions.listen(({ event, isOwn }) => {
    // Of drafts nobody is told, and there are many.
    if (isOwn && event.type !== 'drafted') for (const dispatcher of dispatchers) dispatcher.wake()
  })
  return {
    async close() {
      stopListening()
      await Promise.all(dispatchers.map(dispatcher => dispatcher.close()))
    },
  }
}
