import type { Answer } from '@beckon/core'
import type { AskEntry, AsksAction } from '@beckon/core/asks'
import type { Envelope, RefusalCode, TrialNews } from '@beckon/core/live'
import type { FoundOption } from '@beckon/core/widgets'
import type { SaidRefusal } from '../strings/said-refusal.js'
import { Frames } from './frames.js'
import { type Held, HeldBack } from './held-back.js'
import { Link, type LinkOptions, type LinkStatus } from './link.js'
import { type Completion, LocalAsks, type Notice } from './local-asks.js'
import { keyOf, type Pending, type PendingAction } from './mirror.js'
import {
  actOn,
  comeBack,
  dispatch,
  findOptions,
  introduce,
  isAboutAsks,
  listAsks,
  look,
  lookAgain,
  lookAway,
  type PeopleAction,
  tryIt,
  type Wanted,
} from './protocol.js'
import type { SignedOut } from './signed-out.js'
import { type Trial, Trials } from './trials.js'
import { Typing } from './typing.js'

/** Whom a desk takes everyone for that opens its link. */
const nobodyInParticular = 'local'
/** Pages that one search reads while it finds nothing. */
const maxSearchPages = 20
/** What the desk says of an ask that is not there, or not for this person. */
const notFound: RefusalCode = 'ask-not-found'

/**
 * A desk as one person on one device sees it: every ask, and what they did about it. Tells of changes with `change`, at
 * most once a frame, of every ask that is new with `asked`, of every answer of this person that the desk has taken with `answered`,
 * and with `tried` where the asks of what it tries are.
 */
export class DeskClient extends EventTarget {
  readonly url: string
  /** Where the desk answers over HTTP; undefined on a page from elsewhere, which has a ticket for the socket alone. */
  readonly api: string | undefined
  readonly #clientId: string = randomId()
  readonly #link: Link
  readonly #asks: LocalAsks = new LocalAsks(this.#clientId)
  readonly #frames: Frames = new Frames(() => this.dispatchEvent(new Event('change')))
  readonly #typing: Typing = new Typing(() => this.#changed())
  readonly #trials: Trials = new Trials()
  readonly #held: HeldBack = new HeldBack(({ ask, completion }) => this.#do(ask, { kind: 'completion', ...completion }))
  #status: LinkStatus = 'connecting'
  #signedOut: SignedOut | undefined
  #canTry = false
  #watched: string | undefined
  #nextCursor: string | undefined
  #wanted: Wanted = {}
  #hasWanted = false

