// The requests of one connection that are going on, and to which of them something belongs that the server sends meanwhile.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Fields } from '../fields.js'

/** Puts to the client what the server asks in the middle of a call. */
export type Asker = (method: string, params: Fields, signal: AbortSignal) => Promise<Fields>

/** One request on its way, and whom to ask for it. */
export interface Running {
  readonly ask: Asker
  log(params: Fields): void
}

/**
 * Over HTTP, the official client handles what comes on the stream of a request in the context that it was sent in. One for all:
 * Node 20 keeps each, and hands all of them to every promise that is made.
 */
const requests = new AsyncLocalStorage<ReadonlyMap<RunningRequests, Running>>()

export class RunningRequests {
  readonly #all = new Set<Running>()

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  /**
   * The request that something belongs to which the server sends in between. Over HTTP the stream says so; on stdio, and on
   * the stream that belongs to none, it is the last that began.
   */
  get current(): Running | undefined {
    const current = requests.getStore()?.get(this)
    return current !== undefined && this.#all.has(current) ? current : [...this.#all].at(-1)
  }

  async during<T>(running: Running, work: () => Promise<T>): Promise<T> {
    this.#all.add(running)
    try {
      return await requests.run(new Map(requests.getStore()).set(this, running), work)
    } finally {
      this.#all.delete(running)
    }
  }
}
