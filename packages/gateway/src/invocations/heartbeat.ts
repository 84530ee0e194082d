// The host of an application may stay connected when the application is gone: a development server whose tab was closed. So
// while a person is asked for one, it is asked for a resource that nothing has, and whatever it answers shows that it is there.

import type { Clock } from '@beckon/core'
import { RpcError } from '@beckon/core/json-rpc'
import type { AppPeer } from '../wire/app-peer.js'

/** How often it is looked for. */
export const heartbeatMs = 15_000
/** How often in a row it may not answer: a machine that slept wakes up with one unanswered. */
const maxUnanswered = 2
const noSuchResource = 'beckon/heartbeat'

export class Heartbeat {
  readonly #clock: Clock
  readonly #peer: AppPeer
  readonly #onSilent: () => void
  /** Only one that answers at all can fall silent. */
  #hasAnswered = false
  #unanswered = 0
  #stop = () => {}

  constructor(clock: Clock, peer: AppPeer, onSilent: () => void) {
    this.#clock = clock
    this.#peer = peer
    this.#onSilent = onSilent
  }

  /** Looks now, and from time to time until it is stopped. */
  run(): void {
    const waiting = new AbortController()
    this.#unanswered++
    this.#peer.request('resources/read', { name: noSuchResource }, { signal: waiting.signal }).catch(error => {
      if (!(error instanceof RpcError)) return
      this.#hasAnswered = true
      this.#unanswered = 0
    })
    const stopTimer = this.#clock.after(heartbeatMs, () => {
      waiting.abort()
      if (this.#hasAnswered && this.#unanswered >= maxUnanswered) this.#onSilent()
      else this.run()
    })
    this.#stop = () => {
      stopTimer()
      waiting.abort()
      this.#unanswered = 0
    }
  }

  stop(): void {
    this.#stop()
  }
}
