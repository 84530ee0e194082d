import { isRecord } from '@beckon/core/json-rpc'
import { codecNamed } from '../protocol/codec.js'
import { isId, type RequestId } from '../protocol/messages.js'
import { internalError } from '../protocol/wire-error.js'
import { classify } from './classify.js'
import type { Exchange, HttpResponse } from './exchange/exchange.js'
import { type Guard, refusal } from './guard.js'
import { maxDepth } from './json-size.js'
import { isListening, LastingStreams } from './lasting-streams.js'
import { answerLean, answerLeanTask } from './lean/answer-lean.js'
import { isAboutTask, isAsking, type RegularRequest, regularRequest } from './lean/regular-request.js'
import { Modern } from './modern.js'
import type { HttpOptions } from './options.js'
import { parameterMismatch } from './parameter-headers.js'
import { readMessage } from './read-message.js'
import { accept, refuse } from './reply-with.js'
import { type Authorized, bothNotifiers, type HttpRefusal, type Notifier, type Served } from './served.js'
import { Sessions } from './sessions/sessions.js'
import { SharedInterval } from './shared-interval.js'

const defaultMaxBodyBytes = 4 * 1024 * 1024
const defaultMaxValues = 100_000
const defaultKeepAliveMs = 15_000
/** Who listens is let in again with every so many keep-alives. */
const keepAlivesPerCheck = 4

/** The MCP endpoint: takes HTTP requests of every revision, whatever they came in on. */
export interface Endpoint {
  handle(exchange: Exchange, guard: Guard): void
  readonly notify: Notifier
  close(): Promise<void>
}

/** By what someone was let in. */
interface Admission extends Pick<Authorized, 'refuse'> {
  /** They listen from now on, for as long as they are let in. */
  listens(): void
}

/** Someone whose request is taken. */
interface Admitted {
  readonly principal: string | undefined
  readonly by: Admission | undefined
}

/** Where nothing says who a request is from. */
const nobody: Admitted = { principal: undefined, by: undefined }

/** A body may take minutes to come. Anyone whose request took longer than this is looked at again, before anything is done. */
const provenMs = 1_000

