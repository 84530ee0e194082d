import type { RpcMessage } from '../../protocol/messages.js'
import { takesBatches } from '../../protocol/rev2025/rev2025.js'
import { legacyVersions } from '../../protocol/rev2025/versions.js'
import { isModern } from '../../protocol/rev2026/rev2026.js'
import { internalError } from '../../protocol/wire-error.js'
import { StoreUnavailableError } from '../../store/store-unavailable.js'
import type { Exchange, HttpResponse } from '../exchange/exchange.js'
import type { HttpOptions } from '../options.js'
import { refuse } from '../reply-with.js'
import { legacyNotifier, type Notifier, type Served } from '../served.js'
import { SharedInterval } from '../shared-interval.js'
import { Holdings } from './holdings.js'
import { resolveLimits } from './limits.js'
import { isInitialize, isLegacyMessage, requestIds } from './messages.js'
import { refuseFailure, refuseUnknownSession } from './replies.js'
import { Session } from './session.js'
import type { SessionStream } from './session-stream.js'
import { type NoRoom, SessionTable } from './session-table.js'
import { SharedSessions } from './shared/shared-sessions.js'

/** One request of a few megabytes could have tens of thousands of calls begin otherwise. */
const maxBatch = 100

/** A call that is quicker than this, and has nothing to say on the way, is answered without an event stream. */
const lateOpeningMs = 1_000

/** The sessions of 2025 clients. */
export class Sessions {
  readonly #served: Served
  readonly #keepAlive: SharedInterval<HttpResponse>
  readonly #expiry: SharedInterval<Session>
  readonly #lateOpening = new SharedInterval<SessionStream>(lateOpeningMs, stream => {
    stream.open()
    this.#lateOpening.delete(stream)
  })
  readonly #sessions: SessionTable
  readonly #known: Holdings
  readonly #anonymous: Holdings
  /** Undefined where there is one node. */
  readonly #shared: SharedSessions | undefined

  constructor(served: Served, options: HttpOptions, keepAlive: SharedInterval<HttpResponse>) {
    const { maxSessions, maxSessionsPerPrincipal, known, anonymous, idleMs, stored } = resolveLimits(options)
    this.#served = served
    this.#keepAlive = keepAlive
    this.#sessions = new SessionTable(maxSessions, maxSessionsPerPrincipal)
    this.#known = new Holdings(known)
    this.#anonymous = new Holdings(anonymous)
    const { sharing } = served
    this.#shared = sharing && new SharedSessions({ sharing, limits: stored, keepAlive })
    this.#expiry = new SharedInterval(Math.min(idleMs, 60_000), session => {
      session.expireQuestions(Date.now())
      if (!session.isIdle) session.used()
      else if (Date.now() - session.lastUsedAt >= idleMs) void session.close()
    })
  }

  /** Whether a POST is for a session beyond doubt, which spares it a slower look. */
  isOurs(exchange: Exchange, message: unknown): boolean {
    const version = exchange.header('mcp-protocol-version')
    return (
      exchange.header('mcp-session-id') !== undefined &&
      (version === undefined || !isModern(version)) &&
      isLegacyMessage(message)
    )
  }

  /** Takes a POST that was found to be well-formed and of 2025. */
  post(exchange: Exchange, body: unknown, principal: string | undefined): void {
    if (!acceptsBoth(exchange)) {
      notAcceptable(exchange, 'application/json and text/event-stream')
      return
    }
    const isBatch = Array.isArray(body)
    const messages = (isBatch ? body : [body]) as RpcMessage[]
    const begins = messages.some(isInitialize)
    if (begins && !isBatch && exchange.header('mcp-session-id') === undefined) {
      this.#initialize(exchange, messages, principal)
      return
    }
    this.#find(exchange, principal, session => {
      if (isBatch && !takesBatches(session.version)) invalid(exchange, 'this revision has no batches')
      else if (messages.length > maxBatch) invalid(exchange, `a batch has at most ${maxBatch} messages`)
      else if (begins) invalid(exchange, 'this session is initialized')
      else session.receive(exchange, messages)
    })
  }

  get(exchange: Exchange, principal: string | undefined): void {
    if (!accepts(exchange, 'text/event-stream')) notAcceptable(exchange, 'text/event-stream')
    else this.#find(exchange, principal, session => session.stream(exchange, exchange.header('last-event-id')))
  }

  delete(exchange: Exchange, principal: string | undefined): void {
    const id = sessionIdOf(exchange)
    if (id === undefined) return
    const ended = (isEnded: boolean): void => (isEnded ? exchange.reply(200, [], '') : refuseUnknownSession(exchange))
    if (this.#shared === undefined) ended(this.#endHere(id, principal))
    else this.#shared.end(id, principal).then(ended, error => this.#refuse(exchange, error))
  }

  get notify(): Notifier {
    return legacyNotifier((method, concerns, params) => {
      for (const session of this.#sessions.all())
        if (session.isOpen && concerns(session.link)) session.connection.notify(method, params)
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#sessions.all().map(session => session.close()))
    this.#shared?.stop()
    this.#expiry.stop()
    this.#lateOpening.stop()
  }

  #initialize(exchange: Exchange, messages: readonly RpcMessage[], principal: string | undefined): void {
    this.#open(principal).then(
      session => session.receive(exchange, messages),
      error => this.#refuse(exchange, error, messages),
    )
  }

  /** A session that is not initialized, with the id of another node's where it is that one's copy. */
  async #open(principal: string | undefined, sessionId?: string): Promise<Session> {
    const noRoom = this.#sessions.makeRoomFor(principal)
    if (noRoom !== undefined) throw new NoRoomError(noRoom)
    const shared = this.#shared
    const session = new Session({
      sessionId,
      served: this.#served,
      principal,
      holdings: principal === undefined ? this.#anonymous : this.#known,
      keepAlive: this.#keepAlive,
      lateOpening: this.#lateOpening,
      share: shared && (own => shared.share(own)),
      onClose: closed => {
        this.#sessions.delete(closed)
        this.#expiry.delete(closed)
        if (closed.shared !== undefined) shared?.left(closed.shared)
      },
    })
    // At once, so that many who come together do not all find the same room.
    this.#sessions.add(session)
    this.#expiry.add(session)
    return session
  }

  #endHere(id: string, principal: string | undefined): boolean {
    const session = this.#sessions.get(id)
    if (!session?.isOpen || session.link.principal !== principal) return false
    void session.close()
    return true
  }

  /** Finds the session of a request: here, or on other nodes, whose session then is here, too. */
  #find(exchange: Exchange, principal: string | undefined, found: (session: Session) => void): void {
    const id = sessionIdOf(exchange)
    if (id === undefined) return
    const session = this.#sessions.get(id)
    if (session?.isOpen && session.link.principal === principal) found(session)
    // Another person's session is as unknown as one that never was.
    else if (session?.isOpen || this.#shared === undefined) refuseUnknownSession(exchange)
    else
      this.#shared
        .load(id, principal, sessionId => this.#open(principal, sessionId))
        .then(loaded => (loaded === undefined ? refuseUnknownSession(exchange) : found(loaded)))
        .catch(error => this.#refuse(exchange, error))
  }

  #refuse(exchange: Exchange, error: unknown, messages: readonly RpcMessage[] = []): void {
    if (error instanceof NoRoomError) refuseSession(exchange, error.reason, messages)
    else if (error instanceof StoreUnavailableError) refuseFailure(exchange, error)
    else {
      this.#served.onError?.(error)
      refuse(exchange, 500, internalError)
    }
  }
}

