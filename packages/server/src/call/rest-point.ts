import { afterTurn } from '../runtime/after-turn.js'
import { deferred } from '../runtime/deferred.js'
import type { CallRules } from './call-rules.js'
import type { Pause } from './wires.js'

/** A handler that may come to rest. */
interface Restful {
  /** What it waits for, with nothing of it running; undefined while something runs, or it has ended. */
  readonly waitsFor: 'asks' | 'outside' | 'background' | undefined
}

/** Finds out when a handler has come to rest. It waits for the outside for a while before that counts. */
class RestPoint<T> {
  readonly #handler: Restful
  readonly #rules: Pick<CallRules, 'clock' | 'holdMs'>
  /** Whether it counts that what the handler waits for comes without its client. */
  readonly #background: boolean
  readonly #reached = deferred<Pause<T>>()
  #isReached = false
  #isChecking = false
  #stopHold: (() => void) | undefined

  constructor(handler: Restful, rules: Pick<CallRules, 'clock' | 'holdMs'>, background: boolean) {
    this.#handler = handler
    this.#rules = rules
    this.#background = background
  }

  get reached(): Promise<Pause<T>> {
    return this.#reached.promise
  }

  get isReached(): boolean {
    return this.#isReached
  }

  /** Looks at the end of this turn of the event loop. */
  check(): void {
    if (this.#isChecking || this.#isReached) return
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
    this.#isReached = true
    this.#release()
    this.#reached.resolve(pause)
  }

  #release(): void {
    this.#stopHold?.()
    this.#stopHold = undefined
  }
}

/** Where requests of one call wait for it to come to rest. */
export class RestPoints<T> {
  readonly #handler: Restful
  readonly #rules: Pick<CallRules, 'clock' | 'holdMs'>
  #any: RestPoint<T> | undefined
  /** For those who wait on while answers come without the client. */
  #front: RestPoint<T> | undefined

  constructor(handler: Restful, rules: Pick<CallRules, 'clock' | 'holdMs'>) {
    this.#handler = handler
    this.#rules = rules
  }

  /** @param background Whether it counts that what the handler waits for comes without its client. */
  wait(background: boolean): Promise<Pause<T>> {
    const known = background ? this.#any : this.#front
    const rest =
      known === undefined || known.isReached ? new RestPoint<T>(this.#handler, this.#rules, background) : known
    if (background) this.#any = rest
    else this.#front = rest
    rest.check()
    return rest.reached
  }

  check(): void {
    this.#any?.check()
    this.#front?.check()
  }

  reach(pause: Pause<T>): void {
    this.#any?.reach(pause)
    this.#front?.reach(pause)
  }

  /** All who waited have their reply. */
  clear(): void {
    this.#any = undefined
    this.#front = undefined
  }
}
