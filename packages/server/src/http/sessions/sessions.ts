import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { Exchange } from '../exchange/exchange.js'
import type { HttpOptions } from '../options.js'
import { refuse } from '../reply-with.js'
import type { Concerns, Notifier, Served } from '../served.js'
import { SharedInterval } from '../shared-interval.js'
import { Holdings } from './holdings.js'
import { resolveLimits } from './limits.js'
import { isInitialize, isLegacyMessage, requestIds } from './messages.js'
import { Session } from './session.js'
import type { SessionStream } from './session-stream.js'
import { type NoRoom, SessionTable } from './session-table.js'

const defaultIdleMs = 30 * 60_000

/** One request of a few megabytes could have tens of thousands of calls begin otherwise. */
const maxBatch = 100

/** A call that is quicker than this, and has nothing to say on the way, is answered without an event stream. */
const lateOpeningMs = 1_000

/** The sessions of 2025 clients. */
export class Sessions {
  readonly #served: Served
  readonly #keepAlive: SharedInterval<Exchange>
  readonly #expiry: SharedInterval<Session>
  readonly #lateOpening = new SharedInterval<SessionStream>(lateOpeningMs, stream => {
    stream.open()
    this.#lateOpening.delete(stream)
  })
  readonly #sessions: SessionTable
  readonly #known: Holdings
  readonly #anonymous: Holdings

  constructor(served: Served, options: HttpOptions, keepAlive: SharedInterval<Exchange>) {
    const { sessionIdleMs = defaultIdleMs } = options
    const { maxSessions, maxSessionsPerPrincipal, known, anonymous } = resolveLimits(options)
    this.#served = served
    this.#keepAlive = keepAlive
    this.#sessions = new SessionTable(maxSessions, maxSessionsPerPrincipal)
    this.#known = new Holdings(known)
    this.#anonymous = new Holdings(anonymous)
    this.#expiry = new SharedInterval(Math.min(sessionIdleMs, 60_000), session => {
      if (!session.isIdle) session.lastUsedAt = Date.now()
      else if (Date.now() - session.lastUsedAt >= sessionIdleMs) void session.close()
    })
  }

  /** Whether a POST is for a session beyond doubt, which spares it the SDK's slower look. */
  isOurs(exchange: Exchange, message: unknown): boolean {
    const version = exchange.header('mcp-protocol-version')
    return (
      exchange.header('mcp-session-id') !== undefined &&
      (version === undefined || version < '2026') &&
      isLegacyMessage(message)
    )
  }

  /** Takes a POST that the SDK, or `isOurs`, found to be well-formed and of 2025. */
  post(exchange: Exchange, body: unknown, principal: string | undefined): void {
    if (!accepts(exchange, 'application/json') || !accepts(exchange, 'text/event-stream')) {
      notAcceptable(exchange, 'application/json and text/event-stream')
      return
    }
    const messages = (Array.isArray(body) ? body : [body]) as JSONRPCMessage[]
    if (isInitialize(body) && exchange.header('mcp-session-id') === undefined) {
      this.#initialize(exchange, messages, principal)
      return
    }
    const session = this.#find(exchange, principal)
    if (session === undefined) return
    if (Array.isArray(body) && !session.takesBatches) invalid(exchange, 'this revision has no batches')
    else if (messages.length > maxBatch) invalid(exchange, `a batch has at most ${maxBatch} messages`)
    else if (messages.some(isInitialize)) invalid(exchange, 'this session is initialized')
    else session.receive(exchange, messages)
  }

  get(exchange: Exchange, principal: string | undefined): void {
    if (!accepts(exchange, 'text/event-stream')) notAcceptable(exchange, 'text/event-stream')
    else this.#find(exchange, principal)?.stream(exchange, exchange.header('last-event-id'))
  }

  delete(exchange: Exchange, principal: string | undefined): void {
    const session = this.#find(exchange, principal)
    if (session === undefined) return
    void session.close()
    exchange.reply(200, [], '')
  }

  get notify(): Notifier {
    const tell = (send: (session: Session) => Promise<void>, concerns: Concerns = () => true): void => {
      for (const session of this.#sessions.all()) {
        // One that has no such capability, or has just closed, is not told.
        if (session.isOpen && concerns(session.link)) send(session).catch(() => {})
      }
    }
    return {
      toolsChanged: concerns => tell(({ server }) => server.sendToolListChanged(), concerns),
      promptsChanged: concerns => tell(({ server }) => server.sendPromptListChanged(), concerns),
      resourcesChanged: concerns => tell(({ server }) => server.sendResourceListChanged(), concerns),
      resourceUpdated: uri =>
        tell(
          ({ server }) => server.sendResourceUpdated({ uri }),
          ({ subscriptions }) => subscriptions.has(uri),
        ),
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#sessions.all().map(session => session.close()))
    this.#expiry.stop()
    this.#lateOpening.stop()
  }

  #initialize(exchange: Exchange, messages: readonly JSONRPCMessage[], principal: string | undefined): void {
    const noRoom = this.#sessions.makeRoomFor(principal)
    if (noRoom !== undefined) {
      refuseSession(exchange, noRoom, messages)
      return
    }
    const session = new Session({
      served: this.#served,
      principal,
      holdings: principal === undefined ? this.#anonymous : this.#known,
      keepAlive: this.#keepAlive,
      lateOpening: this.#lateOpening,
      onClose: closed => {
        this.#sessions.delete(closed)
        this.#expiry.delete(closed)
      },
    })
    // At once, so that many who come together do not all find the same room.
    this.#sessions.add(session)
    this.#expiry.add(session)
    session.server.connect(session).then(
      () => session.receive(exchange, messages),
      error => {
        void session.close()
        this.#served.onError?.(error)
        refuse(exchange, 500, { code: -32603, message: 'Internal error' })
      },
    )
  }

  /** Another person's session is as unknown as one that never was. */
  #find(exchange: Exchange, principal: string | undefined): Session | undefined {
    const version = exchange.header('mcp-protocol-version')
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ')
      refuse(exchange, 400, {
        code: -32000,
        message: `Bad Request: unsupported protocol version ${version}; there are ${supported}`,
      })
      return undefined
    }
    const id = exchange.header('mcp-session-id')
    if (id === undefined) {
      refuse(exchange, 400, {
        code: -32000,
        message: 'Bad Request: the header Mcp-Session-Id is missing; initialize first',
      })
      return undefined
    }
    const session = this.#sessions.get(id)
    if (session?.isOpen && session.link.principal === principal) return session
    refuse(exchange, 404, { code: -32001, message: 'Session not found' })
    return undefined
  }
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

function refuseSession(exchange: Exchange, noRoom: NoRoom, messages: readonly JSONRPCMessage[]): void {
  const [id = null] = requestIds(messages)
  const message =
    noRoom === 'principal'
      ? 'Too many sessions of this caller: close one, or try again later'
      : 'Too many sessions; try again later'
  const headers = ['Retry-After', '5']
  refuse(exchange, noRoom === 'principal' ? 429 : 503, { id, code: -32000, message, headers })
}