class NoRoomError extends Error {
  readonly reason: NoRoom

  constructor(reason: NoRoom) {
    super('There is no room for a session')
    this.reason = reason
  }
}

/** The session that a request names; undefined when it is refused. */
function sessionIdOf(exchange: Exchange): string | undefined {
  const version = exchange.header('mcp-protocol-version')
  const id = exchange.header('mcp-session-id')
  const isSupported = version === undefined || legacyVersions.includes(version)
  if (isSupported && id !== undefined) return id
  const why = isSupported
    ? 'the header Mcp-Session-Id is missing; initialize first'
    : `unsupported protocol version ${version}; there are ${legacyVersions.join(', ')}`
  refuse(exchange, 400, { code: -32000, message: `Bad Request: ${why}` })
  return undefined
}

/** What a POST must accept, as most clients write it. */
const both = 'application/json, text/event-stream'

function acceptsBoth(exchange: Exchange): boolean {
  if (exchange.header('accept') === both) return true
  return accepts(exchange, 'application/json') && accepts(exchange, 'text/event-stream')
}

function accepts(exchange: Exchange, type: string): boolean {
  const header = exchange.header('accept')?.toLowerCase()
  return header !== undefined && (header.includes(type) || header.includes('*/*'))
}

function notAcceptable(exchange: Exchange, types: string): void {
  refuse(exchange, 406, { code: -32000, message: `Not Acceptable: the client must accept ${types}` })
}

function invalid(exchange: Exchange, why: string): void {
  refuse(exchange, 400, { code: -32600, message: `Invalid Request: ${why}` })
}

function refuseSession(exchange: Exchange, noRoom: NoRoom, messages: readonly RpcMessage[]): void {
  const [id = null] = requestIds(messages)
  const message =
    noRoom === 'principal'
      ? 'Too many sessions of this caller: close one, or try again later'
      : 'Too many sessions; try again later'
  const headers = ['Retry-After', '5']
  refuse(exchange, noRoom === 'principal' ? 429 : 503, { id, code: -32000, message, headers })
}
