// Waiting for something in the store that another process may write. A wait can be paused: then nothing is held for it, and it
// looks again when it goes on.
import { AskExpiredError } from '@beckon/core'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import { topic, type Waiter, WaitingRoom } from './waiting-room.js'

/** Something outside that a call waits for. */
export interface ExternalWait<T> {
  /** Never settles while it is paused. */
  readonly settled: Promise<T>
  /** Looks, and goes on waiting. */
  watch(): void
  /** Stops waiting, until `watch` is called. */
  pause(): void
}

export interface WaitOptions<T> {
  /** Names what is waited for, to the one that tells. */
  key: string
  /** What the person was asked for, for the error that says that the time is over. */
  message?: string
  /** What is waited for, or undefined while it is not there. */
  look: () => Promise<T | undefined>
  expiresAt: number
}

export interface Waits {
  wait<T>(options: WaitOptions<T>): ExternalWait<T>
  /** Has everyone who waits for this look again, in every process. */
  tell(key: string): Promise<void>
}

export function createWaits(store: Store, clock: Clock): Waits {
  const room = new WaitingRoom(store, clock)
  return { wait: options => new Wait(room, options), tell: key => store.publish(topic, key) }
}

/** One wait. A class, since a suspended call keeps it: functions of its own would be more to keep. */
class Wait<T> implements ExternalWait<T>, Waiter {
  readonly settled: Promise<T>
  readonly key: string
  readonly expiresAt: number
  readonly #room: WaitingRoom
  readonly #look: WaitOptions<T>['look']
  readonly #message: string | undefined
  #settle: [resolve: (value: T) => void, reject: (error: unknown) => void] | undefined

  constructor(room: WaitingRoom, { key, message, look, expiresAt }: WaitOptions<T>) {
    this.#room = room
    this.key = key
    this.expiresAt = expiresAt
    this.#look = look
    this.#message = message
    this.settled = new Promise((...settle) => {
      this.#settle = settle
    })
  }

  watch(): void {
    if (this.#settle !== undefined) this.#room.add(this)
  }

  pause(): void {
    this.#room.remove(this)
  }

  async look(isLast: boolean): Promise<void> {
    try {
      const found = await this.#look()
      if (found !== undefined) this.#end()?.[0](found)
      // Done at the last moment is done.
      else if (isLast) this.#end()?.[1](new AskExpiredError(this.#message ?? this.key))
    } catch (error) {
      // A store that is away for a moment has said nothing yet.
      if (isLast) this.#end()?.[1](error)
    }
  }

  /** Takes it out of the room, once; while it rests, what was looked up before does not count. */
  #end() {
    const settle = this.#settle
    if (!this.#room.remove(this)) return undefined
    this.#settle = undefined
    return settle
  }
}
