// The runs of this process, by what others know of them: by the state that brings the next round of a call, by the name of a
// durable call, and by the run that a log names.
import type { Incoming } from '../call/incoming.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import { HeldMap } from '../runtime/held-map.js'
import { nowOrLater } from '../runtime/now-or-later.js'
import type { Attempt } from './attempt.js'
import { CallerBounds, type Held } from './caller-bounds.js'
import type { LoggedRun, Suspended } from './logged-run.js'
import type { RunnerOptions } from './runner.js'

export class Runs<T> {
  /** Those that wait for their next round, by the states that bring it. */
  readonly suspended: CallerBounds<string, Attempt<T>>
  /** Those of durable calls, by their names. */
  readonly durable: CallerBounds<string, Attempt<T>>
  /** Requests that stay open while a person thinks. They cannot be let go without their client noticing. */
  readonly open: CallerBounds<Incoming, Held>
  /** Calls of which a client cancelled a round, so that a replay knows its cause. */
  readonly cancelled: BoundedMap<string, true> = new BoundedMap({ max: 1_000 })
  /** Those of other calls that work on a round, or have claimed the call beside its open round, which others may answer. */
  readonly #named = new HeldMap<string, LoggedRun<T>>()

  constructor({ store, limits }: Pick<RunnerOptions<T>, 'store' | 'limits'>) {
    const { suspended: max, suspendedBytes: maxBytes, suspendedPerPrincipal: maxPerCaller } = limits
    const bounds = { max, maxBytes, maxPerCaller, onEvict: (attempt: Attempt<T>) => attempt.evicted() }
    this.suspended = new CallerBounds({ ...bounds, whenFull: 'evict' })
    // What no store keeps is not let go.
    this.durable = new CallerBounds({ ...bounds, whenFull: store.shared ? 'evict' : 'refuse' })
    this.open = new CallerBounds({ max, maxBytes, maxPerCaller, whenFull: 'refuse' })
  }

  /** Keeps a run for its next round. */
  suspend(attempt: Attempt<T>, suspended: Suspended): void {
    attempt.suspended = suspended
    this.suspended.add(suspended.state, attempt)
  }

  /** The run goes on: its state brings it back no more. */
  resume(run: LoggedRun<T>): void {
    if (run.suspended !== undefined) this.suspended.take(run.suspended.state)
    run.suspended = undefined
  }

  /** A run takes more or less than before: it waits for something else, or was answered. */
  weigh(attempt: Attempt<T>): void {
    const { isDurable, pushedOver } = attempt
    if (isDurable && this.durable.get(attempt.name) === attempt) this.durable.weigh(attempt.name, attempt)
    if (pushedOver !== undefined) this.open.weigh(pushedOver, attempt)
  }

  /** The run of a durable call no longer owns that. */
  released(attempt: Attempt<T>): void {
    if (this.durable.get(attempt.name) === attempt) this.durable.take(attempt.name)
  }

  /** Has a run take a round. It works on it from before the log says so, so that nobody takes the round for left alone. */
  claim(run: LoggedRun<T>, write: () => boolean | Promise<boolean>): boolean | Promise<boolean> {
    run.isWorking = true
    this.#named.set(run.run, run)
    return nowOrLater(
      write(),
      isMine => {
        if (!isMine) this.rest(run)
        return isMine
      },
      error => {
        this.rest(run)
        throw error
      },
    )
  }

  /** A run has done with its round. False for one that did not work on any. */
  rest(run: LoggedRun<T>): boolean {
    if (!run.isWorking) return false
    run.isWorking = false
    if (!run.isBeside) this.#named.delete(run.run)
    return true
  }

  /** Has a run work beside its open round: from before the log says so. */
  claimBeside(run: LoggedRun<T>): void {
    if (run.isBeside) return
    run.isBeside = true
    this.#named.set(run.run, run)
    void run.call.end().then(() => {
      run.isBeside = false
      if (!run.isWorking) this.#named.delete(run.run)
    })
  }

  /**
   * Whether a run is at a call. One that only waits beside its open round gives that way, for good.
   * @param watcher A node that wants to hear of what becomes of it.
   */
  isHere(name: string, id: string, watcher?: string): boolean {
    const run = this.#named.get(id) ?? this.durable.get(name)
    if (run !== undefined && watcher !== undefined) run.watchers = (run.watchers ?? new Set()).add(watcher)
    if (run?.run !== id || run.isReleased) return false
    if (run.isWorking || run.isDurable) return true
    if (run.call.isDropped) return false
    if (run.isBusy) return true
    this.resume(run)
    run.release('other-process')
    return false
  }
}
