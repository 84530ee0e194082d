// A connection of a 2025 client, as a transport for the SDK's server. It belongs to whoever opened it.
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
import { beginsWithEmptyEvent, takesBatches } from '../../protocol/rev2025/rev2025.js'
import { afterTurn } from '../../runtime/after-turn.js'
import type { Exchange } from '../exchange/exchange.js'
import { accept, type RequestId, refuse } from '../reply-with.js'
import type { Link, Served } from '../served.js'
import type { SharedInterval } from '../shared-interval.js'
import { internalError } from '../wire-error.js'
import { parseEventId } from './event-log.js'
import { type Holdings, refuseExcess } from './holdings.js'
import { cancelledBy, requestIds } from './messages.js'
import type { SessionStream } from './session-stream.js'
import { SessionStreams } from './session-streams.js'
import { Subscriptions } from './subscriptions.js'
import { Unread } from './unread.js'

export interface SessionContext {
  readonly served: Served
  readonly principal: string | undefined
  /** What the sessions of its kind of caller hold. */
  readonly holdings: Holdings
  readonly keepAlive: SharedInterval<Exchange>
  /** Begins the event stream of a call that takes its time. */
  readonly lateOpening: SharedInterval<SessionStream>
  onClose(session: Session): void
}

/** A POST with requests that wait for their answers. */
interface Post {
  readonly stream: SessionStream
  /** The requests that wait. */
  readonly ids: Set<RequestId>
  /** What brought them. */
  readonly exchange: Exchange
  /** What is given back when all are answered. */
  readonly bytes: number
}

