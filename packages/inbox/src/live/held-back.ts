// What a person decided and may still take back: it is sent a few seconds later, or when they leave. The desk knows nothing of it,
// so that an answer of somebody else wins meanwhile.
import type { AskEntry } from '@beckon/core/asks'
import type { Completion } from './local-asks.js'
import { keyOf } from './mirror.js'

/** One decision that was not sent yet. */
export interface Held {
  readonly ask: AskEntry
  readonly completion: Omit<Completion, 'kind'>
  /** When it is sent, in milliseconds. */
  readonly until: number
}

interface HeldWithTimer extends Held {
  readonly timer: ReturnType<typeof setTimeout>
}

export class HeldBack {
  readonly #held = new Map<string, HeldWithTimer>()
  readonly #send: (held: Held) => void

  constructor(send: (held: Held) => void) {
    this.#send = send
    // A page that nobody sees may be ended without a word.
    addEventListener('pagehide', this.#sendAll)
    addEventListener('visibilitychange', this.#onSight)
  }

  get all(): readonly Held[] {
    return [...this.#held.values()]
  }

  of({ session, request }: AskEntry): Held | undefined {
    return this.#held.get(keyOf(session, request.id))
  }

  hold(ask: AskEntry, completion: Held['completion'], ms: number): void {
    const key = keyOf(ask.session, ask.request.id)
    clearTimeout(this.#held.get(key)?.timer)
    const timer = setTimeout(() => this.release(ask), ms)
    this.#held.set(key, { ask, completion, until: Date.now() + ms, timer })
  }

  /** Takes it back; whether there was something to take back. */
  undo({ session, request }: AskEntry): boolean {
    const key = keyOf(session, request.id)
    clearTimeout(this.#held.get(key)?.timer)
    return this.#held.delete(key)
  }

  /** Sends it now. */
  release(ask: AskEntry): void {
    const held = this.of(ask)
    if (held !== undefined && this.undo(ask)) this.#send(held)
  }

  close(): void {
    removeEventListener('pagehide', this.#sendAll)
    removeEventListener('visibilitychange', this.#onSight)
    this.#sendAll()
  }

  readonly #sendAll = (): void => {
    for (const { ask } of this.all) this.release(ask)
  }

  readonly #onSight = (): void => {
    if (document.hidden) this.#sendAll()
  }
}
