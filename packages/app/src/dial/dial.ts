// An app that dials: the way in for a page, which cannot listen. It comes back by itself, and takes its session up again,
// so that a reload, a lost network or a gateway that restarts costs no claim.
import type { Clock } from '@beckon/core'
import type { Agent } from '../app/context.js'
import type { Offer } from '../app/offer.js'
import { ConnectionClosedError } from '../errors.js'
import type { Credentials } from '../session/session.js'
import type { Welcome } from '../session/welcome.js'
import { Link, type OpenSocket } from './link.js'
import type { CredentialStorage } from './storage.js'

/** Whether the gateway is there, is being looked for, or is not looked for any more. */
export type ConnectionStatus = 'connected' | 'reconnecting' | 'closed'

/** How an app is connected to a gateway. */
export interface ConnectOptions {
  /** Keeps what the session is taken up with after a reload. In a page, the storage of the tab otherwise. */
  readonly storage?: CredentialStorage
  /** Shows a person what to tell the agent. */
  readonly onClaimCode?: (code: string) => void
  /** An agent has claimed this app: the code is spent. */
  readonly onClaimed?: (agent: Agent) => void
  readonly onStatus?: (status: ConnectionStatus) => void
  /** Gives up. */
  readonly signal?: AbortSignal
}

/** A connection that outlives its sockets. */
export interface Connection {
  readonly sessionId: string
  /** What claims the app now; undefined once it is claimed. */
  readonly claimCode: string | undefined
  close(): void
}

interface DialOptions extends ConnectOptions {
  readonly url: string
  readonly storage: CredentialStorage
  readonly openSocket: OpenSocket
}

interface Settle {
  resolve(connection: Connection): void
  reject(error: unknown): void
}

const replaced = 4001
const normal = 1000
const firstPauseMs = 500
const maxPauseMs = 30_000

/** Connects, however long that takes; rejects when the gateway refuses the app, or the signal aborts. */
export function dial(offer: Offer, options: DialOptions): Promise<Connection> {
  return new Promise((resolve, reject) => new Dialler(offer, options, { resolve, reject }).start())
}

class Dialler implements Connection {
  readonly #offer: Offer
  readonly #options: DialOptions
  readonly #settle: Settle
  #credentials: Credentials | undefined
  #welcome: Welcome | undefined
  #link: Link | undefined
  #failures = 0
  #isOver = false
  #stopTimer = () => {}

  constructor(offer: Offer, options: DialOptions, settle: Settle) {
    this.#offer = offer
    this.#options = options
    this.#settle = settle
    this.#credentials = options.storage.load()
  }

  get sessionId(): string {
    return this.#welcome?.sessionId ?? ''
  }

  get claimCode(): string | undefined {
    return this.#welcome?.claimCode
  }

  start(): void {
    const { signal } = this.#options
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (signal?.aborted) this.#onAbort()
    else this.#attempt()
  }

  close(): void {
    this.#stop(new ConnectionClosedError())
  }

  readonly #onAbort = (): void => this.#stop(this.#options.signal?.reason)

  #attempt(): void {
    const { url, openSocket, onClaimed } = this.#options
    this.#link = new Link(this.#offer, {
      url,
      openSocket,
      credentials: this.#credentials,
      events: {
        welcomed: welcome => this.#welcomed(welcome),
        claimed: agent => {
          if (this.#welcome !== undefined) this.#welcome = { ...this.#welcome, agent, claimCode: undefined }
          onClaimed?.(agent)
        },
        running: unanswered => this.#keep(this.#credentials && { ...this.#credentials, unanswered }),
        refused: error => this.#stop(error),
        closed: code => this.#closed(code),
      },
    })
  }

  #welcomed(welcome: Welcome): void {
    const { onStatus, onClaimCode } = this.#options
    const { sessionId, resumeToken, claimCode } = welcome
    this.#failures = 0
    this.#welcome = welcome
    this.#keep(resumeToken === undefined ? undefined : { sessionId, resumeToken })
    onStatus?.('connected')
    if (claimCode !== undefined) onClaimCode?.(claimCode)
    this.#settle.resolve(this)
  }

  #keep(credentials: Credentials | undefined): void {
    this.#credentials = credentials
    this.#options.storage.save(credentials)
  }

  #closed(code: number): void {
    if (this.#isOver) return
    // Another tab goes on with this session: this one starts anew.
    if (code === replaced) this.#credentials = undefined
    this.#options.onStatus?.('reconnecting')
    const delayMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures++)
    this.#stopTimer = awakeAfter(this.#offer.clock, delayMs, () => this.#attempt())
  }

  #stop(reason: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopTimer()
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#link?.close(normal, 'The app has closed the connection.')
    this.#options.onStatus?.('closed')
    this.#settle.reject(reason)
  }
}

/** As the clock has it, and the process stays meanwhile: an app that waits for its gateway is not done. */
function awakeAfter(clock: Clock, delayMs: number, fn: () => void): () => void {
  const awake = setInterval(() => {}, maxPauseMs)
  const stopTimer = clock.after(delayMs, () => {
    clearInterval(awake)
    fn()
  })
  return () => {
    clearInterval(awake)
    stopTimer()
  }
}
