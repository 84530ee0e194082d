import { type Deferred, deferred } from '../runtime/deferred.js'
import { type Change, EventLog } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import type { CallLog, Decide, LogListener } from './call-log.js'
import type { CallEvent } from './events.js'
import { type CallState, nothing, reduce } from './reduce.js'

/** The log of a call in the store, where other processes read and write it, too. */
export class StoredLog implements CallLog {
  listener: LogListener | undefined
  readonly isForgetful: boolean = false
  readonly #log: EventLog<CallState, CallEvent>
  #changes: Deferred<void> | undefined

  constructor(store: Store, name: string) {
    this.#log = new EventLog({
      store,
      name,
      empty: nothing,
      reduce,
      onEvent: (event, change) => this.#learn(event, change),
      // Whoever begins a call knows nothing of it yet, and neither does who is given its state.
      tellsEarlier: true,
      onReset: () => this.listener?.lost(),
    })
  }

  get state(): CallState {
    return this.#log.state
  }

  get isEmpty(): boolean {
    return this.state === nothing
  }

  get isBusy(): boolean {
    return this.#log.isBusy
  }

  get changed(): Promise<void> {
    this.#changes ??= deferred()
    return this.#changes.promise
  }

  settled(): Promise<void> {
    return this.#log.settled()
  }

  write(decide: Decide, expiresAt?: number): Promise<boolean> {
    return this.#log.write(state => {
      const event = decide(state)
      return event === undefined ? nothingToWrite : { events: [event], result: true, expiresAt }
    })
  }

  read(): Promise<CallState> {
    return this.#log.read()
  }

  confirm(): Promise<void> {
    return this.#log.confirm()
  }

  #learn(event: CallEvent, { before, after, isOwn }: Change<CallState>): void {
    if (before === after) return
    this.listener?.learned(event, after, isOwn)
    this.#changes?.resolve()
    this.#changes = undefined
  }
}

const nothingToWrite = { events: [], result: false }
