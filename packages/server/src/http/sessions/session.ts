// A connection of a 2025 client, as a transport for the SDK's server. It belongs to the caller that opened it. Where nodes share a store,
// each that gets requests of a session has a copy of it: see `shared/shared-session.ts`.
//
// A connection that breaks cancels nothing, as the protocol says: the call runs on, its messages wait in the log of its
// stream, and the client comes back for them with Last-Event-ID. A client that never comes back leaves its session idle, and
// when that expires everything in it is aborted. A call whose stream had no event yet cannot be taken up again; what it has
// to ask goes to the GET stream then.

import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Server,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server'
import { beginsWithEmptyEvent } from '../../protocol/rev2025/rev2025.js'
import { afterTurn } from '../../runtime/after-turn.js'
import type { Exchange, HttpResponse } from '../exchange/exchange.js'
import { type RequestId, refuse } from '../reply-with.js'
import type { Link, Served } from '../served.js'
import type { SharedInterval } from '../shared-interval.js'
import type { LoggedMessage } from './event-log.js'
import { type Holdings, refuseExcess } from './holdings.js'
import { LeanCalls } from './lean-calls.js'
import { cancelledBy, isAnswer, jsonOf, requestIds, weightOf } from './messages.js'
import { acceptOnceStored, errorJson, refuseFailure } from './replies.js'
import { answeredRequest, fromSdk } from './request-ids.js'
import { SessionAccount } from './session-account.js'
import type { SessionStream } from './session-stream.js'
import { SessionStreams } from './session-streams.js'
import type { SharedSession } from './shared/shared-session.js'
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

export class Session implements Transport {
  readonly sessionId: string
  readonly server: Server
  readonly link: Link
  /** What it has to do with its copies on other nodes. */
  readonly shared: SharedSession | undefined
  lastUsedAt: number = Date.now()
  onmessage: Transport['onmessage']
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  readonly #context: SessionContext
  readonly #account: SessionAccount
  readonly #streams: SessionStreams
  /** Requests that wait for their answer. */
  readonly #waiting: WaitingRequests
  readonly #calls: LeanCalls
  #version: string | undefined
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
      primes: () => beginsWithEmptyEvent(this.#version),
      headers: () => (this.#isOpen ? [] : ['Mcp-Session-Id', this.sessionId]),
      hold: bytes => this.#account.holdEvents(bytes),
      sent: response => this.#account.sent(response),
    })
    const { lateOpening } = context
    this.#waiting = new WaitingRequests({ streams: this.#streams, account: this.#account, lateOpening })
    this.link = {
      era: '2025',
      transport: 'http',
      principal,
      sessionId: this.sessionId,
      subscriptions: new Subscriptions(bytes => this.#account.holdLasting(bytes)),
      header: (id, name) => this.#waiting.exchangeOf(id)?.header(name),
      address: id => this.#waiting.exchangeOf(id)?.address,
    }
    this.server = served.createServer(this.link)
    this.#calls = new LeanCalls({
      served,
      link: this.link,
      server: this.server,
      node: this.shared?.node,
      tell: (message, related) => this.#tellLater(JSON.stringify(message), !('id' in message), related),
      answer: (id, json) => this.#answer(id, json),
    })
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
    return this.#version
  }

  isWaiting(id: RequestId): boolean {
    return this.#waiting.has(id)
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#version = version
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
    this.#calls.questions.expire(now)
  }

  /** Takes the messages of one POST. */
  receive(exchange: Exchange, messages: readonly JSONRPCMessage[]): void {
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
  take(message: JSONRPCMessage, stream?: SessionStream): void {
    if (isAnswer(message)) {
      const { of, number } = answeredRequest(message.id)
      if (of === 'lean') this.#calls.questions.answer(number, message)
      else this.onmessage?.({ ...message, id: number })
      return
    }
    const cancelled = cancelledBy(message)
    if (cancelled === undefined || !this.#calls.cancel(cancelled, message)) {
      this.#calls.logThreshold.received(message)
      this.onmessage?.(message, stream && this.#extraFor(stream))
    }
    // What is sent because of that, such as the withdrawal of a question, leaves before its stream ends.
    if (cancelled !== undefined) afterTurn(() => afterTurn(() => this.#forget(cancelled)))
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

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const { shared } = this
    if (!('method' in message) && message.id !== undefined)
      this.#calls.logThreshold.answered(message.id, 'result' in message)
    if (shared?.swallows(message)) return
    const json = jsonOf(fromSdk(message, shared?.node))
    if ('method' in message) return this.#tellLater(json, !('id' in message), options?.relatedRequestId)
    const { id } = message
    if (id === undefined || id === null) return
    const kept = 'result' in message ? shared?.keep(id) : undefined
    if (kept === undefined) {
      if ('result' in message) this.#isOpen = true
      return afterTurn(() => this.#answer(id, json))
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
    this.onclose?.()
    this.#calls.close()
    // As above.
    afterTurn(() => afterTurn(() => this.#abandonAll()))
  }

  #admit(exchange: Exchange, messages: readonly JSONRPCMessage[], ids: readonly RequestId[]): void {
    const bytes = weightOf(exchange, messages)
    const taken = this.#waiting.add(exchange, ids, { bytes, isLasting: !this.#isOpen })
    if ('excess' in taken) {
      refuseExcess(exchange, taken.excess, ids)
      if (!this.#isOpen) void this.close()
      return
    }
    for (const message of messages) {
      const call = this.#isOpen ? this.#calls.callIn(message) : undefined
      if (call !== undefined) this.#calls.begin(call, exchange)
      // What cannot be forwarded is lost, as its response is that of the requests.
      else this.#takeOrForward(message, taken.stream)?.catch(() => {})
    }
  }

  /** Undefined for a message that is for this node. */
  #takeOrForward(message: JSONRPCMessage, stream?: SessionStream): Promise<void> | undefined {
    const forwarded = this.shared?.forward(message)
    if (forwarded !== undefined) return forwarded
    this.shared?.received(message)
    this.take(message, stream)
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

  /** A request gets no answer. */
  #forget(id: RequestId): void {
    this.#calls.logThreshold.answered(id, false)
    this.#waiting.forget(id)
  }

  #abandonAll(): void {
    this.#waiting.forgetAll()
    this.#streams.abandonAll()
  }

  #extraFor(stream: SessionStream): MessageExtraInfo | undefined {
    if (!beginsWithEmptyEvent(this.#version)) return undefined
    return { closeSSEStream: () => stream.pause(), closeStandaloneSSEStream: () => this.#streams.standing.pause() }
  }
}
