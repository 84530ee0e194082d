// Asks of programs in other processes, in any language: they prove with a token which server they are, and may open asks, wait
// for them and withdraw them, and nothing else: they see and answer nothing of others. Their calls are under their own name,
// so that no server can take another's for its own.

import { BeckonError } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import type { Clock } from 'beckon'
import type { AskDesk, CallReport, DeskOutcome } from 'beckon/desk/adapter'
import { StoreUnavailableError } from 'beckon/store'
import type { RemoteSearch, RemoteSearches } from '../asks/remote-searches.js'
import { KeyedRate } from '../limits/keyed-rate.js'
import type { Rate } from '../limits/token-bucket.js'
import { otherContent, RefusedError, unavailable } from '../policy/refusals.js'
import { json, type RestReply, type RestRequest } from '../rest/exchange.js'
import { serverOperations } from '../rest/openapi/ask-operations.js'
import { invalidRequest, later, problem } from '../rest/problem.js'
import { match } from '../rest/router.js'
import { readWanted } from './wanted.js'

/** An ask of a program, by where it is. */
export interface AskPlace {
  readonly session: string
  readonly ask: string
}

export interface ServerAsksOptions {
  readonly clock: Clock
  readonly open: AskDesk['open']
  /** Requests of one server. Default: 2,000 a second, and 10,000 at once. */
  readonly rate?: Rate | undefined
  /** What people type in the pages of its widgets. */
  readonly searches: Pick<RemoteSearches, 'next' | 'found'>
  /** Whether an ask is there, open or ended. */
  readonly isThere: (place: AskPlace) => Promise<boolean>
  /** How an ask ended; undefined when there is none. */
  readonly outcome: (place: AskPlace, signal: AbortSignal) => Promise<DeskOutcome | undefined>
  /** False when there is none. */
  readonly withdraw: (place: AskPlace) => Promise<boolean>
  /** False when there is none. */
  readonly report: (place: AskPlace, report: CallReport) => Promise<boolean>
}

/** What a server may do. */
const serverRoutes = [
  { ...serverOperations.openAsk, kind: 'open' },
  { ...serverOperations.awaitOutcome, kind: 'outcome' },
  { ...serverOperations.withdrawAsk, kind: 'withdraw' },
  { ...serverOperations.reportCall, kind: 'report' },
  { ...serverOperations.answerSearch, kind: 'found' },
] as const

/** Below what proxies and clients wait. */
const maxWaitMs = 25_000

export class ServerAsks {
  readonly #options: ServerAsksOptions
  readonly #rate: KeyedRate
  readonly #waits = new Set<AbortController>()
  #isClosed = false

  constructor(options: ServerAsksOptions) {
    this.#options = options
    this.#rate = new KeyedRate(options.rate ?? { perSecond: 2_000, burst: 10_000 })
  }

  async handle(server: string, request: RestRequest): Promise<RestReply> {
    const { clock } = this.#options
    if (!this.#rate.take(server, clock.now())) return later(problem({ code: 'too-many' }))
    try {
      return await this.#route(server, request)
    } catch (error) {
      if (error instanceof BeckonError && error.code === -32602) return invalidRequest(error.message)
      if (error instanceof RefusedError)
        return problem(error.refusal.code === 'recorded' ? otherContent : error.refusal)
      // A server that is told so tries again.
      if (error instanceof StoreUnavailableError) return problem(unavailable)
      throw error
    }
  }

  /** Lets go of those who wait: they ask again, here or elsewhere. */
  close(): void {
    this.#isClosed = true
    for (const wait of this.#waits) wait.abort()
  }

  async #route(server: string, request: RestRequest): Promise<RestReply> {
    const found = match(serverRoutes, request)
    if ('status' in found) return found
    const { param, route } = found
    if (route.kind === 'open') return this.#open(server, request.body)
    const place = { session: param('session'), ask: param('id') }
    // What is not a server's own is not there for it.
    if (!place.session.startsWith(`call-${server}.`)) return notHere()
    if (route.kind === 'report') return this.#report(place, request.body)
    if (route.kind === 'outcome') return this.#outcome(place, request.query)
    if (route.kind === 'found') return this.#found(place, param('search'), request.body)
    return (await this.#options.withdraw(place)) ? json(200, {}) : notHere()
  }

  async #open(server: string, body: unknown): Promise<RestReply> {
    const wanted = readWanted(body, this.#options.clock.now())
    if (typeof wanted === 'string') return invalidRequest(wanted)
    const { subject, request, options } = wanted
    const call = `${server}.${subject.call ?? request.id}`
    const place = { session: `call-${call}`, ask: `${call}.${request.id}` }
    // A program that was away asks again for what has ended meanwhile.
    if (options.expiresAt <= this.#options.clock.now() && !(await this.#options.isThere(place)))
      return invalidRequest('expiresAt is over. Write when it ends, in milliseconds since 1970, or timeoutMs.')
    const {
      link,
      unseen,
      expiresAt = options.expiresAt,
    } = await this.#options.open({ ...subject, server, call }, request, options)
    return json(201, { id: place.ask, session: place.session, link, expiresAt, unseen })
  }

  async #report(place: AskPlace, body: unknown): Promise<RestReply> {
    const report = reportIn(body)
    if (report === undefined)
      return invalidRequest('A report has status, which is done or failed, and perhaps text, which is a string.')
    return (await this.#options.report(place, report)) ? json(200, {}) : notHere()
  }

  #found(place: AskPlace, search: string, body: unknown): RestReply {
    if (!isFound(body)) return invalidRequest('What was found has options, which is a list, or nothing.')
    return this.#options.searches.found(place, search, body.options) ? json(200, {}) : notHere()
  }

  async #outcome(place: AskPlace, query: URLSearchParams): Promise<RestReply> {
    const { clock } = this.#options
    const waitMs = query.has('waitMs') ? Number(query.get('waitMs')) : maxWaitMs
    if (!(waitMs >= 0)) return invalidRequest('waitMs is a number of milliseconds.')
    const over = new AbortController()
    this.#waits.add(over)
    const stopTimer = clock.after(this.#isClosed ? 0 : Math.min(waitMs, maxWaitMs), () => over.abort())
    let search: RemoteSearch | undefined
    try {
      const ending = this.#options.outcome(place, over.signal)
      if (query.has('searches'))
        this.#options.searches.next(place, over.signal).then(found => {
          search = found
          over.abort()
        })
      const outcome = await ending
      return outcome === undefined ? notHere() : json(200, outcome)
    } catch (error) {
      if (over.signal.aborted) return json(202, search === undefined ? {} : { search })
      throw error
    } finally {
      over.abort()
      this.#waits.delete(over)
      stopTimer()
    }
  }
}

/** What a server found; nothing, where it could not look. */
function isFound(body: unknown): body is { readonly options?: unknown } {
  return isRecord(body) && (body.options === undefined || Array.isArray(body.options))
}

function reportIn(body: unknown): CallReport | undefined {
  const { status, text, ...rest } = isRecord(body) ? body : {}
  if ((status !== 'done' && status !== 'failed') || Object.keys(rest).length > 0) return undefined
  if (text !== undefined && typeof text !== 'string') return undefined
  return { status, ...(text !== undefined && { text }) }
}

function notHere(): RestReply {
  return problem({ code: 'not-found' })
}
