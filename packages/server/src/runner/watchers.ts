// What processes tell each other of calls, by their names: hints, of which any may be lost. A process that waits looks by itself, too.
// Those who wait in the process that runs a call are told as well.
//
//   [name]                     something happened to a call
//   [name, node, run, round]   the node wants to be notified of a call that this run owns, according to its log
//   [name, null, run, round]   this run has given the call up for good, although its process is alive
import type { Claim } from '../log/reduce.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Clock } from '../runtime/clock.js'
import { Watch } from '../store/handles/index.js'
import type { JsonValue, Store } from '../store/index.js'

const firstLookMs = 25
const lastLookMs = 1_000

interface WatchersOptions {
  readonly store: Store
  readonly clock: Clock
  readonly nodes: { readonly id: string }
  /** Something was written to the log of a call that this node runs, or ran; or that someone watches here. */
  readonly answered: (name: string, isWatched: boolean) => void
  /** Another node wants to hear of a call. False when this one does not have that run of it. */
  readonly watched: (name: string, by: string, run: string) => boolean
  /** A run that this node asked another node about has given its call up. */
  readonly givenUp: (name: string) => void
}

/** What is remembered as given up: more than is waited for at once. */
const maxGivenUp = 10_000

export class Watchers {
  readonly #options: WatchersOptions
  readonly #looks = new Map<string, Set<() => void>>()
  readonly #givenUp = new BoundedMap<string, true>({ max: maxGivenUp })
  /** Calls of which those who wait here are about to be told. */
  readonly #changed = new Set<string>()
  #listening: Watch | undefined
  #isClosed = false

  constructor(options: WatchersOptions) {
    this.#options = options
  }

  /** Hears of calls of this node from now on. */
  async listen(): Promise<void> {
    const { store, nodes, clock } = this.#options
    if (!store.shared || this.#isClosed) return
    this.#listening ??= new Watch({
      store,
      clock,
      topic: topicOf(nodes.id),
      onHint: message => this.#hear(message),
      look: () => {
        for (const looks of this.#looks.values()) for (const look of looks) look()
      },
    })
    this.#listening.start()
    await this.#listening.heard()
  }

  /** Tells a node that something happened to a call. */
  tell(node: string, name: string): Promise<void> {
    return this.#options.store.publish(topicOf(node), [name])
  }

  /** Something happened to a call that runs here: tells those who want to hear of it. */
  changed({ name, watchers }: { readonly name: string; readonly watchers: ReadonlySet<string> | undefined }): void {
    for (const node of watchers ?? []) this.tell(node, name).catch(() => {})
    if (!this.#looks.has(name) || this.#changed.has(name)) return
    this.#changed.add(name)
    // Once for all that happened at once, and when all of that is known here.
    queueMicrotask(() => {
      this.#changed.delete(name)
      this.#lookNow(name)
    })
  }

  /** Calls `look` soon, and whenever something may have happened to a call, until the result is called. */
  watch(name: string, claim: Claim | undefined, look: () => void, maxLookMs: number = lastLookMs): () => void {
    const { clock } = this.#options
    const stopHearing = this.hear(name, claim, look)
    let lookMs = firstLookMs
    let stopTimer = clock.after(0, poll)
    function poll(this: void): void {
      stopTimer = clock.after(lookMs, poll)
      lookMs = Math.min(lookMs * 2, maxLookMs)
      look()
    }
    return () => {
      stopTimer()
      stopHearing()
    }
  }

  /** Calls `look` whenever it is known or hinted that something happened to a call, until the result is called. */
  hear(name: string, claim: Claim | undefined, look: () => void): () => void {
    const looks = this.#looks.get(name) ?? new Set()
    this.#looks.set(name, looks.add(look))
    this.ask(name, claim)
    return () => {
      looks.delete(look)
      if (looks.size === 0 && this.#looks.get(name) === looks) this.#looks.delete(name)
    }
  }

  /** Resolves when something may have happened to a call, and after a while. */
  next(name: string, claim: Claim | undefined, withinMs: number): Promise<void> {
    const { clock } = this.#options
    return new Promise(resolve => {
      const stopTimer = clock.after(withinMs, done)
      const stopHearing = this.hear(name, claim, done)
      function done(): void {
        stopTimer()
        stopHearing()
        resolve()
      }
    })
  }

  /** Has the process that is at a call, by its log, tell of what becomes of it; or that it is not. */
  ask(name: string, claim: Claim | undefined): void {
    const { store, nodes } = this.#options
    const by = nodes.id
    if (claim === undefined || claim.node === by || !store.shared) return
    const { node, run, round } = claim
    this.listen()
      .then(() => store.publish(topicOf(node), [name, by, run, round]))
      .catch(() => {})
  }

  /** Whether the process of a run has said that it gave it up. */
  isGivenUp({ run, round }: Claim): boolean {
    return this.#givenUp.get(`${run} ${round}`) !== undefined
  }

  close(): void {
    this.#isClosed = true
    void this.#listening?.stop()
  }

  #hear(message: JsonValue): void {
    if (!Array.isArray(message)) return
    const [name, by, run, round] = message
    if (typeof name !== 'string') return
    if (typeof run !== 'string') this.#look(name)
    else if (typeof by !== 'string') this.#giveUp(name, `${run} ${round}`)
    else if (!this.#options.watched(name, by, run))
      this.#options.store.publish(topicOf(by), [name, null, run, round ?? null]).catch(() => {})
  }

  /** Reported once for each claim: every waiter looks again, and finds that it need not wait for this run. */
  #giveUp(name: string, claim: string): void {
    if (this.#givenUp.get(claim) !== undefined) return
    this.#givenUp.set(claim, true)
    this.#options.givenUp(name)
    this.#lookNow(name)
  }

  #look(name: string): void {
    this.#options.answered(name, this.#looks.has(name))
    this.#lookNow(name)
  }

  #lookNow(name: string): void {
    for (const look of this.#looks.get(name) ?? []) look()
  }
}

function topicOf(node: string): string {
  return `node/${node}`
}
