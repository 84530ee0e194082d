// A session forgets its asks: all of them when it is disposed of, those of a turn that is taken back, and the oldest of many
// that ended. What a hook has yet to be told of one is kept apart, before it is forgotten.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { Cell, OrderedSet } from 'beckon/store/handles'
import type { Happened } from '../model/happened.js'
import { maxRemembered } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import type { Hook } from './hook.js'
import { outboxNames, outboxOf } from './outbox.js'
import { type ToldAsk, toldAsk } from './told-ask.js'

export interface ForgottenAsksOptions {
  readonly store: Store
  readonly clock: Clock
  readonly hooks: readonly Hook[]
}

/** Longer than a delivery is tried. */
const keptMs = 2 * 24 * 60 * 60 * 1000

export class ForgottenAsks {
  readonly #options: ForgottenAsksOptions

  constructor(options: ForgottenAsksOptions) {
    this.#options = options
  }

  /** Keeps what an event makes its session forget, as far as some hook was not told all of it. */
  keep(happened: Happened): Promise<void> | undefined {
    const forgotten = forgottenBy(happened)
    const { before, event } = happened
    if (before === undefined || forgotten.length === 0) return undefined
    // What hooks are told of the event itself is in no outbox yet.
    const isTold = this.#options.hooks.some(hook => outboxNames(hook, happened).length > 0)
    return this.#keep(before, forgotten, isTold ? event.at : Number.POSITIVE_INFINITY)
  }

  find(session: string, instance: string): Promise<ToldAsk | undefined> {
    return this.#cell(session, instance).get()
  }

  async #keep(session: Session, asks: readonly Ask[], toldOf: number): Promise<void> {
    const { clock } = this.#options
    const oldest = Math.min(toldOf, await this.#oldestUntold())
    const expiresAt = clock.now() + keptMs
    await Promise.all(
      asks
        .filter(({ ending }) => (ending?.at ?? 0) >= oldest)
        .map(ask => this.#cell(session.id, ask.instance).set(toldAsk(session, ask), { expiresAt })),
    )
  }

  /** When the first thing happened that some hook was not told. */
  async #oldestUntold(): Promise<number> {
    const { store, hooks } = this.#options
    const first = await Promise.all(hooks.map(hook => new OrderedSet(store, outboxOf(hook)).range({ limit: 1 })))
    return Math.min(...first.map(([oldest]) => oldest?.score ?? Number.POSITIVE_INFINITY))
  }

  #cell(session: string, instance: string): Cell<ToldAsk> {
    return new Cell(this.#options.store, `webhooks/forgotten/${session}/${instance}`)
  }
}

/** The asks that a session had before an event and has no longer, as they ended. */
function forgottenBy({ event, before, after }: Happened): Ask[] {
  if (before === undefined) return []
  const isFull = after !== undefined && after.ended !== before.ended && after.ended.length >= maxRemembered
  if (event.type !== 'disposed' && event.type !== 'truncated' && !isFull) return []
  const kept = new Set([...(after?.open.values() ?? []), ...(after?.ended ?? [])].map(({ instance }) => instance))
  const abandoned = [...before.open.values()].map(ask => ({ ...ask, ending: { at: event.at } }))
  return [...before.ended, ...abandoned].filter(({ instance }) => !kept.has(instance))
}
