// One connection to a desk, made again for as long as it is wanted. What is to be said at the start of each is its
// owner's: see `onOpen`.
import { RpcPeer } from '@beckon/core/json-rpc'
import type { ClientNotification, LiveMethod, LiveNotification, LiveParams, LiveResult } from '@beckon/core/live'
import { type SignedOut, signedOutAt } from './signed-out.js'

/** Whether the desk can be reached, and lets this person in. */
export type LinkStatus = 'connecting' | 'online' | 'offline' | 'signed-out'

export interface LinkOptions {
  readonly url: string
  /** Gives a ticket for each connection; undefined where the page proves itself otherwise. */
  readonly getTicket?: (() => Promise<string> | undefined) | undefined
  /** A connection is open: says hello. When it fails, the connection is made again. */
  readonly onOpen: () => Promise<void>
  readonly onNotification: (notification: LiveNotification) => void
  /** With what the desk says of it, where it lets nobody in. */
  readonly onStatus: (status: LinkStatus, signedOut?: SignedOut) => void
}

/** How a desk closes a socket whose person is signed out. */
const policyViolation = 1008
const firstPauseMs = 500
const maxPauseMs = 30_000
/** A page that gives no ticket for so long gives none. */
const ticketMs = 30_000

export class Link {
  readonly #options: LinkOptions
  #socket: WebSocket | undefined
  #peer: RpcPeer | undefined
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false
  /** For a ticket. */
  #isAsking = false
  /** As the desk said when it was last asked. */
  #isSignedOut = false

  constructor(options: LinkOptions) {
    this.#options = options
    addEventListener('online', this.retry)
    addEventListener('visibilitychange', this.#onSight)
    this.#connect()
  }

  /** Tries again at once. */
  readonly retry = (): void => {
    if (this.#isClosed || this.#socket !== undefined || this.#isAsking) return
    clearTimeout(this.#timer)
    this.#connect()
  }

  /** Rejects with an `RpcError` where the desk refuses. */
  async request<M extends LiveMethod>(method: M, params: LiveParams<M>): Promise<LiveResult<M>> {
    if (!this.#isOpen || this.#peer === undefined) throw new Error('There is no connection.')
    // A page has its desk's word for everything that it shows, so also for this.
    return (await this.#peer.request(method, params)) as LiveResult<M>
  }

  /** Whether it was sent. */
  notify<M extends ClientNotification>(method: M, params: LiveParams<M>): boolean {
    if (this.#isOpen) this.#peer?.notify(method, params)
    return this.#isOpen
  }

  close(): void {
    this.#isClosed = true
    removeEventListener('online', this.retry)
    removeEventListener('visibilitychange', this.#onSight)
    clearTimeout(this.#timer)
    this.#socket?.close()
  }

  get #isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  #connect(): void {
    const { url, getTicket } = this.#options
    if (this.#failures === 0) this.#report('connecting')
    const ticket = getTicket?.()
    if (ticket === undefined) {
      this.#open(url)
      return
    }
    this.#isAsking = true
    within(ticketMs, ticket).then(
      given => {
        this.#isAsking = false
        if (!this.#isClosed) this.#open(withTicket(url, given))
      },
      () => {
        this.#isAsking = false
        this.#lost()
        this.#report(navigator.onLine ? 'signed-out' : 'offline')
      },
    )
  }

  #open(url: string): void {
    const { onOpen, onNotification } = this.#options
    const socket = new WebSocket(url)
    // The desk has checked what others wrote, and what it kept has to be shown, however it is nested.
    const maxDepth = Number.POSITIVE_INFINITY
    const peer = new RpcPeer({
      send: text => socket.send(text),
      onNotification: (method, params) => onNotification(said(method, params)),
      maxDepth,
    })
    let isOpened = false
    this.#socket = socket
    this.#peer = peer
    socket.onopen = () => {
      isOpened = true
      onOpen().then(
        () => {
          this.#failures = 0
          this.#isSignedOut = false
          this.#report('online')
        },
        () => socket.close(),
      )
    }
    socket.onmessage = ({ data }) => peer.receive(String(data))
    socket.onclose = ({ code }) => {
      this.#lost()
      // A socket that is not opened, or closed for who is on it, may be one of someone who is signed out: what to say of
      // it is known once the desk was asked.
      if (!isOpened || code === policyViolation) void this.#askWhy()
      else this.#report('offline')
    }
  }

  #lost(): void {
    this.#socket = undefined
    this.#peer?.close(new Error('The connection was lost.'))
    if (this.#isClosed) return
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures++)
    // Not everyone at once, when a desk comes back.
    this.#timer = setTimeout(() => this.#connect(), pauseMs * (0.5 + Math.random() / 2))
  }

  async #askWhy(): Promise<void> {
    const signedOut = await signedOutAt(this.#options.url)
    // It may be online again by now.
    if (this.#failures === 0) return
    const mayBeLetIn = this.#isSignedOut && signedOut === undefined
    this.#isSignedOut = signedOut !== undefined
    // Someone may have signed in elsewhere since: then it is not the connection that is missing.
    if (mayBeLetIn) this.retry()
    else this.#report(this.#isSignedOut ? 'signed-out' : 'offline', signedOut)
  }

  #report(status: LinkStatus, signedOut?: SignedOut): void {
    if (!this.#isClosed) this.#options.onStatus(status, signedOut)
  }

  /** A person who comes back to the page may have signed in elsewhere. */
  readonly #onSight = (): void => {
    if (!document.hidden) this.retry()
  }
}

/** What a page hears is its desk's, which says it as it is typed; what is unknown matches nothing. */
function said(method: string, params: object): LiveNotification {
  return { method, params } as LiveNotification
}

function withTicket(url: string, ticket: string): string {
  const address = new URL(url)
  address.searchParams.set('ticket', ticket)
  return address.href
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It takes too long.')), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
