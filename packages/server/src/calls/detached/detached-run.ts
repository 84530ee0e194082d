// One run of a call that goes on by itself, in the process that owns it: what the handler does goes to the log first, and
// what the log says goes to the handler. It ends when the log names another owner.
import { CallCancelledError } from '@beckon/core'
import type { Ending, OpenAsk } from '../../call/ask.js'
import type { Call } from '../../call/call.js'
import type { Wire } from '../../call/wire.js'
import type { Clock } from '../../runtime/clock.js'
import { StoreUnavailableError } from '../../store/store-unavailable.js'
import type { Nodes } from '../nodes.js'
import type { Encoded, Line } from './line.js'
import type { DetachedRecord } from './record.js'
import type { DetachedState } from './state.js'

/** Shows the asks of a call to people, where its client cannot. */
export interface Attendant {
  /** Puts an ask and resolves when it has ended. */
  put(ask: OpenAsk): Promise<Ending>
  withdraw(ask: OpenAsk): void
  /** Where a person can answer, once something was put. */
  readonly link: Promise<string> | undefined
  leave(how: 'complete' | 'cancel'): Promise<void>
}

export interface DetachedRunOptions {
  record: DetachedRecord
  run: string
  clock: Clock
  nodes: Nodes
  attendant?: Attendant | undefined
  /** Makes the record of the call before its first ask is written to it. */
  open?: (() => Promise<void>) | undefined
}

export class DetachedRun<T> {
  readonly wire: Wire
  readonly #options: DetachedRunOptions
  #call: Call<T> | undefined
  #attendant: Attendant | undefined
  #isReleased = false
  #opening: Promise<void> | undefined
  #begun: Promise<unknown> | undefined

  constructor(options: DetachedRunOptions, name: 'tasks' | 'desk') {
    this.#options = options
    this.#attendant = options.attendant
    this.wire = {
      name,
      put: ask => void this.#put(ask),
      withdraw: ask => this.#attendant?.withdraw(ask),
      expire: ask => void this.#end(ask.id, { kind: 'expired' }),
    }
  }

  get id(): string {
    return this.#options.run
  }

  get call(): Call<T> | undefined {
    return this.#call
  }

  get record(): DetachedRecord {
    return this.#options.record
  }

  /** Whether another run has the call, or will. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Connects the call. */
  serve(call: Call<T>): void {
    this.#call = call
    call.recordsWhileParked = true
    this.#options.record.onLine = (line, state) => this.#learn(line, state)
  }

  /** From here on steps are written down before anything after them runs; and nothing before the record was begun. */
  keep(call: Call<T>, begun?: Promise<unknown>): void {
    this.#begun = begun
    const { clock, nodes, record } = this.#options
    call.keeper = {
      // Catching up lets the run go when it has another owner.
      isMine: () => nodes.isFresh || record.catchUp().then(() => !this.#isReleased),
      step: entry => this.#write(() => ({ kind: 'step', entry, at: clock.now() })),
    }
  }

  /** The handler has ended: so has the call, unless it went to another owner. */
  async finish(end: Encoded): Promise<void> {
    if (this.#isReleased) return
    await this.#write(() => ({ kind: 'ended', end, at: this.#options.clock.now() }))
    await this.#attendant?.leave(this.#call?.isDropped ? 'cancel' : 'complete').catch(() => {})
  }

  /** Lets the run go and leaves its asks where they are: another one will go on. */
  release(reason?: unknown): void {
    this.#isReleased = true
    this.#attendant = undefined
    this.#call?.drop(reason)
  }

  async #put(ask: OpenAsk): Promise<void> {
    const { clock } = this.#options
    try {
      this.#opening ??= this.#options.open?.() ?? Promise.resolve()
      await this.#opening
      await this.#write(state =>
        state.open.some(({ id }) => id === ask.id) ? undefined : { kind: 'asked', ask, at: clock.now() },
      )
      // Nobody is asked for a call that ended meanwhile.
      if (this.#attendant === undefined || this.#call?.isDropped) return
      const ending = this.#attendant.put(ask)
      // Awaited below, once the place is known; a place that cannot be had is told about there.
      ending.catch(() => {})
      const link = await this.#attendant.link
      if (link !== undefined && this.record.state?.link !== link)
        await this.#write(() => ({ kind: 'placed', link, at: clock.now() }))
      await this.#end(ask.id, await ending)
    } catch (error) {
      if (error instanceof StoreUnavailableError) this.#call?.drop(error)
      else await this.#end(ask.id, { kind: 'failed', error })
    }
  }

  async #end(id: string, ending: Ending): Promise<void> {
    if (this.#isReleased) return
    const at = this.#options.clock.now()
    if (ending.kind !== 'failed') {
      // Whether this was the first or not: the log tells the handler.
      await this.#write(state =>
        state.open.some(open => open.id === id) ? { kind: 'answered', id, reply: ending, at } : undefined,
      ).catch(error => this.#call?.drop(error))
      return
    }
    await this.#write(() => ({ kind: 'dropped', id, at })).catch(() => {})
    this.#call?.settle(id, ending)
  }

  async #write(make: (state: DetachedState) => Line | undefined): Promise<boolean> {
    await this.#begun
    return this.#options.record.write(state => {
      const isOver = this.#isReleased || state === undefined || state.end !== undefined
      return isOver ? undefined : make(state)
    })
  }

  #learn(line: Line, state: DetachedState): void {
    if (this.#isReleased) return
    if (state.owner.run !== this.#options.run)
      this.release(new CallCancelledError('Another process has taken this call over.'))
    else if (line.kind === 'answered') this.#call?.settle(line.id, line.reply)
    else if (line.kind === 'cancelled') {
      this.#attendant?.leave('cancel').catch(() => {})
      this.#call?.drop(new CallCancelledError('The call was cancelled.'))
    }
  }
}
