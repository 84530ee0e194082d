// The asks of a desk as this device has them: what the desk confirmed, what this person did since, and what became of
// that. It knows of no connection: what has one says what is heard on it, and sends what is to be sent.
import type { AskEntry, AsksAction } from '@beckon/core/asks'
import type { Envelope } from '@beckon/core/live'
import type { SaidRefusal } from '../strings/said-refusal.js'
import { forgetDraft, forgetDrafts, forgetSettled, keepDraft, keptDrafts, type Owner } from './kept-drafts.js'
import {
  did,
  emptyMirror,
  heard,
  joined,
  keyOf,
  type Mirror,
  type Pending,
  type PendingAction,
  pendingOf,
  renewed,
  sent,
  unsent,
  viewOf,
  withoutPending,
} from './mirror.js'
import type { AsksSnapshot } from './protocol.js'

/** What became of an answer of this client, beside what the ask itself says. */
export type Notice = ({ readonly kind: 'refused' } & SaidRefusal) | { readonly kind: 'beaten' }

export type Completion = Extract<PendingAction, { kind: 'completion' }>

export class LocalAsks {
  readonly #clientId: string
  readonly #notices = new Map<string, Notice>()
  #mirror: Mirror = emptyMirror
  #view: readonly AskEntry[] = []
  #viewed: Mirror = emptyMirror
  #owner: Owner | undefined
  #nextSeq = 1

  constructor(clientId: string) {
    this.#clientId = clientId
  }

  /** Whose asks these are; undefined until the desk has said. */
  get owner(): Owner | undefined {
    return this.#owner
  }

  /** The number of the last line that was heard. */
  get seq(): number {
    return this.#mirror.seq
  }

  /** Every ask, in the order they were put, with this client's own drafts. */
  get all(): readonly AskEntry[] {
    if (this.#viewed !== this.#mirror) {
      this.#viewed = this.#mirror
      this.#view = viewOf(this.#mirror).asks
    }
    return this.#view
  }

  find(session: string, requestId: string): AskEntry | undefined {
    return this.all.findLast(ask => ask.session === session && ask.request.id === requestId)
  }

  /** The answer that this client gave and the desk has not confirmed yet. */
  completionOf({ session, request }: AskEntry): Completion | undefined {
    const actions = pendingOf(this.#mirror, session, request.id).map(({ action }) => action)
    return actions.findLast(action => action.kind === 'completion')
  }

  noticeOf({ session, request }: AskEntry): Notice | undefined {
    return this.#notices.get(keyOf(session, request.id))
  }

  /** The whole state came anew. */
  take({ state, fromSeq }: AsksSnapshot): void {
    this.#mirror = renewed(this.#mirror, state, fromSeq)
  }

  /** How many more were open at the desk than are here; counting stops at 1,000. */
  get more(): number {
    return this.#mirror.confirmed.more ?? 0
  }

  /** Asks were read beside the first page; the last of them, too, when there are no more. */
  add(found: readonly AskEntry[], isAll = false): void {
    this.#mirror = joined(this.#mirror, found, isAll)
  }

  /** The desk said who this is. Drafts of an earlier page that it never got are there again. */
  belongTo(owner: Owner): void {
    const isFirst = this.#owner === undefined
    this.#owner = owner
    if (!isFirst) return
    for (const { session, requestId, questionId, answer } of keptDrafts(owner)) {
      const ask = this.find(session, requestId)
      if (ask === undefined || ask.ending) forgetDraft(owner, { session, requestId, questionId })
      else
        this.#add({
          session,
          requestId,
          askedAt: ask.askedAt,
          action: { kind: 'draft', questionId, answer },
          isSent: false,
        })
    }
  }

  /** Its person has signed out: nothing that they typed stays in the browser, and nothing comes there any more. */
  forget(): void {
    if (this.#owner) forgetDrafts(this.#owner)
    this.#owner = undefined
  }

  /** This person did something, which is to be sent. */
  do({ session, request, askedAt }: AskEntry, action: PendingAction): Pending {
    if (action.kind === 'completion') this.#notices.delete(keyOf(session, request.id))
    else if (this.#owner) keepDraft(this.#owner, { ...action, session, requestId: request.id })
    return this.#add({ session, requestId: request.id, askedAt, action, isSent: false })
  }

  /** A number for something that is done about an ask and waits for an answer of its own. */
  nextSeq(): number {
    return this.#nextSeq++
  }

  /** It went out on the connection that is open. */
  sent({ clientSeq }: Pending): void {
    this.#mirror = sent(this.#mirror, clientSeq)
  }

  /** There is a new connection: what is to be sent on it. */
  toSend(): readonly Pending[] {
    this.#settleLost()
    const { pending } = this.#mirror
    this.#mirror = unsent(this.#mirror)
    const left = new Set(this.#mirror.pending.map(({ clientSeq }) => clientSeq))
    // What the desk has, or can never take, is not kept in the browser either.
    for (const dropped of pending) if (!left.has(dropped.clientSeq)) this.#forget(dropped)
    return this.#mirror.pending
  }

  /** Something happened at the desk; gives the ask that is new by it. */
  hear(envelope: Envelope<AsksAction>): AskEntry | undefined {
    const { action, origin } = envelope
    const isNew = action.type === 'asks/asked' && !this.find(action.ask.session, action.ask.request.id)
    const done = origin?.clientId === this.#clientId ? this.#pendingAt(origin.clientSeq) : undefined
    this.#mirror = heard(this.#mirror, envelope, this.#clientId)
    if (done) this.#forget(done)
    else if (action.type === 'asks/ended') this.#settleLost()
    return isNew ? action.ask : undefined
  }

  /** The desk refused what this client did. */
  refuse({
    origin,
    rejectionCode: code,
    rejectionParams: params,
    rejectionReason: reason = '',
  }: Envelope<unknown>): void {
    const refused = this.#pendingAt(origin?.clientSeq)
    if (refused === undefined) return
    const { session, requestId, action } = refused
    this.#mirror = withoutPending(this.#mirror, refused.clientSeq)
    this.#forget(refused)
    const isOver = this.find(session, requestId)?.ending !== undefined
    if (action.kind === 'completion' && !isOver)
      this.#notices.set(keyOf(session, requestId), { kind: 'refused', code, params, reason })
  }

  /** This person's answer to an ask that ended otherwise came too late. */
  beat({ session, request }: AskEntry): void {
    this.#notices.set(keyOf(session, request.id), { kind: 'beaten' })
  }

  /** A person who gave an answer to an ask that ended otherwise is told, also where another has its name by now. */
  #settleLost(): void {
    const over = this.#mirror.pending.filter(({ session, requestId, askedAt }) => {
      const ask = this.find(session, requestId)
      return ask !== undefined && (ask.ending !== undefined || ask.askedAt !== askedAt)
    })
    for (const lost of over) {
      if (lost.action.kind === 'completion') this.#notices.set(keyOf(lost.session, lost.requestId), { kind: 'beaten' })
      this.#mirror = withoutPending(this.#mirror, lost.clientSeq)
      this.#forget(lost)
    }
  }

  #add(pending: Omit<Pending, 'clientSeq'>): Pending {
    const added = { ...pending, clientSeq: this.#nextSeq++ }
    this.#mirror = did(this.#mirror, added)
    return added
  }

  #forget(settled: Pending): void {
    if (this.#owner) forgetSettled(this.#owner, settled, this.#mirror)
  }

  #pendingAt(clientSeq: number | undefined): Pending | undefined {
    return this.#mirror.pending.find(one => one.clientSeq === clientSeq)
  }
}
