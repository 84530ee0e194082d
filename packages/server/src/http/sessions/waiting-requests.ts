import type { RequestId } from '../../protocol/messages.js'
import { HeldMap } from '../../runtime/held-map.js'
import type { Exchange } from '../exchange/exchange.js'
import type { SharedInterval } from '../shared-interval.js'
import type { Excess } from './holdings.js'
import type { SessionAccount } from './session-account.js'
import type { SessionStream } from './session-stream.js'
import type { SessionStreams } from './session-streams.js'

/** A POST with requests that wait for their answers. */
interface Post {
  readonly stream: SessionStream
  /** How many of them wait. */
  left: number
  /** What brought them. */
  readonly exchange: Exchange
  /** What is given back when all are answered. */
  readonly bytes: number
}

export interface WaitingContext {
  readonly streams: SessionStreams
  readonly account: SessionAccount
  /** Begins the event stream of a call that takes its time. */
  readonly lateOpening: SharedInterval<SessionStream>
}

/** The requests of a session that wait for their answer, each with the stream that it comes on. */
export class WaitingRequests {
  readonly #posts = new HeldMap<RequestId, Post>()
  readonly #context: WaitingContext

  constructor(context: WaitingContext) {
    this.#context = context
  }

  has(id: RequestId): boolean {
    return this.#posts.get(id) !== undefined
  }

  exchangeOf(id: RequestId): Exchange | undefined {
    return this.#posts.get(id)?.exchange
  }

  streamOf(id: RequestId): SessionStream | undefined {
    return this.#posts.get(id)?.stream
  }

  /**
   * Takes in the requests of a POST. Gives their stream, or why there is no room for them.
   * @param isLasting Whether it is kept for good: an initialize is, and must leave room for others.
   */
  add(
    exchange: Exchange,
    ids: readonly RequestId[],
    { bytes, isLasting }: { readonly bytes: number; readonly isLasting: boolean },
  ): { readonly stream: SessionStream } | { readonly excess: Excess } {
    const { streams, account, lateOpening } = this.#context
    // One that is not full takes a request of any size.
    const excess = account.makeRoomFor({ requests: ids.length, bytes: isLasting ? 2 * bytes : 1 })
    if (excess !== undefined) return { excess }
    const stream = streams.add(ids)
    stream.attach(exchange)
    const post = { stream, left: ids.length, exchange, bytes: isLasting ? 0 : bytes }
    for (const id of ids) this.#posts.set(id, post)
    account.hold({ requests: ids.length, bytes })
    if (ids.length > 1) stream.open()
    else if (!isLasting) lateOpening.add(stream)
    return { stream }
  }

  answer(id: RequestId, json: string): void {
    const stream = this.streamOf(id)
    if (this.#settle(id) === undefined) {
      stream?.send(json, false)
      return
    }
    stream?.finish(json)
    if (stream !== undefined) this.#context.streams.retire(stream)
  }

  /** Ends the stream of a request that gets no answer. */
  forget(id: RequestId): void {
    const stream = this.#settle(id)
    if (stream !== undefined) this.#context.streams.abandon(stream)
  }

  /** None gets an answer. */
  forgetAll(): void {
    for (const { stream } of this.#posts.values()) this.#context.lateOpening.delete(stream)
    this.#posts.clear()
  }

  /** Takes a request off. Gives its stream when nothing else waits on that. */
  #settle(id: RequestId): SessionStream | undefined {
    const post = this.#posts.get(id)
    if (post === undefined) return undefined
    this.#posts.delete(id)
    post.left -= 1
    const isLast = post.left === 0
    const { account, lateOpening } = this.#context
    account.hold({ requests: -1, bytes: isLast ? -post.bytes : 0 })
    if (isLast) lateOpening.delete(post.stream)
    return isLast ? post.stream : undefined
  }
}
