import type { HttpResponse } from '../exchange/exchange.js'
import type { Excess, Holdings } from './holdings.js'
import type { Session } from './session.js'
import type { SessionStreams } from './session-streams.js'
import { Unread } from './unread.js'

/** What one session holds of the room for all. */
export class SessionAccount {
  readonly #session: Session
  readonly #holdings: Holdings
  /** Counted also when the session is closed. */
  readonly #unread = new Unread(bytes => {
    this.#holdings.bytes.hold(this.#session, bytes)
    if (bytes > 0) this.#holdings.relieve(this.#session)
  })
  #isClosed = false

  constructor(session: Session, holdings: Holdings) {
    this.#session = session
    this.#holdings = holdings
  }

  /** What was sent and is not read. */
  get unreadBytes(): number {
    return this.#unread.bytes
  }

  sent(response: HttpResponse): void {
    this.#unread.sent(response)
  }

  /**
   * Lets go of events, and when there are none, of a connection that does not read. For its own sake a session lets go of as
   * little as it can, and of no connection that is the only one behind.
   */
  letGo(streams: SessionStreams, forItself: boolean): boolean {
    const { eventBytes } = streams
    if (eventBytes === 0) return this.#unread.cutOldest(forItself ? 2 : 1)
    // Half of them for others, so that they do not come back for every event.
    streams.dropEvents(forItself ? 1 : eventBytes / 2)
    return true
  }

  /** Makes room for so much more; says why there is none. */
  makeRoomFor(more: { readonly requests: number; readonly bytes: number }): Excess | undefined {
    return this.#holdings.makeRoomFor(this.#session, more)
  }

  /** Counts what it holds, until it closes. */
  hold({ requests = 0, bytes = 0 }: { readonly requests?: number; readonly bytes?: number }): void {
    if (this.#isClosed) return
    this.#holdings.requests.hold(this.#session, requests)
    this.#holdings.bytes.hold(this.#session, bytes)
  }

  holdEvents(bytes: number): void {
    this.hold({ bytes })
    if (bytes > 0) this.#holdings.relieve(this.#session)
  }

  /** Holds what stays until its client lets go of it: half of the room at most, so that requests can still be taken. */
  holdLasting(bytes: number): boolean {
    const held = this.#holdings.bytes
    if (bytes > 0 && held.reached(this.#session, held.held(this.#session) + bytes) !== undefined) return false
    this.hold({ bytes })
    return true
  }

  close(): void {
    const { requests, bytes } = this.#holdings
    this.#isClosed = true
    requests.hold(this.#session, -requests.held(this.#session))
    bytes.hold(this.#session, this.#unread.bytes - bytes.held(this.#session))
  }
}
