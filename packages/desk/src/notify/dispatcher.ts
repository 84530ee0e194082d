// Looks at asks to which something happened, and writes down who is to be told what, on which channel and when: by what the
// session says now, so that it does not matter how often or how late it looks. An ask that a rule decided at once is over when it
// is looked at, and nobody is told.
import type { Clock } from 'beckon'
import { type SetMember, type Store, StoreUnavailableError } from 'beckon/store'
import { OrderedSet } from 'beckon/store/handles'
import { staleMs } from '../index/names.js'
import type { Ask, Session } from '../model/session.js'
import type { Sessions } from '../sessions/sessions.js'
import { LeasedLoop } from '../webhooks/leased-loop.js'
import type { NotifyChannel } from './channel.js'
import type { Deliveries } from './deliveries.js'
import { remindersOf } from './notice.js'
import { decodeEntry, type OutboxEntry, outboxSet } from './outbox.js'
import type { Recipients } from './recipients.js'
import { tellAt } from './schedule.js'
import { settingsFor } from './settings.js'

export interface DispatcherOptions {
  readonly store: Store
  readonly clock: Clock
  readonly sessions: Sessions
  readonly deliveries: Deliveries
  readonly channels: readonly NotifyChannel[]
  readonly recipients: () => Recipients
  /** A channel has something to do. */
  readonly onQueued: (channel: string) => void
  readonly onProblem: (problem: string) => void
}

/** Longer than an append may take without its names being put again. */
const settleMs = 30_000
const maxRecipients = 1_000
const pageEntries = 100
const maxFailing = 10_000
const dayMs = 24 * 60 * 60 * 1000

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #outbox: OrderedSet
  readonly #loop: LeasedLoop
  /** What the log was told of. */
  readonly #failing = new Set<string>()

  constructor(options: DispatcherOptions) {
    const { store, clock, onProblem } = options
    this.#options = options
    this.#outbox = new OrderedSet(store, outboxSet)
    this.#loop = new LeasedLoop({
      store,
      key: 'notify/lease',
      clock,
      pass: over => this.#lookAtAll(over),
      onError: error => onProblem(`Notifications: ${messageOf(error)}`),
    })
  }

  wake(): void {
    this.#loop.wake()
  }

  close(): Promise<void> {
    return this.#loop.close()
  }

  async #lookAtAll(over: AbortSignal): Promise<void> {
    const recipients = this.#options.recipients()
    for await (const members of this.#outbox.pages({ limit: pageEntries }))
      for (const member of members) {
        if (over.aborted) return
        await this.#lookAt(member, recipients).catch(error => this.#failed(member, error))
      }
  }

  /** A directory that is away, say, or a session that nobody can read: others are looked at meanwhile, and this again. */
  async #failed({ member, score: at }: SetMember, error: unknown): Promise<void> {
    const { clock, onProblem } = this.#options
    if (error instanceof StoreUnavailableError) throw error
    const isGivenUp = clock.now() - at > dayMs
    if (isGivenUp) await this.#outbox.remove(member, { if: at })
    if (this.#failing.has(member) && !isGivenUp) return
    const what = isGivenUp ? 'is given up' : 'is tried again'
    onProblem(`Notifications: who is told of an ask could not be found out, and ${what}: ${messageOf(error)}`)
    this.#failing.add(member)
    if (this.#failing.size > maxFailing) this.#failing.clear()
  }

  async #lookAt({ member, score: at }: SetMember, recipients: Recipients): Promise<void> {
    const { clock, sessions } = this.#options
    const entry = decodeEntry(member)
    const ageMs = clock.now() - at
    if (entry !== undefined) {
      const session = await sessions.refresh(entry.session)
      const ask = session && askOf(session, entry)
      const open = ask?.ending === undefined ? ask : undefined
      if (session && open) await this.#tell(session, open, recipients)
      else await this.#untell(entry)
      const isSettled = { asked: ask !== undefined, ended: open === undefined, changed: ageMs > settleMs }[entry.look]
      if (!isSettled && ageMs < staleMs) return
    }
    this.#failing.delete(member)
    // One that was put there meanwhile has another score.
    await this.#outbox.remove(member, { if: at })
  }

  /** Those who may answer are told, and those who may not any more, no longer. */
  async #tell(session: Session, ask: Ask, recipients: Recipients): Promise<void> {
    const { channels, deliveries, clock, onQueued, onProblem } = this.#options
    const now = clock.now()
    const found = await recipients.of(ask, maxRecipients + 1)
    if (found.length > maxRecipients)
      onProblem(`Notifications: an ask of ${session.server} is for more than ${maxRecipients}; others are not told.`)
    const { id, instance, policy } = ask
    const of = { session: session.id, ask: id, instance, expiresAt: policy.expiresAt }
    const reminder = remindersOf(ask)
    // For whom it is new, it is open from now on: they may be asked instead of others.
    const since = now
    const wanted = new Set<string>()
    for (const { principal, settings } of found.slice(0, maxRecipients))
      for (const channel of channels) {
        const own = settingsFor(channel, settings)
        if (!own.isOn) continue
        const at = tellAt({ since, now }, own, settings?.quiet)
        wanted.add(await deliveries.want({ ...of, principal, channel: channel.name }, { at, since, reminder }))
        if (at <= now) onQueued(channel.name)
      }
    for (const told of await deliveries.of(of)) if (!wanted.has(told)) await this.#unwant(told)
  }

  async #untell(entry: OutboxEntry): Promise<void> {
    for (const id of await this.#options.deliveries.of(entry)) await this.#unwant(id)
  }

  async #unwant(id: string): Promise<void> {
    const { deliveries, clock, onQueued } = this.#options
    const channel = await deliveries.unwant(id, clock.now())
    if (channel !== undefined) onQueued(channel)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it failed'
}

export function askOf({ open, ended }: Session, { instance }: Pick<OutboxEntry, 'instance'>): Ask | undefined {
  for (const ask of open.values()) if (ask.instance === instance) return ask
  return ended.find(ask => ask.instance === instance)
}
