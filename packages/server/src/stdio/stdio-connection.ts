// One connection over standard input and output. Its first request says which era it is of, and it stays of that; a client may ask
// `server/discover` before, to find out whether it can be of 2026-07-28.
//
// Threat: a message that is nested so deeply that checking it runs out of stack. It is refused as over HTTP.
import { isRecord } from '@beckon/core/json-rpc'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { ClientConnection } from '../connections/client-connection.js'
import { excessOf, maxDepth } from '../http/json-size.js'
import { Listeners } from '../http/listeners.js'
import { bothNotifiers, legacyNotifier, type Notifier, type Served } from '../http/served.js'
import { maxSubscriptions, type Subscription, subscribe, subscriptionEnd, wantedIn } from '../http/subscription.js'
import type { Link } from '../protocol/link.js'
import { isId, type RequestId, type RpcMessage, type RpcRequest } from '../protocol/messages.js'
import { RequestError } from '../protocol/request-error.js'
import { rev20251125 } from '../protocol/rev2025/rev2025.js'
import {
  claimsEnvelope,
  type Envelope,
  type EnvelopeIssue,
  isIssue,
  metaIn,
  readEnvelope,
} from '../protocol/rev2026/envelope.js'
import { isModern, modernVersions, rev20260728, unsupportedVersion } from '../protocol/rev2026/rev2026.js'
import { internalError, type WireError, wireErrorOf } from '../protocol/wire-error.js'
import type { StdioServing } from './serve-stdio.js'

/** How often is looked for questions that nobody will answer any more. */
const expiryMs = 60_000

export class StdioConnection implements StdioServing {
  readonly notify: Notifier
  readonly closed: Promise<void>
  readonly #served: Served
  readonly #transport: Transport
  readonly #principal: string | undefined
  readonly #sessionId = crypto.randomUUID()
  readonly #listeners = new Listeners()
  /** Requests to listen that are open; undefined until they are acknowledged. */
  readonly #subscriptions = new Map<RequestId, Subscription | undefined>()
  readonly #started: Promise<void>
  #expiry: ReturnType<typeof setInterval> | undefined
  #connection: ClientConnection | undefined
  /** Answers `server/discover` while the era is open. */
  #probe: ClientConnection | undefined
  #isClosed = false
  #onClosed = (): void => {}

  constructor(served: Served, transport: Transport, principal: string | undefined) {
    this.#served = served
    this.#transport = transport
    this.#principal = principal
    this.closed = new Promise(resolve => {
      this.#onClosed = resolve
    })
    this.notify = bothNotifiers(
      legacyNotifier((method, concerns, params) => {
        const connection = this.#connection
        if (connection?.link.codec.takesNotifications && concerns(connection.link)) connection.notify(method, params)
      }),
      this.#listeners.notify,
    )
    transport.onmessage = message => this.#receive(message as RpcMessage)
    transport.onerror = error => served.onError?.(error)
    transport.onclose = () => this.#end()
    this.#started = transport.start().catch(error => served.onError?.(error))
  }

