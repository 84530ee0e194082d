// Finds asks by their id, and tells what happens to them. It follows the order of the desk, so that no request has to
// look through every session. An id is unique in its session, so there may be several of the same.
import type { InputRequest } from '@beckon/core/chat'
import { policyBefore } from '../../asks/policy.js'
import type { Accepted } from '../../log/act.js'
import type { Order } from '../../log/order.js'
import type { SessionRecord } from '../../state/session-record.js'
import { endedOf, type Happening } from './happening.js'
import type { KnownAsk } from './known-ask.js'
import { OpenList } from './open-list.js'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Entry = Writable<KnownAsk>

/** Sessions that are gone and still remembered, for whoever is told a little late. */
const keptSessions = 1_000

export class AskIndex {
  readonly open: OpenList = new OpenList()
  readonly #order: Order
  readonly #sessions = new Map<string, Map<string, Entry>>()
  readonly #gone = new Map<string, Map<string, Entry>>()
  readonly #byId = new Map<string, Set<Entry>>()
  readonly #listeners = new Set<(happenings: readonly Happening[]) => void>()
  readonly #stops: readonly (() => void)[]
  #seq: number

  constructor(order: Order) {
    this.#order = order
    this.#seq = order.seq
    this.#begin()
    this.#stops = [order.listen(lines => this.#hear(lines)), order.onAnew(() => this.#begin())]
  }

  /** The number of the last line that was told. */
  get seq(): number {
    return this.#seq
  }

