import type { Exchange } from '../exchange/exchange.js'
import type { RequestId } from '../reply-with.js'
import type { SessionStream } from './session-stream.js'

/** A POST with requests that wait for their answers. */
export interface Post {
  readonly stream: SessionStream
  /** How many of them wait. */
  left: number
  /** What brought them. */
  readonly exchange: Exchange
  /** What is given back when all are answered. */
  readonly bytes: number
}

/** The requests of a session that wait for their answer. */
export class WaitingRequests {
  readonly #posts = new Map<RequestId, Post>()

  has(id: RequestId): boolean {
    return this.#posts.has(id)
  }

  get(id: RequestId): Post | undefined {
    return this.#posts.get(id)
  }

  add(post: Post, ids: readonly RequestId[]): void {
    for (const id of ids) this.#posts.set(id, post)
  }

  /** Takes a request off. Gives what brought it, on which others may still wait. */
  settle(id: RequestId): Post | undefined {
    const post = this.#posts.get(id)
    if (post === undefined) return undefined
    this.#posts.delete(id)
    post.left -= 1
    return post
  }

  /** Takes all off. Gives their streams. */
  clear(): Set<SessionStream> {
    const streams = new Set(Array.from(this.#posts.values(), ({ stream }) => stream))
    this.#posts.clear()
    return streams
  }
}
