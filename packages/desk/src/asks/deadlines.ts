// What time does to open asks: reminders, asking others instead, and the end. Each node keeps the timers of every open
// ask; the log decides which node's came first.
import type { Clock } from 'beckon'
import type { Accepted } from '../log/act.js'
import type { Order } from '../log/order.js'
import type { SessionRecord } from '../state/session-record.js'
import { askKey } from './ask-key.js'
import type { Audit } from './audit.js'
import type { Insistence } from './insistence.js'
import { escalated } from './policy.js'
import type { Reminders } from './reminders.js'
import { expiredReason, withdrawal } from './turn.js'

export interface DeadlinesOptions {
  readonly order: Order
  readonly audit: Audit
  readonly clock: Clock
  readonly insistence: Insistence
  readonly reminders: Reminders
  readonly onError: (error: unknown) => void
}

export class Deadlines {
  readonly #options: DeadlinesOptions
  /** By the key of their ask. */
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
      for (const { id } of record.openRequests) this.#arm(record, id)
  }

  #disarmAll(): void {
    for (const key of [...this.#timers.keys()]) this.#disarm(key)
  }

  #follow({ session, act }: Accepted): void {
    const record = this.#options.order.state.session(session)
    if (act.type === 'inputRequested' && record !== undefined) this.#arm(record, act.request.id)
    else if (act.type === 'audienceChanged' && record !== undefined) this.#arm(record, act.requestId)
    else if (act.type === 'inputCompleted') this.#disarm(askKey(session, act.requestId))
    else if (act.type === 'inputNeededRemoved') this.#disarm(askKey(session, act.id))
  }

  #arm(record: SessionRecord, request: string): void {
    const key = askKey(record.id, request)
    this.#disarm(key)
    const policy = record.policies.get(request)
    if (policy === undefined) return
    const { clock, reminders, insistence, onError } = this.#options
    const { expiresAt } = policy
    const now = clock.now()
    const at = (time: number, fn: () => void) => clock.after(Math.max(0, time - now), fn)
    const remind = (policy.remindAt ?? [])
      .filter(time => time > now)
      .map(time => at(time, () => void reminders.remind(record.id, request, { time, expiresAt }).catch(onError)))
    const escalation =
      policy.escalation === undefined
        ? []
        : [at(policy.escalation.at, () => insistence.until(() => this.#escalate(record.id, request)))]
    const expiry = at(expiresAt, () => insistence.until(() => this.#expire(record.id, request)))
    this.#timers.set(key, [...remind, ...escalation, expiry])
  }

  #disarm(key: string): void {
    for (const stop of this.#timers.get(key) ?? []) stop()
    this.#timers.delete(key)
  }

  async #expire(session: string, request: string): Promise<void> {
    const { order, audit, clock, onError } = this.#options
    const settled = await order.change(state => withdrawal(state.session(session), request, clock.now(), expiredReason))
    if (settled.kind === 'accepted' && settled.lines.length > 0)
      await audit.record({ event: 'expired', at: clock.now(), session, request }).catch(onError)
  }

  /** Others are asked instead: drafts stay, and nothing else changes. */
  async #escalate(session: string, requestId: string): Promise<void> {
    const { order, audit, clock, onError } = this.#options
    const settled = await order.change(state => {
      const record = state.session(session)
      const request = record?.openRequest(requestId)
      const policy = record?.policies.get(requestId)
      const at = clock.now()
      const next = request && policy && escalated(policy, request, at)
      return { lines: next ? [{ session, act: { type: 'audienceChanged', requestId, policy: next }, at }] : [] }
    })
    if (settled.kind === 'accepted' && settled.lines.length > 0)
      await audit.record({ event: 'escalated', at: clock.now(), session, request: requestId }).catch(onError)
  }
}