  async close(): Promise<void> {
    await this.#started
    if (this.#isClosed) return
    const ended = [...this.#subscriptions.keys()].map(id => this.#send(subscriptionEnd(id, this.#served.info)))
    await Promise.all(ended)
    this.#end()
    await this.#transport.close().catch(error => this.#served.onError?.(error))
  }

  /** Nothing comes or goes any more. */
  #end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#expiry)
    for (const subscription of this.#subscriptions.values()) subscription?.stop()
    this.#subscriptions.clear()
    this.#connection?.close()
    this.#probe?.close()
    this.#onClosed()
  }

  #receive(message: RpcMessage): void {
    if (excessOf(message, { depth: maxDepth, values: Number.POSITIVE_INFINITY }) !== undefined)
      this.#refuse(message, { code: -32600, message: 'Invalid Request: the message is nested too deeply' })
    else if (this.#connection === undefined) this.#open(message)
    else if (this.#connection.link.codec.hasSessions) this.#connection.receive(message)
    else this.#receiveModern(this.#connection, message)
  }

  /** Takes a message before it is known which era the connection is of. */
  #open(message: RpcMessage): void {
    if (!('method' in message)) {
      this.#served.onError?.(new Error('A response came before any request.'))
      return
    }
    const { method, params } = message
    const envelope = claimsEnvelope(params) ? readEnvelope(metaIn(params) ?? {}) : undefined
    if (envelope === undefined || (method === 'initialize' && !isValid(envelope))) {
      this.#connection = this.#connect(rev20251125)
      this.#connection.receive(message)
    } else if (isIssue(envelope)) this.#refuse(message, invalidEnvelope(envelope))
    else if (!modernVersions.includes(envelope.version)) this.#refuse(message, unsupportedVersion(envelope.version))
    else if (method === 'server/discover' && 'id' in message) {
      this.#probe ??= this.#connect(rev20260728)
      this.#probe.receive(message)
    } else if ('id' in message) {
      const connection = this.#probe ?? this.#connect(rev20260728)
      this.#connection = connection
      this.#receiveModern(connection, message)
    }
  }

  #receiveModern(connection: ClientConnection, message: RpcMessage): void {
    if ('method' in message && 'id' in message) this.#request(connection, message)
    else {
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#unsubscribe(message.params?.requestId)
      connection.receive(message)
    }
  }

  #request(connection: ClientConnection, message: RpcRequest): void {
    const { id, method, params } = message
    if (this.#subscriptions.has(id))
      this.#refuse(message, { code: -32600, message: 'Invalid Request: this id is in use' })
    else if (method === 'initialize' && !claimsEnvelope(params))
      this.#refuse(message, unsupportedVersion(versionIn(params)))
    else if (method === 'subscriptions/listen') void this.#listen(message, connection.link)
    else connection.receive(message)
  }

  #connect(codec: Link['codec']): ClientConnection {
    const link: Link = {
      codec,
      transport: 'stdio',
      principal: this.#principal,
      sessionId: this.#sessionId,
      subscriptions: new Set(),
    }
    const connection = this.#served.connection(link)
    connection.open((message, related) => void this.#send(message, related))
    if (codec.takesRequests && this.#expiry === undefined) {
      this.#expiry = setInterval(() => connection.expireQuestions(Date.now()), expiryMs)
      this.#expiry.unref?.()
    }
    return connection
  }

  async #listen(message: RpcRequest, link: Link): Promise<void> {
    const { id, params } = message
    try {
      const envelope = readEnvelope(metaIn(params) ?? {})
      if (isIssue(envelope)) return this.#refuse(message, invalidEnvelope(envelope))
      if (this.#subscriptions.size >= maxSubscriptions)
        throw new RequestError(-32603, `A connection has at most ${maxSubscriptions} subscriptions.`)
      const wanted = wantedIn(message, envelope.capabilities)
      this.#subscriptions.set(id, undefined)
      const isOpen = () => this.#subscriptions.has(id)
      const subscription = await subscribe(this.#served, this.#listeners, {
        wanted,
        link,
        send: notification => void (isOpen() && this.#send(notification)),
      })
      // It was cancelled, or the connection closed, while its tasks were looked for.
      if (isOpen()) this.#subscriptions.set(id, subscription)
      else subscription.stop()
    } catch (error) {
      this.#subscriptions.delete(id)
      const known = wireErrorOf(error, link.codec)
      if (known === undefined) this.#served.onError?.(error)
      this.#refuse(message, known ?? internalError)
    }
  }

  #unsubscribe(id: unknown): void {
    if (!isId(id)) return
    this.#subscriptions.get(id)?.stop()
    this.#subscriptions.delete(id)
  }

  #refuse(message: RpcMessage, error: WireError): void {
    if ('method' in message && 'id' in message) void this.#send({ jsonrpc: '2.0', id: message.id, error })
    else this.#served.onError?.(new Error(error.message))
  }

  async #send(message: RpcMessage, relatedRequestId?: RequestId): Promise<void> {
    try {
      await this.#transport.send(message as JSONRPCMessage, relatedRequestId === undefined ? {} : { relatedRequestId })
    } catch (error) {
      if (this.#isClosed) return
      this.#served.onError?.(error)
      // A result, or what an error says beside its message, that is not JSON: a request without an answer never ends.
      if (!('method' in message) && message.id !== undefined)
        await this.#transport.send({ jsonrpc: '2.0', id: message.id, error: internalError }).catch(() => {})
    }
  }
}

/** Whether an envelope is one of a revision without sessions. */
function isValid(envelope: Envelope | EnvelopeIssue): boolean {
  return !isIssue(envelope) && isModern(envelope.version)
}

function versionIn(params: unknown): string {
  return isRecord(params) && typeof params.protocolVersion === 'string' ? params.protocolVersion : 'unknown'
}

function invalidEnvelope(envelope: EnvelopeIssue): WireError {
  return { code: -32602, message: `Invalid _meta: ${envelope.key}: ${envelope.problem}`, data: { envelope } }
}
