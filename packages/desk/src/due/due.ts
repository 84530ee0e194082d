// What time does to open asks: reminders, asking others instead, and the end. What is due is in the index, so that one node
// does it for all, whichever asked; another takes over when that one is gone.
import type { Clock } from 'beckon'
import { type Store, StoreUnavailableError } from 'beckon/store'
import { Lease } from 'beckon/store/handles'
import type { AskIndex, Name } from '../index/ask-index.js'
import { dueAt } from '../index/names.js'
import type { EventOf } from '../model/events.js'
import type { Ask, Session } from '../model/session.js'
import { type Absences, withStandIns } from '../people/absences.js'
import type { Decision, Sessions } from '../sessions/sessions.js'
import { withdrawAsk } from '../turns/decisions.js'

export interface DueOptions {
  readonly sessions: Sessions
  readonly index: AskIndex
  readonly absences: Pick<Absences, 'standIns'>
  readonly store: Store
  readonly clock: Clock
  /** Someone should be reminded of an ask. */
  readonly onReminder: (session: string, request: string) => void
  readonly onError: (error: unknown) => void
}

const leaseMs = 15_000
/** How late something may be noticed that another node has asked. */
const lookEveryMs = 5_000
/** What leads nowhere yet is looked at again after this time. */
const againMs = 1_000
const pageNames = 100

export class Due {
  readonly #options: DueOptions
  readonly #lease: Lease
  readonly #closed = new AbortController()
  readonly #running: Promise<void>
  readonly #stopListening: () => void
  #wake: () => void = () => {}
  #wakesAt = Number.POSITIVE_INFINITY

  constructor(options: DueOptions) {
    this.#options = options
    const { store, clock, sessions } = options
    this.#lease = new Lease({ store, key: 'due/lease', clock, lengthMs: leaseMs })
    this.#stopListening = sessions.listen(({ event, after }) => {
      if (event.type !== 'asked') return
      const ask = after?.open.get(event.request.id)
      if (ask !== undefined && dueAt(ask) < this.#wakesAt) this.#wake()
    })
    this.#running = this.#run()
  }

  async close(): Promise<void> {
    this.#stopListening()
    this.#closed.abort()
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      const held = await this.#lease.take().catch(() => undefined)
      held?.addEventListener('abort', () => this.#wake(), { once: true })
      while (held && !held.aborted && !this.#closed.signal.aborted) await this.#round()
      await this.#lease.release().catch(() => {})
      await this.#sleep(leaseMs / 3)
    }
  }

  /** Does what is due, and waits for what is due next. */
  async #round(): Promise<void> {
    const { index, clock, onError } = this.#options
    try {
      const leftBehind = await this.#doAll()
      const next = await index.nextDue()
      const nextMs = Math.max(next === undefined ? lookEveryMs : next - clock.now(), leftBehind ? againMs : 0)
      if (nextMs > 0) await this.#sleep(Math.min(lookEveryMs, nextMs))
    } catch (error) {
      onError(error)
      await this.#sleep(lookEveryMs)
    }
  }

  /** True when something due could not be done now. */
  async #doAll(): Promise<boolean> {
    const { index, clock } = this.#options
    let leftBehind = false
    for await (const names of index.due(clock.now(), pageNames)) {
      for (const name of names) if (!(await this.#doOne(name).catch(error => this.#failed(error)))) leftBehind = true
      if (this.#closed.signal.aborted) break
    }
    return leftBehind
  }

  /** A session that nobody can read, say: the others have their times, too. While the store is away, none can be read. */
  #failed(error: unknown): false {
    if (error instanceof StoreUnavailableError) throw error
    this.#options.onError(error)
    return false
  }

  async #doOne(name: Name): Promise<boolean> {
    const { sessions, index, clock } = this.#options
    const session = await sessions.refresh(name.session)
    const ask = session && [...session.open.values()].find(({ instance }) => instance === name.instance)
    if (session === undefined || ask === undefined) {
      index.followed(
        name,
        [],
        session?.ended.find(({ instance }) => instance === name.instance),
      )
      return false
    }
    const others = await this.#othersFor(session, ask)
    const { events = [] } = decideDue(session, ask, { now: clock.now(), others })
    // Before it is noted: a process that dies in between reminds once more, and not never.
    if (events.some(({ type }) => type === 'reminded')) this.#remind(name.session, ask.id)
    const settled = await sessions.change(name.session, now => decideDue(now, ask, { now: clock.now(), others }))
    return settled.kind === 'accepted' && settled.events.length > 0
  }

  /** Who is asked instead, with those who stand in for them. */
  async #othersFor({ owner }: Pick<Session, 'owner'>, { policy }: Ask): Promise<Others | undefined> {
    const { escalation, requester } = policy
    if (escalation === undefined || escalation.at > this.#options.clock.now()) return undefined
    const { audience, standIns } = await withStandIns(
      { expiresAt: policy.expiresAt, audience: escalation.audience, ...(requester !== undefined && { requester }) },
      this.#options.absences,
      owner ?? requester,
    )
    return audience && { audience, ...(standIns && { standIns }) }
  }

  #remind(session: string, request: string): void {
    const { onReminder, onError } = this.#options
    try {
      onReminder(session, request)
    } catch (error) {
      onError(error)
    }
  }

  #sleep(ms: number): Promise<void> {
    const { clock } = this.#options
    return new Promise(resolve => {
      if (this.#closed.signal.aborted) return resolve()
      this.#wakesAt = clock.now() + ms
      const stop = clock.after(ms, () => this.#wake())
      this.#wake = () => {
        stop()
        this.#wakesAt = Number.POSITIVE_INFINITY
        this.#wake = () => {}
        resolve()
      }
    })
  }
}

type Others = Pick<EventOf<'escalated'>, 'audience' | 'standIns'>

/** What is due for an ask, the end before everything else. */
function decideDue(
  session: Session | undefined,
  { id, instance }: Ask,
  { now, others }: { readonly now: number; readonly others: Others | undefined },
): Decision {
  const ask = session?.open.get(id)
  if (session === undefined || ask?.instance !== instance) return {}
  const { policy, remindedAt = 0 } = ask
  if (policy.expiresAt <= now) return withdrawAsk(session, id, { at: now }, { isExpired: true })
  const { escalation } = policy
  if (escalation !== undefined && escalation.at <= now)
    return { events: [{ type: 'escalated', at: now, ask: id, audience: escalation.audience, ...others }] }
  const due = (policy.remindAt ?? []).filter(at => at > remindedAt && at <= now)
  return due.length === 0 ? {} : { events: [{ type: 'reminded', at: now, ask: id, dueAt: Math.max(...due) }] }
}
