// One order for everything that happens on a desk. What a change wants is decided against the state it applies to; then
// it is written after everything else; then it is in the state; then it is told. A node that finds that another was
// faster reads what it missed and decides again.
//
// While the store is away nothing is accepted, and what is known stays readable. Hints of other nodes may be lost then, so
// a node also looks by itself, now and again. One that has missed more than the store keeps begins anew from the snapshot.
import { type Clock, systemClock } from 'beckon'
import type { Store, Unsubscribe } from 'beckon/store'
import type { Refusal } from '../asks/refusals.js'
import { DeskState } from '../state/desk-state.js'
import type { Accepted, Line } from './act.js'
import { DeskLog, type Opened } from './desk-log.js'
import { Watchers } from './watchers.js'

/** What a change comes to: lines to write, or the reason why not. Lines may be empty: nothing to do. */
export type Decision = { readonly lines: readonly Line[] } | { readonly refused: Refusal }

/** What became of a change. A refusal repeats the number of the last line. */
export type Settled =
  | { readonly kind: 'accepted'; readonly lines: readonly Accepted[] }
  | ({ readonly kind: 'refused'; readonly seq: number } & Refusal)

export type Listener = (lines: readonly Accepted[]) => void

export interface OrderOptions {
  readonly store: Store
  /** Under which everything is kept in the store. */
  readonly name: string
  readonly clock?: Clock | undefined
  /** Lines in a part of the log. */
  readonly partLines?: number | undefined
}

/** How often a node looks for what nobody gave it a hint of. */
const lookEveryMs = 5_000

export class Order {
  readonly state: DeskState = new DeskState()
  readonly #store: Store
  readonly #clock: Clock
  readonly #log: DeskLog
  readonly #topic: string
  readonly #listeners = new Set<Listener>()
  readonly #beginners = new Set<() => void>()
  readonly #watchers = new Watchers()
  #tail: Promise<unknown> = Promise.resolve()
  #unsubscribe: Unsubscribe = async () => {}
  #stopLooking: () => void = () => {}
  #isClosed = false

  constructor({ store, name, clock = systemClock, partLines }: OrderOptions) {
    this.#store = store
    this.#clock = clock
    this.#log = new DeskLog(store, name, () => this.state.save(), partLines)
    this.#topic = name
  }

  /** The number of the last line that this node has told. */
  get seq(): number {
    return this.#log.head
  }

  async open(): Promise<void> {
    this.#load(await this.#log.open())
    this.#unsubscribe = await this.#store.subscribe(this.#topic, () => {
      this.#inTurn(() => this.#catchUp()).catch(() => {})
    })
    this.#lookLater()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopLooking()
    await this.#unsubscribe().catch(() => {})
    await this.#tail.catch(() => {})
  }

  /** Tells of every line, in order, from any node. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells that the state was read anew: what happened since the last line that was told, nobody can say. */
  onAnew(listener: () => void): () => void {
    this.#beginners.add(listener)
    return () => this.#beginners.delete(listener)
  }

  /** Tells that something happened to one ask, its turn or its session. */
  watch(session: string, request: string, listener: () => void): () => void {
    return this.#watchers.add(session, request, listener)
  }

  /** Changes the desk. `decide` may run more than once. Rejects when the store could not keep it. */
  change(decide: (state: DeskState) => Decision): Promise<Settled> {
    return this.#inTurn(async () => {
      for (;;) {
        const decision = decide(this.state)
        if ('refused' in decision) return { kind: 'refused', ...decision.refused, seq: this.seq }
        if (decision.lines.length === 0) return { kind: 'accepted', lines: [] }
        const lines = await this.#log.append(decision.lines)
        if (lines !== undefined) {
          this.#tell(lines)
          // What was accepted is accepted: a part that cannot be closed now is closed later, and a hint is a hint.
          await this.#log.roll(this.state.weight).catch(() => {})
          await this.#store.publish(this.#topic, this.seq).catch(() => {})
          return { kind: 'accepted', lines }
        }
        await this.#catchUp()
      }
    })
  }

  /** The lines after a number; undefined when it is too far back to say. */
  readAfter(seq: number): Promise<Accepted[] | undefined> {
    return this.#inTurn(async () => {
      // Another node has told more than this one knows.
      if (seq > this.seq) await this.#catchUp()
      return this.#log.readAfter(seq)
    })
  }

  async #catchUp(): Promise<void> {
    const news = await this.#log.catchUp()
    if ('lines' in news) this.#tell(news.lines)
    else {
      this.#load(news.anew)
      for (const listener of this.#beginners) listener()
      this.#watchers.tellAll()
    }
    await this.#log.roll(this.state.weight)
  }

  /** The next look comes after this one: a store that is slow, or away, is not asked twice at once. */
  #lookLater(): void {
    this.#stopLooking = this.#clock.after(lookEveryMs, () => {
      this.#inTurn(() => this.#catchUp())
        .catch(() => {})
        .finally(() => {
          if (!this.#isClosed) this.#lookLater()
        })
    })
  }

  #load({ snapshot, lines }: Opened): void {
    this.state.load(snapshot)
    for (const line of lines) this.state.apply(line)
  }

  #tell(lines: readonly Accepted[]): void {
    if (lines.length === 0) return
    for (const line of lines) this.state.apply(line)
    for (const listener of this.#listeners) listener(lines)
    for (const line of lines) this.#watchers.tell(line)
  }

  /** One thing after the other, so that lines are told in their order. */
  #inTurn<T>(job: () => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The desk is closed.'))
    const next = this.#tail.then(job, job)
    this.#tail = next.catch(() => {})
    return next
  }
}
