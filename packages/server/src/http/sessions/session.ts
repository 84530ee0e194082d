// A connection of a 2025 client over HTTP: where its messages come from and go to. It belongs to the caller that opened it. Where nodes share a store,
// each that gets requests of a session has a copy of it: see `shared/shared-session.ts`.
//
// A connection that breaks cancels nothing, as the protocol says: the call runs on, its messages wait in the log of its
// stream, and the client comes back for them with Last-Event-ID. A client that never comes back leaves its session idle, and
// when that expires everything in it is aborted. A call whose stream had no event yet cannot be taken up again; what it has
// to ask goes to the GET stream then.

import type { ClientConnection } from '../../connections/client-connection.js'
import type { Link } from '../../protocol/link.js'
import type { RequestId, RpcMessage } from '../../protocol/messages.js'
import { beginsWithEmptyEvent, rev20251125 } from '../../protocol/rev2025/rev2025.js'
import { afterTurn } from '../../runtime/after-turn.js'
import type { Exchange, HttpResponse } from '../exchange/exchange.js'
import { refuse } from '../reply-with.js'
import type { Served } from '../served.js'
import type { SharedInterval } from '../shared-interval.js'
import { type Holdings, refuseExcess } from './holdings.js'
import { cancelledBy, jsonOf, requestIds, weightOf } from './messages.js'
import { acceptOnceStored, errorJson, refuseFailure } from './replies.js'
import { SessionAccount } from './session-account.js'
import type { SessionStream } from './session-stream.js'
import { SessionStreams } from './session-streams.js'
import type { SharedSession } from './shared/shared-session.js'
import type { LoggedMessage } from './stream-replay-buffer.js'
import { Subscriptions } from './subscriptions.js'
import { takeUpStream } from './take-up-stream.js'
import { WaitingRequests } from './waiting-requests.js'

export interface SessionContext {
  /** Left out for one that begins here. */
  readonly sessionId?: string | undefined
  readonly served: Served
  readonly principal: string | undefined
  /** What the sessions of its kind of caller hold. */
  readonly holdings: Holdings
  readonly keepAlive: SharedInterval<HttpResponse>
  /** Begins the event stream of a call that takes its time. */
  readonly lateOpening: SharedInterval<SessionStream>
  /** What it has to do with its copies on other nodes; undefined where there is one node. */
  readonly share?: ((session: Session) => SharedSession) | undefined
  onClose(session: Session): void
}

export class Session {
  readonly sessionId: string
  readonly connection: ClientConnection
  readonly link: Link
  /** What it has to do with its copies on other nodes. */
  readonly shared: SharedSession | undefined
  lastUsedAt: number = Date.now()
  readonly #context: SessionContext
  readonly #account: SessionAccount
  readonly #streams: SessionStreams
  /** Requests that wait for their answer. */
  readonly #waiting: WaitingRequests
  #isOpen = false
  #isClosed = false

