// The log of one call that goes on by itself. Any process may add to it, and every line says what it comes after: of two
// answers at once one is first, and who was overtaken finds out with the next line it writes.
import type { Store } from '../../store/index.js'
import { decodeLine, encodeLine, type Line } from './line.js'
import { type DetachedState, reduce } from './state.js'

export class DetachedRecord {
  readonly id: string
  readonly #store: Store
  readonly #retainMs: number
  #at = 0
  #state: DetachedState | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: Store, id: string, retainMs: number) {
    this.id = id
    this.#store = store
    this.#retainMs = retainMs
  }

  /** Told of every line that this copy learns of, its own included, in order. */
  onLine: ((line: Line, state: DetachedState) => void) | undefined

  get state(): DetachedState | undefined {
    return this.#state
  }

  /** Reads what others have written. */
  catchUp(): Promise<DetachedState | undefined> {
    return this.#inTurn(() => this.#read())
  }

  /** Adds the line that `make` gives for the state as it is then; none when it gives none. Whether it was added. */
  write(make: (state: DetachedState | undefined) => Line | undefined): Promise<boolean> {
    return this.#inTurn(async () => {
      for (;;) {
        const line = make(this.#state)
        if (line === undefined) return false
        const about = line.kind === 'begun' ? line.about : this.#state?.about
        const until = line.kind === 'delivered' ? line.at : about?.expiresAt
        const expiresAt = until === undefined ? undefined : until + this.#retainMs
        const at = await this.#store.append(logOf(this.id), [encodeLine(line)], { after: this.#at, expiresAt })
        if (at !== undefined) {
          this.#at = at
          this.#learn(line)
          return true
        }
        await this.#read()
      }
    })
  }

  async #read(): Promise<DetachedState | undefined> {
    for (const { seq, value } of await this.#store.read(logOf(this.id), { after: this.#at })) {
      this.#at = seq
      this.#learn(decodeLine(value))
    }
    return this.#state
  }

  #learn(line: Line): void {
    const next = reduce(this.#state, line)
    const isNews = next !== this.#state
    this.#state = next
    if (isNews && next !== undefined) this.onLine?.(line, next)
  }

  /** One at a time: what is written next depends on what was written before. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work)
    this.#last = done.catch(() => {})
    return done
  }
}

function logOf(id: string): string {
  return `detached/${id}`
}
