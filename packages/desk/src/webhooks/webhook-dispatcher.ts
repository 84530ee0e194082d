// Brings what happens to one hook, in order and at least once. What is left to bring is in the store: a node that begins, or
// takes over, goes on with the first that was not delivered, and may deliver that one again.
import type { Clock } from 'beckon'
import type { SetMember, Store } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import { staleMs } from '../index/names.js'
import type { Ask, Session } from '../model/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { ForgottenAsks } from './forgotten-asks.js'
import type { Hook } from './hook.js'
import { LeasedLoop } from './leased-loop.js'
import { type LinkTo, messageOf } from './message.js'
import { decodeEntry, hasHappened, type OutboxEntry, outboxOf } from './outbox.js'
import { pause } from './pause.js'
import type { Semaphore } from './semaphore.js'
import { type Fetch, send } from './send.js'
import { toldAsk } from './told-ask.js'

export interface WebhookDispatcherOptions {
  readonly hook: Hook
  readonly sessions: Sessions
  readonly forgotten: ForgottenAsks
  readonly store: Store
  readonly clock: Clock
  readonly fetch: Fetch
  readonly semaphore: Semaphore
  readonly timeoutMs: number
  readonly random: () => number
  readonly linkTo: LinkTo | undefined
  readonly onProblem: (problem: string) => void
}

const firstRetryMs = 1_000
const maxRetryMs = 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
const pageEntries = 100

export class WebhookDispatcher {
  readonly #options: WebhookDispatcherOptions
  readonly #outbox: OrderedSet
  readonly #loop: LeasedLoop

  constructor(options: WebhookDispatcherOptions) {
    const { store, hook, clock, onProblem } = options
    this.#options = options
    this.#outbox = new OrderedSet(store, outboxOf(hook))
    this.#loop = new LeasedLoop({
      store,
      key: `webhooks/${hook.id}/lease`,
      clock,
      pass: over => this.#deliverAll(over),
      onError: error => onProblem(`Webhook ${hook.id}: ${error instanceof Error ? error.message : 'the store failed'}`),
    })
  }

  /** There may be something to tell. */
  wake(): void {
    this.#loop.wake()
  }

  close(): Promise<void> {
    return this.#loop.close()
  }

  async #deliverAll(over: AbortSignal): Promise<void> {
    for await (const members of this.#outbox.pages({ limit: pageEntries }))
      for (const member of members) {
        if (over.aborted) return
        await this.#deliverOne(member, over)
      }
  }

  async #deliverOne({ member, score: at }: SetMember, over: AbortSignal): Promise<void> {
    const { sessions, clock, forgotten, linkTo } = this.#options
    const entry = decodeEntry(member)
    const session = entry && (await sessions.refresh(entry.session))
    const known = entry && session && askOf(session, entry)
    const ask = known ? toldAsk(session, known) : entry && (await forgotten.find(entry.session, entry.instance))
    if (entry && (ask === undefined ? wasDisposed(entry, session) : hasHappened(entry, ask))) {
      const id = idOf(entry, at)
      const message = messageOf(id, { entry, ask, at, linkTo })
      await this.#deliver(id, JSON.stringify(message), at, over)
      // It is delivered again by the node that goes on.
      if (over.aborted) return
    } else if (entry !== undefined && clock.now() - at < staleMs) return
    await this.#outbox.remove(member)
  }

  /** Tries for a day, and at least once. */
  async #deliver(id: string, body: string, at: number, over: AbortSignal): Promise<void> {
    const { hook, fetch, clock, timeoutMs, semaphore, random, onProblem } = this.#options
    const { url, secret } = hook
    for (let attempt = 0; !over.aborted; attempt++) {
      const failure = await semaphore.run(() =>
        send({ url, secret, id, body }, { fetch, clock, timeoutMs, signal: over }),
      )
      if (failure === undefined || over.aborted) return
      const waitMs = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(attempt, 30)) * (0.5 + random() / 2)
      if (clock.now() + waitMs - at > dayMs) return onProblem(`Webhook ${hook.id}: ${id} was given up: ${failure}.`)
      await pause(clock, waitMs, over)
    }
  }
}

function askOf({ open, ended }: Session, { instance }: OutboxEntry): Ask | undefined {
  for (const ask of open.values()) if (ask.instance === instance) return ask
  return ended.find(ask => ask.instance === instance)
}

/** An ask goes to others more than once, at another time each. */
function idOf({ instance, event }: OutboxEntry, at: number): string {
  const name = `${instance}.${event}`
  return event === 'joined' || event === 'left' ? `${name}.${at}` : name
}

/** An ask that ended was there: where its session is not any more, that was disposed of, or its time was over. */
function wasDisposed({ event }: OutboxEntry, session: Session | undefined): boolean {
  return session === undefined && event !== 'asked' && event !== 'joined'
}