  constructor(context: SessionContext) {
    this.#context = context
    const { principal, served, keepAlive, holdings } = context
    this.sessionId = context.sessionId ?? crypto.randomUUID()
    this.shared = context.share?.(this)
    this.#account = new SessionAccount(this, holdings)
    this.#streams = new SessionStreams({
      node: this.shared?.node,
      keepAlive,
      primes: () => beginsWithEmptyEvent(this.version),
      headers: () => (this.#isOpen ? [] : ['Mcp-Session-Id', this.sessionId]),
      hold: bytes => this.#account.holdEvents(bytes),
      sent: response => this.#account.sent(response),
    })
    const { lateOpening } = context
    this.#waiting = new WaitingRequests({ streams: this.#streams, account: this.#account, lateOpening })
    this.link = {
      codec: rev20251125,
      transport: 'http',
      principal,
      sessionId: this.sessionId,
      subscriptions: new Subscriptions(bytes => this.#account.holdLasting(bytes)),
      header: (id, name) => this.#waiting.exchangeOf(id)?.header(name),
      address: id => this.#waiting.exchangeOf(id)?.address,
      node: this.shared?.node,
    }
    this.connection = served.connection(this.link)
    this.connection.open((message, related) => this.#send(message, related))
  }

  /** Whether it is initialized, and clients can find it. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Whether no client is connected to it. */
  get isIdle(): boolean {
    return !this.#streams.isAttached && !this.shared?.isRelaying
  }

  /** What it can let go of: events for clients that come back, and answers that are not read. */
  get spareBytes(): number {
    return this.#streams.eventBytes + this.#account.unreadBytes
  }

  /** Lets go of some of that, for its own sake or for others. */
  letGo(forItself: boolean): boolean {
    return this.#account.letGo(this.#streams, forItself)
  }

  /** The version that was negotiated. */
  get version(): string | undefined {
    return this.connection.version
  }

  isWaiting(id: RequestId): boolean {
    return this.#waiting.has(id)
  }

  /** It is initialized, here or on another node. */
  opened(): void {
    this.#isOpen = true
  }

  /** Says that it is in use. */
  used(): void {
    this.lastUsedAt = Date.now()
    if (this.#isOpen) this.shared?.used()
  }

  /** Withdraws what its client was asked for too long ago. */
  expireQuestions(now: number): void {
    this.connection.expireQuestions(now)
  }

  /** Takes the messages of one POST. */
  receive(exchange: Exchange, messages: readonly RpcMessage[]): void {
    this.used()
    const ids = requestIds(messages)
    if (ids.some((id, index) => this.#waiting.has(id) || ids.indexOf(id) < index))
      refuse(exchange, 400, { code: -32600, message: 'Invalid Request: this id is in use' })
    else if (ids.length > 0) this.#admit(exchange, messages, ids)
    else
      acceptOnceStored(
        exchange,
        messages.map(message => this.#takeOrForward(message)),
      )
  }

  /** Takes a message from its client, on whichever node that arrived. */
  take(message: RpcMessage): void {
    const cancelled = cancelledBy(message)
    this.connection.receive(message)
    // What is sent because of that, such as the withdrawal of a question, leaves before its stream ends.
    if (cancelled !== undefined) afterTurn(() => afterTurn(() => this.#waiting.forget(cancelled)))
  }

  /** Opens the GET stream, or takes up the stream of an event. */
  stream(response: HttpResponse, lastEventId: string | undefined): void {
    this.used()
    if (lastEventId !== undefined) takeUpStream(response, lastEventId, { streams: this.#streams, shared: this.shared })
    else if (!this.#streams.standing.isAttached) this.stand(response)
    else refuse(response, 409, { code: -32000, message: 'Conflict: this session has its GET stream already' })
  }

  /** Opens the GET stream here. */
  stand(response: HttpResponse): void {
    const open = (): void => this.#streams.standing.resume(response)
    if (this.shared === undefined) open()
    else this.shared.standHere().then(open, error => refuseFailure(response, error))
  }

  /** Another node has the GET stream. Gives what was not sent on the one here. */
  dropStanding(): LoggedMessage[] {
    return this.#streams.dropStanding()
  }

  tellStanding(json: string, isNotification: boolean): void {
    this.#streams.standing.send(json, isNotification)
  }

  #send(message: RpcMessage, related: RequestId | undefined): void {
    const { shared } = this
    if (shared?.swallows(message)) return
    const json = jsonOf(message)
    if ('method' in message) this.#tellLater(json, !('id' in message), related)
    else if (message.id !== undefined) this.#answerOnceKept(message.id, json, 'result' in message)
  }

  /** Sends an answer, once what it changed is stored. */
  #answerOnceKept(id: RequestId, json: string, isResult: boolean): void {
    const kept = isResult ? this.shared?.keep(id) : undefined
    if (kept === undefined) {
      if (isResult) this.#isOpen = true
      afterTurn(() => this.#answer(id, json))
      return
    }
    kept
      .then(() => {
        this.#isOpen = true
        return json
      })
      .catch(error => errorJson(id, error))
      .then(stored => this.#answer(id, stored))
  }

  /** Ends it on this node. Where it is shared, it lives on. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#account.close()
    this.#context.onClose(this)
    this.connection.close()
    // As above.
    afterTurn(() => afterTurn(() => this.#abandonAll()))
  }

  #admit(exchange: Exchange, messages: readonly RpcMessage[], ids: readonly RequestId[]): void {
    const bytes = weightOf(exchange, messages)
    const taken = this.#waiting.add(exchange, ids, { bytes, isLasting: !this.#isOpen })
    if ('excess' in taken) {
      refuseExcess(exchange, taken.excess, ids)
      if (!this.#isOpen) void this.close()
      return
    }
    // What cannot be forwarded is lost, as its response is that of the requests.
    for (const message of messages) this.#takeOrForward(message)?.catch(() => {})
  }

  /** Undefined for a message that is for this node. */
  #takeOrForward(message: RpcMessage): Promise<void> | undefined {
    const forwarded = this.shared?.forward(message)
    if (forwarded !== undefined) return forwarded
    this.shared?.received(message)
    this.take(message)
    return undefined
  }

  #tellLater(json: string, isNotification: boolean, related: RequestId | undefined): void {
    afterTurn(() => this.#tell(json, isNotification, related))
  }

  #tell(json: string, isNotification: boolean, related: RequestId | undefined): void {
    const stream = related === undefined ? undefined : this.#waiting.streamOf(related)
    if (stream !== undefined && !stream.isLost) stream.send(json, isNotification)
    else if (this.#streams.standing.isAttached || !this.shared?.tell(json, isNotification))
      this.tellStanding(json, isNotification)
  }

  #answer(id: RequestId, json: string): void {
    this.#waiting.answer(id, json)
    if (!this.#isOpen) void this.close()
  }

  #abandonAll(): void {
    this.#waiting.forgetAll()
    this.#streams.abandonAll()
  }
}
