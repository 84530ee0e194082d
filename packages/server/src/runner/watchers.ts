// What processes tell each other of calls, by their names: hints, of which any may be lost. A process that waits looks by itself, too.
//
//   [name]                     something happened to a call
//   [name, node, run, round]   the node wants to be notified of a call that this run owns, according to its log
//   [name, null, run, round]   this run has given the call up for good, although its process is alive
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Clock } from '../runtime/clock.js'
import { Watch } from '../store/handles/index.js'
import type { JsonValue, Store } from '../store/index.js'
import type { Claim } from './owners.js'

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

  /** Tells those who want to hear of a call. */
  notifyWatchers({
    name,
    watchers,
  }: {
    readonly name: string
    readonly watchers: ReadonlySet<string> | undefined
  }): void {
    for (const node of watchers ?? []) this.tell(node, name).catch(() => {})
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

  /** Calls `look` whenever a hint comes that something happened to a call, until the result is called. */
  hear(name: string, claim: Claim | undefined, look: () => void): () => void {
    const looks = this.#looks.get(name) ?? new Set()
    this.#looks.set(name, looks.add(look))
    if (claim !== undefined) this.ask(name, claim)
    return () => {
      looks.delete(look)
      if (looks.size === 0 && this.#looks.get(name) === looks) this.#looks.delete(name)
    }
  }

  /** Has the process that is at a call, by its log, tell of what becomes of it; or that it is not. */
  ask(name: string, { node, run, round }: Claim): void {
    const {
      store,
      nodes: { id: by },
    } = this.#options
    if (!store.shared || node === by) return
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
    for (const look of this.#looks.get(name) ?? []) look()
  }

  #look(name: string): void {
    const looks = this.#looks.get(name)
    this.#options.answered(name, looks !== undefined)
    for (const look of looks ?? []) look()
  }
}

function topicOf(node: string): string {
  return `node/${node}`
}
