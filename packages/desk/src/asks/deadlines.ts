// What time does to open asks: reminders, asking others instead, and the end. Each node keeps the timers of every open
// ask; the log decides which node's came first.
import type { Clock } from 'beckon'
import type { Accepted } from '../log/act.js'
import type { Order } from '../log/order.js'
import { openRequests, policyOf, type SessionRecord } from '../state/session-record.js'
import type { Audit } from './audit.js'
import type { Insistence } from './insistence.js'
import { asked } from './lines.js'
import type { Policy } from './policy.js'
import { expiredReason, withdrawal } from './turn.js'

export interface DeadlinesOptions {
  readonly order: Order
  readonly audit: Audit
  readonly clock: Clock
  readonly insistence: Insistence
  /** Someone should be reminded of an ask. */
  readonly onReminder: (session: string, request: string) => void
  readonly onError: (error: unknown) => void
}

export class Deadlines {
  readonly #options: DeadlinesOptions
  readonly #timers = new Map<string, (() => void)[]>()
  readonly #stops: readonly (() => void)[]

  constructor(options: DeadlinesOptions) {
    this.#options = options
    this.#armAll()
    this.#stops = [
      options.order.listen(lines => {
        for (const line of lines) this.#follow(line)
      }),
      options.order.onAnew(() => {
        this.#disarmAll()
        this.#armAll()
      }),
    ]
  }

  close(): void {
    for (const stop of this.#stops) stop()
    this.#disarmAll()
  }

  #armAll(): void {
    for (const record of this.#options.order.state.sessions())
      for (const { id } of openRequests(record)) this.#arm(record, id)
  }

  #disarmAll(): void {
    for (const id of [...this.#timers.keys()]) this.#disarm(id)
  }

  #follow({ session, act }: Accepted): void {
    const record = this.#options.order.state.session(session)
    if (act.type === 'inputRequested' && record !== undefined) this.#arm(record, act.request.id)
    else if (act.type === 'inputCompleted') this.#disarm(act.requestId)
    else if (act.type === 'inputNeededRemoved') this.#disarm(act.id)
  }

  #arm(record: SessionRecord, request: string): void {
    this.#disarm(request)
    const policy = policyOf(record, request)
    if (policy === undefined) return
    const { clock, onReminder, audit, insistence, onError } = this.#options
    const now = clock.now()
    const at = (time: number, fn: () => void) => clock.after(Math.max(0, time - now), fn)
    const reminders = (policy.remindAt ?? [])
      .filter(time => time > now)
      .map(time =>
        at(time, () => {
          onReminder(record.id, request)
          audit.record({ event: 'reminded', at: clock.now(), session: record.id, request }).catch(onError)
        }),
      )
    const escalation =
      policy.escalation === undefined
        ? []
        : [at(policy.escalation.at, () => insistence.until(() => this.#escalate(record.id, request)))]
    const expiry = at(policy.expiresAt, () => insistence.until(() => this.#expire(record.id, request)))
    this.#timers.set(request, [...reminders, ...escalation, expiry])
  }

  #disarm(request: string): void {
    for (const stop of this.#timers.get(request) ?? []) stop()
    this.#timers.delete(request)
  }

  async #expire(session: string, request: string): Promise<void> {
    const { order, audit, clock, onError } = this.#options
    const settled = await order.change(state => withdrawal(state.session(session), request, clock.now(), expiredReason))
    if (settled.kind === 'accepted' && settled.lines.length > 0)
      await audit.record({ event: 'expired', at: clock.now(), session, request }).catch(onError)
  }

  /** The ask is put again, to others: drafts stay, and whoever is new to it sees it now. */
  async #escalate(session: string, requestId: string): Promise<void> {
    const { order, audit, clock, onError } = this.#options
    const settled = await order.change(state => {
      const record = state.session(session)
      const request = record && openRequests(record).find(({ id }) => id === requestId)
      const policy = record && policyOf(record, requestId)
      if (request === undefined || policy?.escalation === undefined) return { lines: [] }
      const { escalation, ...rest } = policy
      const widened: Policy = { ...rest, audience: escalation.audience }
      return { lines: asked(session, request, widened, { at: clock.now() }) }
    })
    if (settled.kind === 'accepted' && settled.lines.length > 0)
      await audit.record({ event: 'escalated', at: clock.now(), session, request: requestId }).catch(onError)
  }
}