  /** Every ask of this id, the newest first. */
  find(id: string): KnownAsk[] {
    return [...(this.#byId.get(id) ?? [])].reverse()
  }

  /** Whether it can still say which asks a session had. */
  remembers(session: string): boolean {
    return this.#sessions.has(session) || this.#gone.has(session)
  }

  /** Tells what happens, in order. */
  listen(listener: (happenings: readonly Happening[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    for (const stop of this.#stops) stop()
    this.#listeners.clear()
  }

  /** What a line of the log comes to: nothing, one thing, or many when a session goes. */
  happeningsOf({ seq, at, session, act, by }: Accepted): Happening[] {
    const who = by === undefined ? {} : { by: by.principal }
    const one = (ask: string, rest: Pick<Happening, 'event'> & Partial<Happening>): Happening[] => {
      const known = rest.known ?? this.#entry(session, ask)
      return [{ seq, at, session, ask, ...(known && { known, policy: known.policy }), ...rest }]
    }
    switch (act.type) {
      case 'inputRequested':
        return one(act.request.id, { event: 'asked', request: act.request })
      case 'audienceChanged': {
        const { requestId, policy } = act
        const before = policyBefore(policy)
        return one(requestId, { event: 'asked', request: policy.former.request, policy, ...(before && { before }) })
      }
      case 'inputAnswerChanged': {
        const state = act.answer?.state ?? 'cleared'
        return one(act.requestId, { event: 'drafted', question: act.questionId, state, ...who })
      }
      case 'inputCompleted': {
        const ended = endedOf({ ...act, ...who })
        const { requestId: id, gone } = act
        const known = this.#entry(session, id) ?? (gone && { ...gone, id, session, endedSeq: seq })
        return one(id, { event: ended.event, ended, ...who, ...(known && { known }) })
      }
      case 'inputNeededRemoved':
        return this.#isAbandoned(session, act.id, seq) ? one(act.id, { event: 'withdrawn', ended: endedOf() }) : []
      case 'sessionDisposed':
        return [...(this.#gone.get(session)?.values() ?? [])]
          .filter(({ endedSeq }) => endedSeq === seq)
          .flatMap(({ id }) => one(id, { event: 'withdrawn', ended: endedOf() }))
      default:
        return []
    }
  }

  #begin(): void {
    this.#seq = this.#order.seq
    for (const known of [this.#sessions, this.#gone, this.#byId]) known.clear()
    this.open.clear()
    for (const record of this.#order.state.sessions()) this.#load(record)
  }

  #hear(lines: readonly Accepted[]): void {
    const happenings = lines.flatMap(line => {
      this.#apply(line)
      return this.happeningsOf(line)
    })
    this.#seq = lines.at(-1)?.seq ?? this.#seq
    if (happenings.length > 0) for (const listener of this.#listeners) listener(happenings)
  }

  #apply({ seq, at, session, act }: Accepted): void {
    switch (act.type) {
      case 'inputRequested': {
        const { request, policy } = act
        const entry = this.#entry(session, request.id)
        const server = this.#order.state.session(session)?.server ?? ''
        if (entry !== undefined && entry.endedSeq === undefined) entry.policy = policy
        else this.#add({ id: request.id, session, server, request, policy, askedAt: at })
        break
      }
      case 'audienceChanged': {
        const entry = this.#entry(session, act.requestId)
        if (entry !== undefined) entry.policy = act.policy
        break
      }
      case 'inputCompleted':
        this.#end(this.#entry(session, act.requestId), seq)
        break
      case 'inputNeededRemoved':
        this.#end(this.#entry(session, act.id), seq)
        break
      case 'sessionDisposed':
        this.#forget(session, seq)
    }
  }

  #load(record: SessionRecord): void {
    const { id: session, server, policies, askedAt, chat } = record
    const open = new Map(record.openRequests.map(request => [request.id, request]))
    const put = new Map<string, InputRequest>()
    const turns = chat.activeTurn === undefined ? chat.turns : [...chat.turns, chat.activeTurn]
    for (const { responseParts } of turns)
      for (const part of responseParts) if (part.kind === 'inputRequest') put.set(part.request.id, part.request)
    for (const [id, policy] of policies) {
      const request = open.get(id) ?? put.get(id) ?? { id }
      const entry = {
        id,
        session,
        server,
        request,
        policy,
        askedAt: askedAt.get(id) ?? record.bare.older.summary.createdAt,
      }
      this.#add(open.has(id) ? entry : { ...entry, endedSeq: 0 })
    }
  }

  #entry(session: string, id: string): Entry | undefined {
    return (this.#sessions.get(session) ?? this.#gone.get(session))?.get(id)
  }

  /** Whether an ask ended because its turn did: nobody completed it. */
  #isAbandoned(session: string, id: string, seq: number): boolean {
    const { endedSeq } = this.#entry(session, id) ?? {}
    if (endedSeq !== 0) return endedSeq === seq
    return !this.#order.state.session(session)?.endings.has(id)
  }

  #add(entry: Entry): void {
    const { id, session, endedSeq } = entry
    const asks = this.#sessions.get(session) ?? new Map<string, Entry>()
    const earlier = asks.get(id)
    if (earlier !== undefined) this.#byId.get(id)?.delete(earlier)
    this.#sessions.set(session, asks.set(id, entry))
    this.#byId.set(id, (this.#byId.get(id) ?? new Set()).add(entry))
    if (endedSeq === undefined) this.open.add(entry)
  }

  #end(entry: Entry | undefined, seq: number): void {
    if (entry === undefined || entry.endedSeq !== undefined) return
    entry.endedSeq = seq
    this.open.remove(entry)
  }

  #forget(session: string, seq: number): void {
    const asks = this.#sessions.get(session) ?? new Map<string, Entry>()
    this.#sessions.delete(session)
    for (const entry of asks.values()) {
      this.#end(entry, seq)
      const same = this.#byId.get(entry.id)
      same?.delete(entry)
      if (same?.size === 0) this.#byId.delete(entry.id)
    }
    this.#gone.delete(session)
    this.#gone.set(session, asks)
    const [oldest] = this.#gone.keys()
    if (this.#gone.size > keptSessions && oldest !== undefined) this.#gone.delete(oldest)
  }
}
