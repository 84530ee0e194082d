import { type RequestId, RpcError } from '@beckon/core/json-rpc'
import type { Agent } from '../app/context.js'
import type { Offer } from '../app/offer.js'
import type { Channel } from '../protocol/channel.js'
import { protocolCodes } from '../protocol/protocol-codes.js'
import { type Credentials, Session } from '../session/session.js'
import type { Welcome } from '../session/welcome.js'

/** Opens a socket, and tells what becomes of it. `closed` comes once, and last. */
export type OpenSocket = (
  url: string,
  protocol: string,
  events: { opened(): void; received(text: string): void; closed(code: number): void },
) => Channel

/** What becomes of one socket. */
export interface LinkEvents {
  /** The gateway has answered; once more for every new code. */
  welcomed(welcome: Welcome): void
  /** Once, however often the gateway says so. */
  claimed(agent: Agent): void
  /** The requests of the invocations that run now. */
  running(requests: readonly RequestId[]): void
  /** The gateway does not take this app. */
  refused(error: unknown): void
  closed(code: number): void
}

const protocol = 'tesseron-app'
/** A code is good for ten minutes. */
const newCodeMs = 9 * 60 * 1000

/** One socket to a gateway, from its opening to its end. */
export class Link {
  readonly #offer: Offer
  readonly #events: LinkEvents
  readonly #session: Session
  readonly #channel: Channel
  #isClaimed = false
  #isClosed = false
  #stopTimer = () => {}

  constructor(
    offer: Offer,
    {
      url,
      openSocket,
      credentials,
      events,
    }: { url: string; openSocket: OpenSocket; credentials: Credentials | undefined; events: LinkEvents },
  ) {
    this.#offer = offer
    this.#events = events
    this.#session = new Session(
      offer,
      { send: text => this.#channel.send(text), close: (code, reason) => this.#channel.close(code, reason) },
      { claimed: agent => this.#claimed(agent), running: events.running },
    )
    this.#channel = openSocket(url, protocol, {
      opened: () => void this.#greet(credentials),
      received: text => this.#session.receive(text),
      closed: code => {
        this.#isClosed = true
        this.#stopTimer()
        this.#session.end()
        events.closed(code)
      },
    })
  }

  close(code: number, reason: string): void {
    this.#channel.close(code, reason)
  }

  async #greet(credentials: Credentials | undefined): Promise<void> {
    try {
      const welcome = await openSession(this.#session, credentials)
      if (this.#isClosed) return
      this.#events.welcomed(this.#isClaimed ? { ...welcome, claimCode: undefined } : welcome)
      if (this.#isClaimed) return
      if (welcome.claimCode === undefined) this.#claimed(welcome.agent)
      else this.#stopTimer = this.#offer.clock.after(newCodeMs, () => void this.#greet(undefined))
    } catch (error) {
      // What hears that the socket is closed tries again; a gateway that refused would refuse again.
      if (!this.#isClosed) this.#events.refused(error)
    }
  }

  #claimed(agent: Agent): void {
    this.#stopTimer()
    if (this.#isClaimed) return
    this.#isClaimed = true
    this.#events.claimed(agent)
  }
}

/** Takes the session up again; where that is refused, starts a new one on the same connection. */
async function openSession(session: Session, credentials: Credentials | undefined): Promise<Welcome> {
  if (credentials === undefined) return session.open()
  try {
    return await session.open(credentials)
  } catch (error) {
    if (error instanceof RpcError && error.code === protocolCodes.resumeFailed) return session.open()
    throw error
  }
}