  constructor(url: string, { getTicket }: Pick<LinkOptions, 'getTicket'> = {}) {
    super()
    this.url = url
    const { host, protocol } = new URL(url)
    this.api = host === location.host ? `${protocol.replace(/^ws/, 'http')}//${host}` : undefined
    this.#link = new Link({
      url,
      getTicket,
      onOpen: () => this.#hello(),
      onNotification: ({ method, params }) => {
        if (method === 'action') this.#hear(params)
        else if (method === 'beckon/tried') this.#hearOfTrial(params)
      },
      onStatus: (status, signedOut) => {
        this.#status = status
        this.#signedOut = signedOut
        if (status !== 'online') this.#trials.lose()
        this.#changed()
      },
    })
  }

  get status(): LinkStatus {
    return this.#status
  }

  /** Why the desk does not let this person in, while it does not. */
  get signedOut(): SignedOut | undefined {
    return this.#signedOut
  }

  /** Whether the asks have been there once. */
  get isLoaded(): boolean {
    return this.#asks.owner !== undefined
  }

  /** Who the desk takes this person for. */
  get principal(): string | undefined {
    return this.#asks.owner?.principal
  }

  /** Whether that is one person, and not everyone who opens the desk's link. */
  get isSomebody(): boolean {
    return this.principal !== undefined && this.principal !== nobodyInParticular
  }

  /** Whether there is something to try. */
  get canTry(): boolean {
    return this.#canTry
  }

  /** Every ask, in the order they were put, with this client's own drafts. */
  get asks(): readonly AskEntry[] {
    return this.#asks.all
  }

  /** How many more were open at the desk than are here; counting stops at 1,000. */
  get more(): number {
    return this.#asks.more
  }

  /** Reads the next of them. */
  async readMore(): Promise<void> {
    const cursor = this.#nextCursor
    this.#nextCursor = await this.#read(cursor === undefined ? {} : { cursor })
  }

  /** Whether everything is here that was wanted last. */
  get hasWanted(): boolean {
    return this.#hasWanted
  }

  /** Reads those that are wanted from the desk, where not all of them are here. The desk looks at so many at a time. */
  async look(wanted: Pick<Wanted, 'search' | 'server' | 'tool' | 'mine' | 'destructive' | 'order'>): Promise<void> {
    const { search = '', ...rest } = wanted
    const words = search.trim().slice(0, 200)
    const narrowed = { ...rest, ...(words !== '' && { search: words }) }
    this.#wanted = narrowed
    this.#hasWanted = false
    if (this.more === 0 || Object.keys(narrowed).length === 0) return
    const known = this.asks.length
    let cursor: string | undefined
    for (let pages = 0; pages < maxSearchPages; pages++) {
      cursor = await this.#read({ ...narrowed, ...(cursor !== undefined && { cursor }) })
      if (this.#wanted !== narrowed) return
      this.#hasWanted = cursor === undefined && this.#status === 'online'
      if (cursor === undefined || this.asks.length > known) return
    }
  }

  /** Does something about an ask beside answering it: why the desk refused, if it did. Rejects without a connection. */
  act(ask: AskEntry, action: PeopleAction): Promise<SaidRefusal | undefined> {
    return actOn(this.#link, ask, this.#asks.nextSeq(), action)
  }

  /** What the widget of an ask finds for what someone types; undefined where nobody could look. */
  findOptions(ask: AskEntry, search: string): Promise<readonly FoundOption[] | undefined> {
    return findOptions(this.#link, ask, search)
  }

  find(session: string, requestId: string): AskEntry | undefined {
    return this.#asks.find(session, requestId)
  }

  /** The answer that this client gave and the desk has not confirmed yet. */
  completionOf(ask: AskEntry): Completion | undefined {
    return this.#asks.completionOf(ask)
  }

  noticeOf(ask: AskEntry): Notice | undefined {
    return this.#asks.noticeOf(ask)
  }

  /** Who else types an answer right now. */
  typingIn({ session, request }: AskEntry, questionId: string): string | undefined {
    return this.#typing.who(keyOf(session, request.id), questionId)
  }

  /** Who else was the last to change an answer. */
  changedBy({ session, request }: AskEntry, questionId: string): string | undefined {
    return this.#typing.last(keyOf(session, request.id), questionId)
  }

  draft(ask: AskEntry, questionId: string, answer: Answer): void {
    this.#do(ask, { kind: 'draft', questionId, answer })
  }

  /** Answers an ask; with `undoMs`, so much later, unless it is undone. */
  complete(ask: AskEntry, completion: Omit<Completion, 'kind'>, undoMs = 0): void {
    if (undoMs > 0) this.#held.hold(ask, completion, undoMs)
    else this.#do(ask, { kind: 'completion', ...completion })
    this.#changed()
  }

  /** What this person decided and can still take back. */
  get held(): readonly Held[] {
    return this.#held.all
  }

  heldOf(ask: AskEntry): Held | undefined {
    return this.#held.of(ask)
  }

  /** Whether this person's answer is on its way, or held back. */
  isAnswering(ask: AskEntry): boolean {
    return this.completionOf(ask) !== undefined || this.heldOf(ask) !== undefined
  }

  undo(ask: AskEntry): void {
    this.#held.undo(ask)
    this.#changed()
  }

  /** Sends what was held back. */
  release(ask: AskEntry): void {
    this.#held.release(ask)
  }

  /** Tells the desk which session is looked at, or that none is. */
  watch(session: string | undefined): void {
    if (session === this.#watched) return
    if (this.#watched !== undefined) lookAway(this.#link, this.#watched)
    this.#watched = session
    if (session === undefined || !this.isLoaded) return
    look(this.#link, session)
    if (!this.asks.some(ask => ask.session === session)) void this.findSession(session)
  }

  /** Whether a trial was begun that no ask came of yet. */
  get isTrying(): boolean {
    return this.#trials.isBeginning
  }

  /** What became of the call that asks in a session, where that was made to try the inbox. */
  trialIn(session: string): Trial | undefined {
    return this.#trials.in(session)
  }

  /** Opens an ask to try the inbox with. */
  tryIt(): void {
    this.#trials.begin()
    this.#changed()
    tryIt(this.#link).catch(() => {
      this.#trials.begun()
      this.#changed()
    })
  }

  /** Connects now, when it would wait. */
  retry(): void {
    this.#link.retry()
  }

  close(): void {
    this.#held.close()
    this.#link.close()
    this.#typing.close()
    this.#frames.close()
  }

  /** Its person has signed out: it is closed, and what they typed is not kept. */
  forget(): void {
    this.#asks.forget()
    this.close()
  }

  async #hello(): Promise<void> {
    this.#hasWanted = false
    const missed = this.isLoaded ? await comeBack(this.#link, this.#clientId, this.#asks.seq) : undefined
    if (missed === undefined) await this.#introduce()
    else if ('state' in missed) this.#asks.take(missed)
    else for (const envelope of missed) this.#apply(envelope)
    this.#dropBeaten()
    for (const pending of this.#asks.toSend()) this.#send(pending)
    if (this.#watched !== undefined) {
      look(this.#link, this.#watched)
      const watched = this.#watched
      if (!this.asks.some(ask => ask.session === watched)) void this.findSession(watched)
    }
    this.#changed()
  }

  /** Reads what is open in a session: a link may lead to what is not on the first page. */
  async findSession(session: string): Promise<void> {
    if (this.more > 0) await this.#read({ session })
  }

  /** Reads open asks beside the first page; where the next ones begin. */
  async #read(wanted: Wanted): Promise<string | undefined> {
    try {
      const { asks, nextCursor } = await listAsks(this.#link, wanted)
      const { cursor: _, ...narrowed } = wanted
      const isOfAll = Object.keys(narrowed).length === 0
      this.#asks.add(asks, isOfAll && nextCursor === undefined)
      this.#changed()
      return nextCursor
    } catch {
      // A connection that is lost is made again, with a first page.
      return undefined
    }
  }

  async #introduce(): Promise<void> {
    const { snapshot, principal, canTry } = await introduce(this.#link, this.#clientId)
    this.#asks.take(snapshot)
    this.#nextCursor = undefined
    this.#asks.belongTo({ url: this.url, principal })
    this.#canTry = canTry
  }

  #do(ask: AskEntry, action: PendingAction): void {
    this.#send(this.#asks.do(ask, action))
    this.#changed()
  }

  #send(pending: Pending): void {
    if (dispatch(this.#link, pending)) this.#asks.sent(pending)
  }

  #hear(envelope: Envelope): void {
    const { origin, rejectionReason, rejectionCode } = envelope
    if (rejectionReason !== undefined) {
      this.#asks.refuse(envelope)
      if (rejectionCode === notFound) void this.#lookAgain()
    } else if (isAboutAsks(envelope)) {
      const { action } = envelope
      const isOwn = origin?.clientId === this.#clientId
      if (action.type === 'asks/answerChanged' && !isOwn && action.by !== undefined)
        this.#typing.heard(keyOf(action.session, action.requestId), action.questionId, action.by)
      this.#apply(envelope)
    }
    this.#changed()
  }

  #hearOfTrial(news: TrialNews): void {
    this.#trials.heard(news)
    if (news.kind === 'opened') this.dispatchEvent(new CustomEvent('tried', { detail: news.session }))
    this.#changed()
  }

  #apply(envelope: Envelope<AsksAction>): void {
    const { action, origin } = envelope
    const asked = this.#asks.hear(envelope)
    if (action.type !== 'asks/answerChanged') this.#dropBeaten()
    if (action.type === 'asks/ended' && origin?.clientId === this.#clientId)
      this.dispatchEvent(new CustomEvent('answered', { detail: this.find(action.session, action.requestId) }))
    if (asked && this.#trials.in(asked.session)) this.#trials.begun()
    if (asked) this.dispatchEvent(new CustomEvent('asked', { detail: asked }))
  }

  /** A person who was about to answer what somebody else answered is told, and nothing is sent. */
  #dropBeaten(): void {
    for (const { ask } of this.#held.all) {
      const now = this.find(ask.session, ask.request.id)
      if (now !== undefined && now.ending === undefined && now.askedAt === ask.askedAt) continue
      this.#held.undo(ask)
      this.#asks.beat(ask)
    }
  }

  /** What is open here and not at the desk is for others by now. */
  async #lookAgain(): Promise<void> {
    try {
      this.#asks.take(await lookAgain(this.#link))
      this.#hasWanted = false
      this.#dropBeaten()
      this.#changed()
    } catch {
      // A connection that is lost is made again, which looks again.
    }
  }

  #changed(): void {
    this.#frames.request()
  }
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('')
}