export function endpoint(served: Served, options: HttpOptions = {}): Endpoint {
  const { maxBodyBytes = defaultMaxBodyBytes, maxValues = defaultMaxValues, keepAliveMs = defaultKeepAliveMs } = options
  const limits = { maxBytes: maxBodyBytes, size: { values: maxValues, depth: maxDepth } }
  const keepAlive = new SharedInterval<HttpResponse>(keepAliveMs, response => response.write(': still here\n\n'))
  const lasting = new LastingStreams(keepAliveMs * keepAlivesPerCheck)
  const sessions = new Sessions(served, options, keepAlive)
  const modern = new Modern(served, keepAlive)
  const { isPublic = false, now = () => performance.now() } = served
  let isClosed = false

  function handle(exchange: Exchange, guard: Guard): void {
    const refused = refusal(exchange, guard)
    if (isClosed)
      refuse(exchange, 503, { code: -32000, message: 'The server is closed', headers: ['Connection', 'close'] })
    else if (refused !== undefined) refuse(exchange, 403, { code: -32000, message: refused })
    else if (!isAllowed(exchange)) methodNotAllowed(exchange)
    else if (served.authorize === undefined && served.identify === undefined) admit(exchange, nobody)
    else letIn(exchange)
  }

  async function letIn(exchange: Exchange): Promise<void> {
    const admitted = await look(exchange)
    if (admitted !== undefined) admit(exchange, admitted)
  }

  /** Who sends it; undefined where they were turned away. */
  function look(exchange: Exchange): Promise<Admitted | undefined> {
    const { authorize, identify = () => undefined } = served
    return authorize === undefined ? identified(exchange, identify) : authorized(exchange, authorize)
  }

  async function authorized(
    exchange: Exchange,
    authorize: NonNullable<Served['authorize']>,
  ): Promise<Admitted | undefined> {
    const letIn = () => authorize(name => exchange.header(name))
    let verdict: Authorized | HttpRefusal
    try {
      verdict = await letIn()
    } catch (error) {
      served.onError?.(error)
      refuse(exchange, 500, internalError)
      return undefined
    }
    if ('status' in verdict) {
      turnAway(exchange, verdict, null)
      return undefined
    }
    const { principal, refuse: refusalOf } = verdict
    return { principal, by: { refuse: refusalOf, listens: () => lasting.hold(exchange, principal, letIn) } }
  }

  async function identified(
    exchange: Exchange,
    identify: NonNullable<Served['identify']>,
  ): Promise<Admitted | undefined> {
    try {
      return { principal: await identify(exchange.request()), by: undefined }
    } catch (reason) {
      unauthorized(exchange, reason)
      return undefined
    }
  }

  function admit(exchange: Exchange, admitted: Admitted): void {
    const { method } = exchange
    const { principal, by } = admitted
    if (method === 'GET') {
      by?.listens()
      guarded(exchange, () => sessions.get(exchange, principal))
    } else if (method === 'DELETE') guarded(exchange, () => sessions.delete(exchange, principal))
    else {
      const until = now() + provenMs
      readMessage(exchange, limits, message => {
        if (admitted === nobody || now() < until) take(exchange, message, admitted)
        else takeAnew(exchange, message, admitted)
      })
    }
  }

  /** Its sender was let in a while ago: who they are now is who they were, or nothing is done. */
  async function takeAnew(exchange: Exchange, message: unknown, { principal }: Admitted): Promise<void> {
    const again = await look(exchange)
    if (again === undefined) return
    if (again.principal === principal) take(exchange, message, again)
    else unauthorized(exchange, undefined)
  }

  function take(exchange: Exchange, message: unknown, { principal, by }: Admitted): void {
    try {
      const refused = by?.refuse(message)
      if (by !== undefined && refused === undefined && isListening(message)) by.listens()
      if (refused === undefined) post(exchange, message, principal)
      else turnAway(exchange, refused, message)
    } catch (error) {
      broken(exchange, error)
    }
  }

  function guarded(exchange: Exchange, answer: () => void): void {
    try {
      answer()
    } catch (error) {
      broken(exchange, error)
    }
  }

  /** What fails here is ours, and not the client's. */
  function broken(exchange: Exchange, error: unknown): void {
    served.onError?.(error)
    refuse(exchange, 500, internalError)
  }

  function post(exchange: Exchange, message: unknown, principal: string | undefined): void {
    const request = regularRequest(message, exchange)
    if (request !== undefined) regular(exchange, request, { message, principal })
    else if (sessions.isOurs(exchange, message)) sessions.post(exchange, message, principal)
    else other(exchange, message, principal)
  }

  /** Takes what has to be looked at more closely. */
  function other(exchange: Exchange, message: unknown, principal: string | undefined): void {
    const classified = classify(message, exchange)
    if (classified.kind === 'legacy') sessions.post(exchange, message, principal)
    else if (classified.kind === 'notification') accept(exchange)
    else if (classified.kind === 'request') modern.serve(exchange, classified, principal)
    else refuse(exchange, classified.status, { id: idIn(message), ...classified.error })
  }

  function regular(
    exchange: Exchange,
    request: RegularRequest,
    call: { readonly message: unknown; readonly principal: string | undefined },
  ): void {
    const { principal } = call
    const mismatch = mismatchOf(request, exchange)
    if (mismatch !== undefined) refuse(exchange, 400, { id: request.id, ...mismatch })
    else if (isAsking(request) && served.isKnown(request.method, request.name))
      answerLean(served, request, exchange, { principal, isPublic, keepAlive })
    else if (isAboutTask(request) && served.answerTask !== undefined)
      answerLeanTask(served, request, exchange, { principal, isPublic, keepAlive })
    else other(exchange, call.message, principal)
  }

  function mismatchOf(
    { method, name, params }: RegularRequest,
    exchange: Exchange,
  ): ReturnType<typeof parameterMismatch> {
    const headers = method === 'tools/call' ? served.parameterHeaders?.(name) : undefined
    return headers && parameterMismatch(headers, params.arguments, exchange)
  }

  async function close(): Promise<void> {
    isClosed = true
    keepAlive.stop()
    lasting.stop()
    modern.close()
    await sessions.close()
  }

  return { handle, notify: bothNotifiers(sessions.notify, modern.notify), close }
}

/** The id that an error is told with. */
function idIn(message: unknown): RequestId | null {
  return isRecord(message) && isId(message.id) ? message.id : null
}

/** GET and DELETE are of sessions, which not every revision has. */
function isAllowed(exchange: Exchange): boolean {
  if (exchange.method === 'POST') return true
  const isOfSessions = exchange.method === 'GET' || exchange.method === 'DELETE'
  return isOfSessions && codecNamed(exchange.header('mcp-protocol-version'))?.hasSessions !== false
}

function methodNotAllowed(exchange: Exchange): void {
  refuse(exchange, 405, { code: -32000, message: 'Method not allowed.', headers: ['Allow', 'GET, POST, DELETE'] })
}

function unauthorized(exchange: Exchange, reason: unknown): void {
  if (reason instanceof Response) return void exchange.forward(reason)
  refuse(exchange, 401, { code: -32000, message: 'Unauthorized', headers: ['WWW-Authenticate', 'Bearer'] })
}

function turnAway(exchange: Exchange, { status, message, headers }: HttpRefusal, sent: unknown): void {
  refuse(exchange, status, { id: idIn(sent), code: -32000, message, headers })
}
