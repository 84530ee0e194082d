// Options that the page of a widget searches while someone types, without an answer to the ask. A page gets a handle for them, sealed
// and bound to who called, so that only they whom the author's tool let in search there. What a handler made for its own call is
// searched in the process that has the handler; what a server was given by name, in all of them.
import type { FoundOption } from '@beckon/core/widgets'
import { randomSecret } from '../crypto/random-bytes.js'
import type { Seal } from '../crypto/seal.js'
import { RequestError } from '../protocol/request-error.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import type { Clock } from '../runtime/clock.js'
import { lookFor } from './best-matches.js'
import type { ChoicePage, ChoiceSource } from './choice-schema.js'

/** What is searched, for whom. */
interface Searched {
  readonly page: ChoicePage | undefined
  readonly source: ChoiceSource
  readonly maxShown: number
  readonly principal: string | undefined
  readonly expiresAt: number
}

interface Ticket extends Pick<Searched, 'maxShown' | 'expiresAt'> {
  readonly principal?: string
  readonly page?: string
  readonly id: string
}

/** One letter after the other. */
interface Search {
  readonly handle: unknown
  readonly search: unknown
}

/** So many of them are known; one that is let go is searched with an answer, as where there is no such page. */
const maxSources = 10_000

export class OptionSearches {
  readonly #seal: Seal
  readonly #clock: Clock
  /** Whether a desk brings searches of its people here. */
  reachesDesk = false
  readonly #pages = new Map<string, ChoicePage>()
  /** A handler that waits for the answer holds what it offers. Nothing else has to. */
  readonly #sources = new BoundedMap<string, WeakRef<object>>({ max: maxSources })

  constructor(seal: Seal, clock: Clock) {
    this.#seal = seal
    this.#clock = clock
  }

  /** Lists that every process of the server knows, by name. */
  bring(pages: readonly ChoicePage[]): void {
    for (const page of pages) this.#pages.set(page.name, page)
  }

  /** A handle for what a call offers. */
  handleFor({ page, maxShown, principal, expiresAt }: Omit<Searched, 'source'>): string {
    const known = page && this.#pages.get(page.name) === page ? { page: page.name } : {}
    const ticket: Ticket = { ...known, id: randomSecret(12), maxShown, expiresAt, ...(principal && { principal }) }
    return this.#seal.seal(ticket)
  }

  /** What a handle is for, from now on in this process: a replay offers it again, unless its time or its key is gone. */
  offer(handle: string, source: ChoiceSource): void {
    const ticket = this.#read(handle)
    if (ticket !== undefined) this.#sources.set(ticket.id, new WeakRef(source))
  }

  /** What a page of the caller's finds. */
  async findFor(principal: string | undefined, { handle, search }: Search): Promise<FoundOption[]> {
    const ticket = this.#open(handle)
    if (ticket.principal !== principal) throw refused()
    return this.#find(ticket, search)
  }

  /** What a page finds whose person was let in elsewhere: on a desk. */
  async find({ handle, search }: Search): Promise<FoundOption[]> {
    return this.#find(this.#open(handle), search)
  }

  #find({ page, id, maxShown }: Ticket, search: unknown): Promise<FoundOption[]> {
    const source = page === undefined ? this.#sources.get(id)?.deref() : this.#pages.get(page)?.source
    if (source === undefined) throw refused()
    // Nothing but sources is put there.
    return lookFor(source as ChoiceSource, typeof search === 'string' ? search : '', maxShown)
  }

  #open(handle: unknown): Ticket {
    const ticket = this.#read(handle)
    if (ticket === undefined) throw refused()
    return ticket
  }

  #read(handle: unknown): Ticket | undefined {
    try {
      // Only `handleFor` seals for this.
      const ticket = this.#seal.open(String(handle)) as Ticket
      return ticket.expiresAt > this.#clock.now() ? ticket : undefined
    } catch {
      return undefined
    }
  }
}

function refused(): RequestError {
  return new RequestError(-32602, 'This search handle is unknown or has expired.')
}
