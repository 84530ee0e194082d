import type { Exchange } from '../exchange/exchange.js'
import type { RequestId } from '../reply-with.js'
import type { SessionStream } from './session-stream.js'

/** A POST with requests that wait for their answers. */
export interface Post {
  readonly stream: SessionStream
  /** The requests that wait. */
  readonly ids: Set<RequestId>
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

  add(post: Post): void {
    for (const id of post.ids) this.#posts.set(id, post)
  }

  /** Takes a request off. Gives what brought it, which nothing may wait on any more. */
  settle(id: RequestId): Post | undefined {
    const post = this.#posts.get(id)
    this.#posts.delete(id)
    post?.ids.delete(id)
    return post
  }

  /** Takes all off. Gives their streams. */
  clear(): Set<SessionStream> {
    const streams = new Set(Array.from(this.#posts.values(), ({ stream }) => stream))
    this.#posts.clear()
    return streams
  }
}
