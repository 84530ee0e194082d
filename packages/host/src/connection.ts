// What belongs to one connection of a client: its asks on the desk, and the calls that are going on.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { plainName } from '@beckon/core'
import { type Client, type ElicitResult, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client'
import type { AskDesk } from 'beckon/desk/adapter'
import type { AnswerOptions } from './answer-options.js'
import type { RunningCall } from './calls/page-visits.js'
import { TicketedTransport, ticketOf } from './calls/ticketed-transport.js'
import { ConnectionAsks } from './connection-asks.js'
import { Completions } from './elicitation/completions.js'
import type { ElicitationParams } from './elicitation/desk-request.js'
import { elicit, type Subject } from './elicitation/elicit.js'

/** What a server declares that reads who answered. */
const answeredByExtension = 'beckon/answered-by'

/** One for all: Node 20 keeps each, and hands all of them to every promise that is made. */
const tickets = new AsyncLocalStorage<ReadonlyMap<Connection, string>>()

export class Connection {
  readonly asks: ConnectionAsks
  readonly completions: Completions = new Completions()
  readonly #calls = new Map<string, RunningCall>()
  readonly #client: Client
  readonly #transport: TicketedTransport
  readonly #options: AnswerOptions
  readonly #closed = new AbortController()

  constructor(desk: AskDesk, client: Client, transport: Transport, options: AnswerOptions) {
    const { name: claimed = '', title: titled = '' } = client.getServerVersion() ?? {}
    const name = plainName(claimed) || 'A server that does not say its name'
    const title = plainName(titled) || name
    this.#client = client
    this.#options = options
    this.#transport = new TicketedTransport(transport, () => this.close())
    this.asks = new ConnectionAsks({
      desk,
      subject: {
        server: name,
        call: options.call ?? `host-${randomUUID()}`,
        title: options.title ?? (title === name ? name : `${title} (${name})`),
      },
      terms: options.terms ?? {},
    })
  }

  /** Aborts when the connection is closed. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /** Withdraws everything that is open. */
  close(): void {
    this.#closed.abort(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'))
  }

  start({ tool, input }: Subject): RunningCall {
    const isDestructive = this.#options.isDestructive?.(tool) ?? false
    const call = { ticket: randomUUID(), tool, input, isDestructive }
    this.#calls.set(call.ticket, call)
    return call
  }

  end({ ticket }: RunningCall): void {
    this.#calls.delete(ticket)
    this.#transport.forget(ticket)
  }

  /** Sends the request of a call. Over HTTP, what comes back on its own stream is known to belong to it. */
  during<T>({ ticket }: RunningCall, send: () => Promise<T>): Promise<T> {
    return tickets.run(new Map(tickets.getStore()).set(this, ticket), send)
  }

  /** The call that an elicitation belongs to, where that is known. */
  callOf(params: ElicitationParams): RunningCall | undefined {
    const isPushed = this.#client.getProtocolEra() === 'legacy'
    return this.#calls.get((isPushed ? this.#pushedFor() : ticketOf(params)) ?? '')
  }

  /** A request that someone made within another has its context, so the context counts where all are ours. */
  #pushedFor(): string | undefined {
    const current = this.#transport.hasOthers ? undefined : tickets.getStore()?.get(this)
    return current ?? this.#transport.onlyTicket
  }

  /** A call waits for pages that its person agreed to visit, until what this gives back is called. */
  visiting({ tool, input }: RunningCall): () => void {
    return this.#options.onVisit?.({ tool, input }) ?? (() => {})
  }

  elicit(params: ElicitationParams, signal: AbortSignal, subject?: Subject): Promise<ElicitResult> {
    const { log = () => {}, tellsWho = true } = this.#options
    const readsWho = this.#client.getServerCapabilities()?.extensions?.[answeredByExtension] !== undefined
    const { asks, completions } = this
    return elicit(params, {
      asks,
      completions,
      log,
      subject,
      tellsWho: tellsWho && readsWho,
      signal: AbortSignal.any([signal, this.closed]),
    })
  }
}
