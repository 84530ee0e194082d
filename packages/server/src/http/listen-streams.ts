// `subscriptions/listen` over HTTP: an event stream that is open until its client goes away or the server closes. There are so many.
import type { Link } from '../protocol/link.js'
import type { RequestId, RpcNotification } from '../protocol/messages.js'
import { RequestError } from '../protocol/request-error.js'
import type { Exchange, HttpResponse } from './exchange/exchange.js'
import { Listeners } from './listeners.js'
import { eventOf, eventStreamHeaders } from './reply-with.js'
import type { Notifier, Served } from './served.js'
import type { SharedInterval } from './shared-interval.js'
import { maxSubscriptions, type Subscription, subscribe, subscriptionEnd, type Wanted } from './subscription.js'

/** A client that leaves so many bytes unread is cut off: it comes back, and lists what it wants to know. */
const maxBacklog = 1024 * 1024
/** Tabs and devices of one person. */
const maxPerPrincipal = 100

export class ListenStreams {
  readonly #served: Served
  readonly #listeners = new Listeners()
  readonly #keepAlive: SharedInterval<HttpResponse>
  readonly #open = new Set<OpenStream>()

  constructor(served: Served, keepAlive: SharedInterval<HttpResponse>) {
    this.#served = served
    this.#keepAlive = keepAlive
  }

  get notify(): Notifier {
    return this.#listeners.notify
  }

  /** Opens a stream; rejects with the error for a request that gets none. */
  async serve(exchange: Exchange, wanted: Wanted, link: Link): Promise<void> {
    const { principal } = link
    this.#checkRoom(principal)
    const stream: OpenStream = { exchange, id: wanted.id, principal, subscription: undefined }
    this.#open.add(stream)
    exchange.onGone(() => this.#end(stream))
    const send = (message: RpcNotification): void => {
      if (!this.#open.has(stream)) return
      if (!stream.isOpen) {
        stream.isOpen = true
        exchange.open(eventStreamHeaders)
        this.#keepAlive.add(exchange)
      }
      exchange.write(eventOf(JSON.stringify(message)))
      if (exchange.backlog <= maxBacklog) return
      this.#end(stream)
      exchange.destroy()
    }
    try {
      stream.subscription = await subscribe(this.#served, this.#listeners, { wanted, link, send })
    } catch (error) {
      this.#open.delete(stream)
      throw error
    }
    // Its client went away meanwhile.
    if (!this.#open.has(stream)) stream.subscription.stop()
    else if (stream.subscription.isEmpty) this.#end(stream, true)
  }

  /** Anonymous callers have a share of their own, and nobody who is known fills that of all: they lock nobody else out. */
  #checkRoom(principal: string | undefined): void {
    let own = 0
    let share = 0
    for (const { principal: other } of this.#open) {
      if (other === principal) own++
      if ((other === undefined) === (principal === undefined)) share++
    }
    if (principal !== undefined && own >= maxPerPrincipal)
      throw new RequestError(-32603, `A caller has at most ${maxPerPrincipal} such streams.`)
    if (share >= maxSubscriptions)
      throw new RequestError(-32603, `There are ${maxSubscriptions} such streams already. Try again later.`)
  }

  close(): void {
    for (const stream of this.#open) this.#end(stream, true)
  }

  /** Ends one: its client hears that it is over, unless they went away. */
  #end(stream: OpenStream, isToBeTold = false): void {
    const { exchange, id, subscription } = stream
    if (!this.#open.delete(stream)) return
    subscription?.stop()
    this.#keepAlive.delete(exchange)
    exchange.end(isToBeTold ? eventOf(JSON.stringify(subscriptionEnd(id, this.#served.info))) : undefined)
  }
}

interface OpenStream {
  readonly exchange: Exchange
  readonly id: RequestId
  readonly principal: string | undefined
  /** Once it is acknowledged. */
  subscription: Subscription | undefined
  isOpen?: boolean
}