export class Session implements Transport {
  readonly sessionId: string = crypto.randomUUID()
  readonly server: Server
  readonly link: Link
  lastUsedAt: number = Date.now()
  onmessage: Transport['onmessage']
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  readonly #context: SessionContext
  readonly #streams: SessionStreams
  /** Counted also when the session is closed. */
  readonly #unread = new Unread(bytes => {
    this.#context.holdings.bytes.hold(this, bytes)
    if (bytes > 0) this.#context.holdings.relieve(this)
  })
  /** Requests that wait for their answer. */
  readonly #waiting = new Map<RequestId, Post>()
  #version: string | undefined
  #isOpen = false
  #isClosed = false

  constructor(context: SessionContext) {
    this.#context = context
    const { principal, served, keepAlive } = context
    this.#streams = new SessionStreams({
      keepAlive,
      primes: () => beginsWithEmptyEvent(this.#version),
      headers: () => (this.#isOpen ? [] : ['Mcp-Session-Id', this.sessionId]),
      hold: bytes => this.#holdEvents(bytes),
      sent: exchange => this.#unread.sent(exchange),
    })
    this.link = {
      era: '2025',
      transport: 'http',
      principal,
      sessionId: this.sessionId,
      subscriptions: new Subscriptions(bytes => this.#holdLasting(bytes)),
      header: (id, name) => this.#waiting.get(id)?.exchange.header(name),
      address: id => this.#waiting.get(id)?.exchange.address,
    }
    this.server = served.createServer(this.link)
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
    return !this.#streams.isAttached
  }

  /** What it can let go of: events for clients that come back, and answers that are not read. */
  get spareBytes(): number {
    return this.#streams.eventBytes + this.#unread.bytes
  }

  /**
   * Lets go of some of that: events, and when there are none, of a connection that does not read. For its own sake it lets
   * go of as little as it can, and of no connection that is the only one behind.
   */
  letGo(forItself: boolean): boolean {
    const { eventBytes } = this.#streams
    if (eventBytes === 0) return this.#unread.cutOldest(forItself ? 2 : 1)
    // Half of them for others, so that they do not come back for every event.
    this.#streams.dropEvents(forItself ? 1 : eventBytes / 2)
    return true
  }

  /** Batches came with 2025-03-26 and went with the next revision. */
  get takesBatches(): boolean {
    return takesBatches(this.#version)
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#version = version
  }

  /** Takes the messages of one POST. */
  receive(exchange: Exchange, messages: readonly JSONRPCMessage[]): void {
    this.lastUsedAt = Date.now()
    const wanted = requestIds(messages)
    const ids = new Set(wanted)
    if (ids.size < wanted.length || wanted.some(id => this.#waiting.has(id))) {
      refuse(exchange, 400, { code: -32600, message: 'Invalid Request: this id is in use' })
    } else if (ids.size === 0) {
      for (const message of messages) this.#take(message)
      afterTurn(() => accept(exchange))
    } else this.#admit(exchange, messages, ids)
  }

  /** Opens the GET stream, or takes up the stream of an event. */
  stream(exchange: Exchange, lastEventId: string | undefined): void {
    this.lastUsedAt = Date.now()
    const event = lastEventId === undefined ? undefined : parseEventId(lastEventId)
    const stream = lastEventId === undefined ? this.#streams.standing : event && this.#streams.get(event.stream)
    if (stream === undefined || (event !== undefined && !stream.gave(event.number))) {
      refuse(exchange, 400, { code: -32000, message: 'Bad Request: unknown Last-Event-ID' })
    } else if (event === undefined && stream.isAttached) {
      refuse(exchange, 409, { code: -32000, message: 'Conflict: this session has its GET stream already' })
    } else stream.resume(exchange, event?.number)
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const json = jsonOf(message)
    if ('method' in message) return afterTurn(() => this.#tell(json, !('id' in message), options?.relatedRequestId))
    const { id } = message
    if (id === undefined || id === null) return
    if ('result' in message) this.#isOpen = true
    afterTurn(() => this.#answer(id, json))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const { requests, bytes } = this.#context.holdings
    requests.hold(this, -requests.held(this))
    bytes.hold(this, this.#unread.bytes - bytes.held(this))
    this.#context.onClose(this)
    this.onclose?.()
    // What is sent because of that, such as the withdrawal of a question, leaves before its stream ends.
    afterTurn(() => afterTurn(() => this.#abandonAll()))
  }

  #admit(exchange: Exchange, messages: readonly JSONRPCMessage[], ids: Set<RequestId>): void {
    const bytes = weightOf(exchange, messages)
    // One that is not full takes a request of any size. An initialize is kept for good, and must leave room for others.
    const more = { requests: ids.size, bytes: this.#isOpen ? 1 : 2 * bytes }
    const excess = this.#context.holdings.makeRoomFor(this, more)
    if (excess === undefined) {
      this.#begin(exchange, messages, { ids, bytes })
      return
    }
    refuseExcess(exchange, excess, ids)
    if (!this.#isOpen) void this.close()
  }

  #begin(exchange: Exchange, messages: readonly JSONRPCMessage[], { ids, bytes }: Pick<Post, 'ids' | 'bytes'>): void {
    const stream = this.#streams.add()
    stream.attach(exchange)
    const post = { stream, ids, exchange, bytes: this.#isOpen ? bytes : 0 }
    for (const id of ids) this.#waiting.set(id, post)
    this.#hold({ requests: ids.size, bytes })
    if (ids.size > 1) stream.open()
    else if (this.#isOpen) this.#context.lateOpening.add(stream)
    for (const message of messages) this.#take(message, stream)
  }

  #take(message: JSONRPCMessage, stream?: SessionStream): void {
    this.onmessage?.(message, stream && this.#extraFor(stream))
    const cancelled = cancelledBy(message)
    // As above.
    if (cancelled !== undefined) afterTurn(() => afterTurn(() => this.#forget(cancelled)))
  }

  #tell(json: string, isNotification: boolean, related: RequestId | undefined): void {
    const stream = related === undefined ? undefined : this.#waiting.get(related)?.stream
    const target = stream === undefined || stream.isLost ? this.#streams.standing : stream
    target.send(json, isNotification)
  }

  #answer(id: RequestId, json: string): void {
    const stream = this.#waiting.get(id)?.stream
    const isLast = this.#settle(id) !== undefined
    if (isLast) stream?.finish(json)
    else stream?.send(json, false)
    if (isLast && stream !== undefined) this.#streams.retire(stream)
    if (!this.#isOpen) void this.close()
  }

  /** Takes a request off the waiting ones. Gives its stream when nothing else waits on that. */
  #settle(id: RequestId): SessionStream | undefined {
    const post = this.#waiting.get(id)
    if (post === undefined) return undefined
    this.#waiting.delete(id)
    post.ids.delete(id)
    this.#hold({ requests: -1, bytes: post.ids.size === 0 ? -post.bytes : 0 })
    if (post.ids.size > 0) return undefined
    this.#context.lateOpening.delete(post.stream)
    return post.stream
  }

  /** Counts what it holds, until it closes. */
  #hold({ requests = 0, bytes = 0 }): void {
    if (this.#isClosed) return
    this.#context.holdings.requests.hold(this, requests)
    this.#context.holdings.bytes.hold(this, bytes)
  }

  #holdEvents(bytes: number): void {
    this.#hold({ bytes })
    if (bytes > 0) this.#context.holdings.relieve(this)
  }

  /** Holds what stays until its client lets go of it: half of the room at most, so that requests can still be taken. */
  #holdLasting(bytes: number): boolean {
    const held = this.#context.holdings.bytes
    if (bytes > 0 && held.reached(this, held.held(this) + bytes) !== undefined) return false
    this.#hold({ bytes })
    return true
  }

  /** Ends the stream of a request that gets no answer. */
  #forget(id: RequestId): void {
    const stream = this.#settle(id)
    if (stream !== undefined) this.#streams.abandon(stream)
  }

  #abandonAll(): void {
    for (const { stream } of this.#waiting.values()) this.#context.lateOpening.delete(stream)
    this.#streams.abandonAll()
    this.#waiting.clear()
  }

  #extraFor(stream: SessionStream): MessageExtraInfo | undefined {
    if (!beginsWithEmptyEvent(this.#version)) return undefined
    return { closeSSEStream: () => stream.pause(), closeStandaloneSSEStream: () => this.#streams.standing.pause() }
  }
}

/** A message as JSON. A result that is none leaves as an error, since a request without an answer never ends. */
function jsonOf(message: JSONRPCMessage): string {
  try {
    return JSON.stringify(message)
  } catch (error) {
    if ('method' in message) throw error
    return JSON.stringify({ jsonrpc: '2.0', id: message.id, error: internalError })
  }
}

/** What the messages of a POST take while they are worked on: two bytes for a character, since any text may need them. */
function weightOf(exchange: Exchange, messages: readonly JSONRPCMessage[]): number {
  const length = Number(exchange.header('content-length'))
  return 2 * (length > 0 ? length : JSON.stringify(messages).length)
}
