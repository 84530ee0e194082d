// Brings what happens to one hook, in order and at least once. How far it has got is in the store: a node that begins,
// or takes over, goes on after the last line that was delivered, and may deliver that one again.
import type { Clock } from 'beckon'
import type { Store, Version } from 'beckon/store'
import type { Accepted } from '../log/act.js'
import type { Order } from '../log/order.js'
import type { AskIndex } from '../rest/asks/ask-index.js'
import type { Hook } from './hook.js'
import { Lease } from './lease.js'
import { type LinkTo, messageOf, toldTo } from './message.js'
import { pause } from './pause.js'
import { type Fetch, send } from './send.js'
import type { Turnstile } from './turnstile.js'

export interface CourierOptions {
  readonly hook: Hook
  readonly order: Order
  readonly asks: AskIndex
  readonly store: Store
  readonly clock: Clock
  readonly name: string
  readonly fetch: Fetch
  readonly turnstile: Turnstile
  readonly timeoutMs: number
  readonly random: () => number
  readonly linkTo: LinkTo | undefined
  readonly onProblem: (problem: string) => void
}

const leaseMs = 30_000
const firstRetryMs = 1_000
const longestRetryMs = 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
/** Lines that are not for a hook are passed without a note, up to so many. */
export const unnotedLines = 500

export class Courier {
  readonly #options: CourierOptions
  readonly #lease: Lease
  readonly #closed = new AbortController()
  readonly #running: Promise<void>
  #wake: () => void = () => {}
  #version: Version | undefined
  #noted = 0

  constructor(options: CourierOptions) {
    this.#options = options
    this.#lease = new Lease(options.store, this.#keyOf('lease'), options.clock, leaseMs)
    this.#running = this.#run()
  }

  /** There are new lines. */
  wake(): void {
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#lease.release().catch(() => {})
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock, hook, onProblem } = this.#options
    const { signal } = this.#closed
    // Where a hook begins that the store has not heard of.
    const start = this.#options.asks.seq
    while (!signal.aborted) {
      try {
        const held = await this.#lease.take()
        if (held !== undefined) await this.#work(held, start)
      } catch (error) {
        onProblem(`Webhook ${hook.id}: ${error instanceof Error ? error.message : 'the store failed'}`)
      }
      await this.#lease.release().catch(() => {})
      await pause(clock, leaseMs / 3, signal)
    }
  }

  async #work(held: AbortSignal, start: number): Promise<void> {
    const { order, hook, onProblem } = this.#options
    held.addEventListener('abort', () => this.#wake(), { once: true })
    let cursor = await this.#readCursor(start)
    while (!this.#isOver(held)) {
      const woken = this.#woken(held)
      const lines = await order.readAfter(cursor)
      if (lines === undefined) {
        onProblem(`Webhook ${hook.id}: the log does not go back to line ${cursor}; what is between was not told.`)
        cursor = order.seq
        if (!(await this.#note(cursor))) return
        continue
      }
      for (const line of lines) {
        const told = await this.#tell(line, held)
        if (this.#isOver(held)) return
        cursor = line.seq
        if ((told || cursor - this.#noted >= unnotedLines) && !(await this.#note(cursor))) return
      }
      if (lines.length === 0) await woken
    }
  }

  /** True when there was something to tell; it was delivered, or given up. */
  async #tell(line: Accepted, held: AbortSignal): Promise<boolean> {
    const { asks, hook, name, linkTo } = this.#options
    const happenings = asks.happeningsOf(line)
    let told = false
    for (const [index, happening] of happenings.entries()) {
      const event = toldTo(hook, happening)
      if (event === undefined) continue
      told = true
      const id = `${name}-${line.seq}${happenings.length > 1 ? `-${index}` : ''}`
      await this.#deliver(id, JSON.stringify(messageOf(id, event, linkTo)), line.at, held)
    }
    return told
  }

  /** Tries for a day, and at least once. */
  async #deliver(id: string, body: string, at: number, held: AbortSignal): Promise<void> {
    const { hook, fetch, clock, timeoutMs, turnstile, random, onProblem } = this.#options
    const { url, secret } = hook
    for (let attempt = 0; !this.#isOver(held); attempt++) {
      const failure = await turnstile.run(() =>
        send({ url, secret, id, body }, { fetch, clock, timeoutMs, signal: held }),
      )
      if (failure === undefined || this.#isOver(held)) return
      const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempt, 30)) * (0.5 + random() / 2)
      if (clock.now() + waitMs - at > dayMs) return onProblem(`Webhook ${hook.id}: ${id} was given up: ${failure}.`)
      await pause(clock, waitMs, held)
    }
  }

  async #readCursor(start: number): Promise<number> {
    const entry = await this.#options.store.get(this.#keyOf('cursor'))
    this.#version = entry?.version
    this.#noted = typeof entry?.value === 'number' ? entry.value : start
    if (entry === undefined) await this.#note(start)
    return this.#noted
  }

  /** Remembers how far it has got; false when another node has gone on. */
  async #note(seq: number): Promise<boolean> {
    const version = await this.#options.store.compareAndSet(this.#keyOf('cursor'), this.#version, seq)
    if (version === undefined) return false
    this.#version = version
    this.#noted = seq
    return true
  }

  #woken(held: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
      if (held.aborted) resolve()
    })
  }

  #isOver(held: AbortSignal): boolean {
    return held.aborted || this.#closed.signal.aborted
  }

  #keyOf(what: 'lease' | 'cursor'): string {
    return `${this.#options.name}/webhooks/${this.#options.hook.id}/${what}`
  }
}
