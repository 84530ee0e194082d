import type { Answer } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { forgetDraft, keepDraft, keptDrafts, type Owner } from './kept-drafts.js'
import { Link, type LinkStatus } from './link.js'
import {
  type Deed,
  did,
  type Envelope,
  emptyMirror,
  heard,
  keyOf,
  type Mirror,
  type Pending,
  renewed,
  unsent,
  viewOf,
  withoutPending,
} from './mirror.js'
import { asksChannel, comeBack, dispatch, introduce, look, lookAway, type Snapshot, tryIt } from './protocol.js'
import { Typing } from './typing.js'

/** What became of an answer of this client, beside what the ask itself says. */
export type Notice = { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'beaten' }

const slowestTellMs = 200

/**
 * A desk as one person on one device sees it: every ask, and what they did about it. Tells of changes with `change`, at
 * most once a frame, and of every ask that is new with `asked`.
 */
export class DeskClient extends EventTarget {
  readonly url: string
  readonly #clientId: string = randomId()
  readonly #link: Link
  readonly #typing: Typing = new Typing(() => this.#changed())
  readonly #notices = new Map<string, Notice>()
  #mirror: Mirror = emptyMirror
  #view: readonly AskEntry[] = []
  #viewed: Mirror = emptyMirror
  #status: LinkStatus = 'connecting'
  #owner: Owner | undefined
  #canTry = false
  #nextSeq = 1
  #watched: string | undefined
  #stopWaiting: (() => void) | undefined

