// What processes tell each other of calls, by their names: hints, of which any may be lost. Whoever waits looks by itself, too.
import type { Clock } from '../runtime/clock.js'
import type { JsonValue, Store, Unsubscribe } from '../store/index.js'

const firstLookMs = 25
const lastLookMs = 1_000

interface WatchersOptions {
  readonly store: Store
  readonly clock: Clock
  /** This one. */
  readonly node: string
  /** Something was written to the log of a call that this node runs, or ran. */
  readonly answered: (name: string) => void
  /** Another node wants to hear of what becomes of a call that this one runs. False when it does not run it. */
  readonly watched: (name: string, by: string) => boolean
}

export class Watchers {
  readonly #options: WatchersOptions
  readonly #looks = new Map<string, Set<() => void>>()
  #listening: Promise<Unsubscribe> | undefined

  constructor(options: WatchersOptions) {
    this.#options = options
  }

  /** Hears of calls of this node from now on. */
  async listen(): Promise<void> {
    const { store, node } = this.#options
    if (!store.shared) return
    this.#listening ??= store
      .subscribe(topicOf(node), message => this.#hear(message))
      .catch(error => {
        this.#listening = undefined
        throw error
      })
    await this.#listening
  }

  /** Tells a node that something happened to a call. */
  tell(node: string, name: string): Promise<void> {
    return this.#options.store.publish(topicOf(node), [name])
  }

  /** Tells those who want to hear of a call. */
  tellAll({ name, watchers }: { readonly name: string; readonly watchers: ReadonlySet<string> | undefined }): void {
    for (const node of watchers ?? []) this.tell(node, name).catch(() => {})
  }

  /** Calls `look` soon, and whenever something may have happened to a call, until the result is called. */
  watch(name: string, owner: string | undefined, look: () => void, maxLookMs: number = lastLookMs): () => void {
    const { clock } = this.#options
    const stopHearing = this.hear(name, owner, look)
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
  hear(name: string, owner: string | undefined, look: () => void): () => void {
    const { store, node } = this.#options
    const looks = this.#looks.get(name) ?? new Set()
    this.#looks.set(name, looks.add(look))
    if (store.shared && owner !== undefined && owner !== node)
      this.listen()
        .then(() => store.publish(topicOf(owner), [name, node]))
        .catch(() => {})
    return () => {
      looks.delete(look)
      if (looks.size === 0 && this.#looks.get(name) === looks) this.#looks.delete(name)
    }
  }

  close(): void {
    this.#listening?.then(stop => stop()).catch(() => {})
    this.#listening = undefined
  }

  #hear(message: JsonValue): void {
    if (!Array.isArray(message)) return
    const [name, by] = message
    if (typeof name !== 'string') return
    if (typeof by === 'string') {
      if (!this.#options.watched(name, by)) this.tell(by, name).catch(() => {})
      return
    }
    const looks = this.#looks.get(name)
    if (looks === undefined) this.#options.answered(name)
    else for (const look of looks) look()
  }
}

function topicOf(node: string): string {
  return `node/${node}`
}
