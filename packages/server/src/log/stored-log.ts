import { type Change, EventLog } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import type { CallLog, Decide, LogListener } from './call-log.js'
import type { CallEvent } from './events.js'
import type { OwnedCalls } from './owned-calls.js'
import { type CallState, emptyCallState, reduce } from './reduce.js'

/** The log of a call in the store, where other processes read and write it, too. */
export class StoredLog implements CallLog {
  listener: LogListener | undefined
  readonly forgotten: number = 0
  readonly #name: string
  readonly #owned: OwnedCalls
  readonly #log: EventLog<CallState, CallEvent>

  constructor(store: Store, name: string, owned: OwnedCalls) {
    this.#name = name
    this.#owned = owned
    this.#log = new EventLog({
      store,
      name: `call/${name}`,
      empty: emptyCallState,
      reduce,
      around: (steps, append) => append(owned.changes(name, this.state, steps.at(-1)?.after ?? this.state)),
      onEvent: (event, change) => this.#learn(event, change),
      // A process that begins a call knows nothing of it yet, and neither does who is given its state.
      emitsHistory: true,
      onReset: () => this.listener?.lost(),
    })
  }

  get state(): CallState {
    return this.#log.state
  }

  get isBusy(): boolean {
    return this.#log.isBusy
  }

  settled(): Promise<void> {
    return this.#log.settled()
  }

  write(decide: Decide, expiresAt?: number): Promise<boolean> {
    return this.#log.write(state => {
      const event = decide(state)
      if (event === undefined) return nothingToWrite
      const { promisedUntil = 0 } = state.record ?? {}
      return { events: [event], result: true, expiresAt: expiresAt && Math.max(expiresAt, promisedUntil) }
    })
  }

  read(): Promise<CallState> {
    return this.#log.read()
  }

  confirm(): Promise<boolean> {
    return this.#log.confirm()
  }

  #learn(event: CallEvent, { before, after, ...written }: Change<CallState>): void {
    if (before === after) return
    // A run that was told that it failed has gone another way since.
    const isOwn = written.isOwn && !written.isUnconfirmed
    if (isOwn) this.#owned.changed(this.#name, before, after)
    this.listener?.learned(event, after, isOwn)
  }
}

const nothingToWrite = { events: [], result: false }
