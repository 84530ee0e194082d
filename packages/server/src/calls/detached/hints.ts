import type { Clock } from '../../runtime/clock.js'
import type { Store, Unsubscribe } from '../../store/index.js'

const pollMs = 1_000

interface HintsOptions {
  store: Store
  clock: Clock
  /** This one. */
  node: string
  /** Something happened to a call that this node runs, or ran. */
  hear: (id: string) => void
}

/** What processes tell each other of calls. One may be missed: whoever waits looks by itself, too. */
export class Hints {
  readonly #options: HintsOptions
  #listening: Promise<Unsubscribe> | undefined

  constructor(options: HintsOptions) {
    this.#options = options
  }

  /** Hears of calls of this node from now on. */
  async listen(): Promise<void> {
    const { store, node, hear } = this.#options
    this.#listening ??= store
      .subscribe(topicOf(node), id => hear(String(id)))
      .catch(error => {
        this.#listening = undefined
        throw error
      })
    await this.#listening
  }

  /** Tells whoever watches a call. */
  tell(id: string, what: 'moved' | 'ended'): Promise<void> {
    return this.#options.store.publish(topicOf(id), what)
  }

  /** Tells the node that runs a call. */
  tellNode(node: string, id: string): Promise<void> {
    return this.#options.store.publish(topicOf(node), id)
  }

  /** Calls `look` soon, and whenever something may have happened to a call, until the result is called. */
  watch(id: string, look: () => void): () => void {
    const { store, clock } = this.#options
    let stopTimer = clock.after(0, poll)
    function poll(this: void): void {
      stopTimer = clock.after(pollMs, poll)
      look()
    }
    const subscribing = store.subscribe(topicOf(id), look)
    subscribing.catch(() => {})
    return () => {
      stopTimer()
      subscribing.then(stop => stop()).catch(() => {})
    }
  }

  close(): void {
    this.#listening?.then(stop => stop()).catch(() => {})
  }
}

function topicOf(name: string): string {
  return `detached/${name}`
}