  constructor(url: string) {
    super()
    this.url = url
    this.#link = new Link({
      url,
      onOpen: () => this.#hello(),
      onNotification: (method, params) => {
        if (method === 'action') this.#hear(params as Envelope)
      },
      onStatus: status => {
        this.#status = status
        this.#changed()
      },
    })
  }

  get status(): LinkStatus {
    return this.#status
  }

  /** Whether the asks have been there once. */
  get isLoaded(): boolean {
    return this.#owner !== undefined
  }

  /** Who the desk takes this person for. */
  get principal(): string | undefined {
    return this.#owner?.principal
  }

  /** Whether there is something to try. */
  get canTry(): boolean {
    return this.#canTry
  }

  /** Every ask, in the order they were put, with this client's own drafts. */
  get asks(): readonly AskEntry[] {
    if (this.#viewed !== this.#mirror) {
      this.#viewed = this.#mirror
      this.#view = viewOf(this.#mirror).asks
    }
    return this.#view
  }

  find(session: string, requestId: string): AskEntry | undefined {
    return this.asks.findLast(ask => ask.session === session && ask.request.id === requestId)
  }

  /** The answer that this client gave and the desk has not confirmed yet. */
  completionOf({ session, request }: AskEntry): Extract<Deed, { kind: 'completion' }> | undefined {
    const found = this.#pendingOf(session, request.id).findLast(({ deed }) => deed.kind === 'completion')
    return found?.deed.kind === 'completion' ? found.deed : undefined
  }

  noticeOf({ session, request }: AskEntry): Notice | undefined {
    return this.#notices.get(keyOf(session, request.id))
  }

  /** Who else types an answer right now. */
  typingIn({ session, request }: AskEntry, questionId: string): string | undefined {
    return this.#typing.who(keyOf(session, request.id), questionId)
  }

  /** Who else was the last to change an answer. */
  changedBy({ session, request }: AskEntry, questionId: string): string | undefined {
    return this.#typing.last(keyOf(session, request.id), questionId)
  }

  draft({ session, request }: AskEntry, questionId: string, answer: Answer): void {
    if (this.#owner) keepDraft(this.#owner, { session, requestId: request.id, questionId, answer })
    this.#do(session, request.id, { kind: 'draft', questionId, answer })
  }

  complete({ session, request }: AskEntry, completion: Omit<Extract<Deed, { kind: 'completion' }>, 'kind'>): void {
    this.#notices.delete(keyOf(session, request.id))
    this.#do(session, request.id, { kind: 'completion', ...completion })
  }

  /** Tells the desk which session is looked at, or that none is. */
  watch(session: string | undefined): void {
    if (session === this.#watched) return
    if (this.#watched !== undefined) lookAway(this.#link, this.#watched)
    this.#watched = session
    if (session !== undefined && this.isLoaded) look(this.#link, session)
  }

  /** Puts an ask to try the inbox with. */
  tryIt(): Promise<void> {
    return tryIt(this.#link)
  }

  /** Connects now, when it would wait. */
  retry(): void {
    this.#link.retry()
  }

  close(): void {
    this.#link.close()
    this.#typing.close()
    this.#stopWaiting?.()
  }

  async #hello(): Promise<void> {
    const missed = this.isLoaded ? await comeBack(this.#link, this.#clientId, this.#mirror.seq) : undefined
    if (missed === undefined) await this.#introduce()
    else if ('state' in missed) this.#take(missed)
    else for (const envelope of missed) this.#apply(envelope)
    this.#settleLost()
    this.#mirror = unsent(this.#mirror)
    for (const pending of this.#mirror.pending) this.#send(pending)
    if (this.#watched !== undefined) look(this.#link, this.#watched)
    this.#changed()
  }

  async #introduce(): Promise<void> {
    const { snapshot, principal, canTry } = await introduce(this.#link, this.#clientId)
    this.#take(snapshot)
    this.#canTry = canTry
    const isFirst = this.#owner === undefined
    this.#owner = { url: this.url, principal }
    if (isFirst) this.#restore(this.#owner)
  }

  /** Drafts of an earlier page that the desk never got. */
  #restore(owner: Owner): void {
    for (const { session, requestId, questionId, answer } of keptDrafts(owner)) {
      const ask = this.find(session, requestId)
      if (ask === undefined || ask.ending) forgetDraft(owner, { session, requestId, questionId })
      else this.#add({ session, requestId, deed: { kind: 'draft', questionId, answer }, isSent: false })
    }
  }

  #take({ state, fromSeq }: Snapshot): void {
    this.#mirror = renewed(this.#mirror, state, fromSeq)
  }

  #do(session: string, requestId: string, deed: Deed): void {
    this.#send(this.#add({ session, requestId, deed, isSent: false }))
    this.#changed()
  }

  #add(pending: Omit<Pending, 'clientSeq'>): Pending {
    const added = { ...pending, clientSeq: this.#nextSeq++ }
    this.#mirror = did(this.#mirror, added)
    return added
  }

  #send(pending: Pending): void {
    if (!dispatch(this.#link, pending)) return
    const { clientSeq } = pending
    const all = this.#mirror.pending.map(one => (one.clientSeq === clientSeq ? { ...one, isSent: true } : one))
    this.#mirror = { ...this.#mirror, pending: all }
  }

  #hear(envelope: Envelope): void {
    const { channel, origin, rejectionReason } = envelope
    if (rejectionReason !== undefined) this.#refused(origin?.clientSeq, rejectionReason)
    else if (channel === asksChannel) {
      const { action } = envelope
      const isOwn = origin?.clientId === this.#clientId
      if (action.type === 'asks/answerChanged' && !isOwn && action.by !== undefined)
        this.#typing.heard(keyOf(action.session, action.requestId), action.questionId, action.by)
      this.#apply(envelope)
    }
    this.#changed()
  }

  #apply(envelope: Envelope): void {
    const { action, origin } = envelope
    const before = this.#mirror
    const isNew = action.type === 'asks/asked' && !this.find(action.ask.session, action.ask.request.id)
    this.#mirror = heard(before, envelope, this.#clientId)
    if (isNew) this.dispatchEvent(new CustomEvent('asked', { detail: action.ask }))
    if (origin?.clientId === this.#clientId) this.#forget(before, origin.clientSeq)
    else if (action.type === 'asks/ended') this.#settleLost()
  }

  /** A draft that the desk has needs not be kept, unless a later one is on its way. */
  #forget(before: Mirror, clientSeq: number): void {
    const done = before.pending.find(pending => pending.clientSeq === clientSeq)
    if (done?.deed.kind !== 'draft' || this.#owner === undefined) return
    const { questionId } = done.deed
    const isLast = !this.#pendingOf(done.session, done.requestId).some(
      ({ deed }) => deed.kind === 'draft' && deed.questionId === questionId,
    )
    if (isLast) forgetDraft(this.#owner, { session: done.session, requestId: done.requestId, questionId })
  }

  #refused(clientSeq: number | undefined, reason: string): void {
    const refused = this.#mirror.pending.find(pending => pending.clientSeq === clientSeq)
    if (refused === undefined || clientSeq === undefined) return
    const { session, requestId, deed } = refused
    this.#mirror = withoutPending(this.#mirror, clientSeq)
    this.#forget({ ...this.#mirror, pending: [refused] }, clientSeq)
    const isOver = this.find(session, requestId)?.ending !== undefined
    if (deed.kind === 'completion' && !isOver) this.#notices.set(keyOf(session, requestId), { kind: 'refused', reason })
  }

  /** Whoever gave an answer to an ask that ended otherwise is told. */
  #settleLost(): void {
    const over = this.#mirror.pending.filter(
      ({ session, requestId }) => this.find(session, requestId)?.ending !== undefined,
    )
    for (const { session, requestId, deed, clientSeq } of over) {
      if (deed.kind === 'completion') this.#notices.set(keyOf(session, requestId), { kind: 'beaten' })
      const before = this.#mirror
      this.#mirror = withoutPending(before, clientSeq)
      this.#forget(before, clientSeq)
    }
  }

  #pendingOf(session: string, requestId: string): Pending[] {
    return this.#mirror.pending.filter(pending => pending.session === session && pending.requestId === requestId)
  }

  /** A page that nobody sees has no frames, so that a timer stands by. */
  #changed(): void {
    if (this.#stopWaiting !== undefined) return
    const tell = (): void => {
      this.#stopWaiting?.()
      this.dispatchEvent(new Event('change'))
    }
    const frame = requestAnimationFrame(tell)
    const timer = setTimeout(tell, slowestTellMs)
    this.#stopWaiting = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      this.#stopWaiting = undefined
    }
  }
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('')
}
