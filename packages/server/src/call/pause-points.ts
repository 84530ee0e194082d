import { afterTurn } from '../runtime/after-turn.js'
import { deferred } from '../runtime/deferred.js'
import type { CallRules } from './call-rules.js'
import type { Pause } from './call-types.js'

/** A handler that may pause. */
interface Pausable {
  /** What it waits for, with nothing of it running; undefined while something runs, or it has ended. */
  readonly waitsFor: 'asks' | 'outside' | 'background' | undefined
}

/** Finds out when a handler has paused. One that waits for something outside counts as paused after `holdMs`. */
class PausePoint<T> {
  readonly #handler: Pausable
  readonly #rules: Pick<CallRules, 'clock' | 'holdMs'>
  /** Whether it counts that what the handler waits for comes without its client. */
  readonly #background: boolean
  readonly #reached = deferred<Pause<T>>()
  /** Those who may have to wait no more, before it is reached. */
  #listeners: Set<() => void> | undefined
  #pause: Pause<T> | undefined
  #isChecking = false
  #stopHold: (() => void) | undefined

  constructor(handler: Pausable, rules: Pick<CallRules, 'clock' | 'holdMs'>, background: boolean) {
    this.#handler = handler
    this.#rules = rules
    this.#background = background
  }

  get reached(): Promise<Pause<T>> {
    return this.#reached.promise
  }

  get isReached(): boolean {
    return this.#pause !== undefined
  }

  /** Calls it once, unless the result is called before. */
  listen(listener: (pause: Pause<T>) => void): () => void {
    const tell = () => {
      if (this.#pause !== undefined) listener(this.#pause)
    }
    this.#listeners ??= new Set()
    this.#listeners.add(tell)
    return () => this.#listeners?.delete(tell)
  }

  /** Looks at the end of this turn of the event loop. */
  check(): void {
    if (this.#isChecking || this.isReached) return
    this.#isChecking = true
    afterTurn(() => {
      this.#isChecking = false
      const { waitsFor } = this.#handler
      if (waitsFor === 'outside') {
        this.#stopHold ??= this.#rules.clock.after(this.#rules.holdMs, () => this.reach({ kind: 'outside' }))
        return
      }
      this.#release()
      if (waitsFor === 'asks' || (waitsFor === 'background' && this.#background)) this.reach({ kind: waitsFor })
    })
  }

  reach(pause: Pause<T>): void {
    this.#pause = pause
    this.#release()
    this.#reached.resolve(pause)
    for (const tell of this.#listeners ?? []) tell()
    this.#listeners = undefined
  }

  #release(): void {
    this.#stopHold?.()
    this.#stopHold = undefined
  }
}

/** Where the requests of one call wait for its handler to pause. */
export class PausePoints<T> {
  readonly #handler: Pausable
  readonly #rules: Pick<CallRules, 'clock' | 'holdMs'>
  #any: PausePoint<T> | undefined
  /** For requests that go on waiting while answers come without the client. */
  #front: PausePoint<T> | undefined

  constructor(handler: Pausable, rules: Pick<CallRules, 'clock' | 'holdMs'>) {
    this.#handler = handler
    this.#rules = rules
  }

  /** @param background Whether it counts that what the handler waits for comes without its client. */
  wait(background: boolean): Promise<Pause<T>> {
    return this.#point(background).reached
  }

  /** The same for one who may leave before: calls it once, unless the result is called before. */
  listen(background: boolean, listener: (pause: Pause<T>) => void): () => void {
    return this.#point(background).listen(listener)
  }

  #point(background: boolean): PausePoint<T> {
    const known = background ? this.#any : this.#front
    const point =
      known === undefined || known.isReached ? new PausePoint<T>(this.#handler, this.#rules, background) : known
    if (background) this.#any = point
    else this.#front = point
    point.check()
    return point
  }

  check(): void {
    this.#any?.check()
    this.#front?.check()
  }

  reach(pause: Pause<T>): void {
    this.#any?.reach(pause)
    this.#front?.reach(pause)
  }

  /** Nobody waits any more: a round was given to its client. */
  clear(): void {
    this.#any = undefined
    this.#front = undefined
  }
}
