// A browser cannot put a header on a WebSocket. It exchanges what it proves itself with for a ticket (`POST /ticket`), which is good
// once, for 30 seconds, in the URL of an upgrade, on any node that shares the store. What it stands for is checked again when it
// is used, and as often after as that itself would be; it never is in a URL, where logs and histories would keep it.

import type { Clock } from 'beckon'
import { digestOf, newSecret, type Random } from 'beckon/sign-in/adapter'
import type { Store } from 'beckon/store'
import { Cell } from 'beckon/store/handles'
import { KeyedRate } from '../limits/keyed-rate.js'
import type { AccessRequest } from './access.js'

export interface TicketsOptions {
  /** Sealed, where it is shared: for as long as a ticket is good, it has what the ticket stands for. */
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
}

/** The headers that say who someone is, and on which device. */
const proofs = ['authorization', 'cookie', 'x-beckon-device', 'user-agent'] as const
type Proof = Readonly<Partial<Record<(typeof proofs)[number], string>>>

const ticketMs = 30_000
/** Of one person, on this node. */
const ticketRate = { perSecond: 5, burst: 100 }

export class Tickets {
  readonly #options: TicketsOptions
  readonly #rate = new KeyedRate(ticketRate)

  constructor(options: TicketsOptions) {
    this.#options = options
  }

  /** A ticket that stands for what a request of someone proves itself with; undefined when they had too many. */
  async issue(
    request: AccessRequest,
    principal: string,
  ): Promise<{ readonly ticket: string; readonly expiresAt: number } | undefined> {
    const { clock, random } = this.#options
    if (!this.#rate.take(principal, clock.now())) return undefined
    const ticket = newSecret(random)
    const expiresAt = clock.now() + ticketMs
    const proof = Object.fromEntries(
      proofs.flatMap(name => {
        const value = request.header(name)
        return value === undefined ? [] : [[name, value]]
      }),
    )
    await this.#cell(ticket).set(proof, { expiresAt })
    return { ticket, expiresAt }
  }

  /** The request, with what its ticket stands for; undefined for a ticket that is not there, or was used. */
  async redeem(request: AccessRequest, ticket: string): Promise<AccessRequest | undefined> {
    const proof = await this.#cell(ticket).update<Proof | undefined>(known => ({ isRemoved: true, result: known }))
    if (proof === undefined) return undefined
    const { method, path, query, remoteAddress } = request
    const isProof = (name: string): name is keyof Proof => proofs.some(known => known === name)
    const header = (name: string) => (isProof(name) ? proof[name] : request.header(name))
    return { method, path, query, remoteAddress, header }
  }

  #cell(ticket: string): Cell<Proof> {
    return new Cell<Proof>(this.#options.store, `access/ticket/${digestOf(ticket)}`)
  }
}
