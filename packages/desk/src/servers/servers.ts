// For servers in other processes: `createServer({ desk: 'https://...' })` puts its asks here. A server proves its name with a
// token, and may put asks, wait for them, withdraw them, and nothing else: it can neither see nor answer anything. Its calls
// are under its own name, so that no server can take another's for its own.
//
//   POST   /servers/calls/{call}               attends a call: { link }
//   PUT    /servers/calls/{call}/asks/{ask}    puts an ask, unless it is there: 200 with its ending, or 202 after a while
//   DELETE /servers/calls/{call}/asks/{ask}    withdraws it
//   POST   /servers/calls/{call}/end           the call is over
import { timingSafeEqual } from 'node:crypto'
import { BeckonError } from '@beckon/core'
import type { Clock } from 'beckon'
import type { AskDesk, DeskPlace } from 'beckon/desk/adapter'
import { StoreUnavailableError } from 'beckon/store'
import { Failures } from '../access/failures.js'
import { digestOf } from '../access/secret.js'
import { RefusedError, unavailable } from '../policy/refusals.js'
import { json, type RestReply } from '../rest/exchange.js'
import { problem } from '../rest/problem.js'
import { isCallId, readAsk, readCall } from './wanted.js'

type Ending = Awaited<ReturnType<DeskPlace['ask']>>

export interface ServersOptions extends AskDesk {
  /** The token of each server, by its name. */
  readonly tokens: Readonly<Record<string, string>>
  readonly clock: Clock
  /** How many calls of servers are known at a time. Default: 10,000. */
  readonly maxPlaces?: number | undefined
}

/** A request of a server, as plain data. */
export interface ServerRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly remoteAddress: string
  readonly body: unknown
}

interface Open {
  readonly ending: Promise<Ending>
  readonly withdrawal: AbortController
}

/** Below what proxies and clients wait. */
const waitMs = 25_000
const fewestChars = 16
const defaultMaxPlaces = 10_000

export class Servers {
  readonly #options: ServersOptions
  readonly #names: readonly { name: string; digest: Buffer }[]
  readonly #failures: Failures
  readonly #places = new Map<string, Promise<DeskPlace>>()
  readonly #open = new Map<string, Open>()

  constructor(options: ServersOptions) {
    this.#options = options
    this.#failures = new Failures(options.clock)
    this.#names = Object.entries(options.tokens).map(([name, token]) => {
      if (!/^[\w-]+$/.test(name)) throw new TypeError(`A server's name has letters, digits, "-" and "_": ${name}`)
      if (token.length < fewestChars)
        throw new TypeError(`The token of the server "${name}" needs at least ${fewestChars} characters.`)
      return { name, digest: Buffer.from(digestOf(token)) }
    })
  }

  async handle(request: ServerRequest): Promise<RestReply> {
    const server = this.#nameOf(request)
    if (typeof server !== 'string') return server
    const [, , calls, call = '', asks, ask, ...more] = request.path.split('/').map(decodePart)
    const isKnown = calls === 'calls' && call !== '' && more.length === 0
    if (!isKnown) return problem('not-found', 'There is nothing here.')
    const id = `${server}.${call}`
    if (!isCallId(id))
      return problem('request-invalid', 'The id of a call has letters, digits and . _ ~ : -, and is not this long.')
    try {
      if (asks === undefined && request.method === 'POST') return await this.#attend(id, server, request.body)
      if (asks === 'end' && ask === undefined && request.method === 'POST') return await this.#end(id, request.body)
      if (asks !== 'asks' || !ask) return problem('not-found', 'There is nothing here.')
      if (request.method === 'PUT') return await this.#put(id, ask, request.body)
      if (request.method === 'DELETE') return this.#withdraw(id, ask)
      return problem('method-not-allowed', 'This takes PUT and DELETE.')
    } catch (error) {
      if (error instanceof BeckonError && error.code === -32602) return problem('request-invalid', error.message)
      if (error instanceof RefusedError) return problem('conflict', error.message)
      // Whoever is told so tries again.
      if (error instanceof StoreUnavailableError) return problem('unavailable', unavailable.reason)
      throw error
    }
  }

  async #attend(id: string, server: string, body: unknown): Promise<RestReply> {
    const wanted = readCall(body)
    if (wanted === undefined)
      return problem('request-invalid', 'A call has a tool, its input, and perhaps a principal.')
    const place = this.#places.get(id) ?? this.#options.attend({ id, server, ...wanted })
    this.#keep(id, place)
    place.catch(() => this.#places.delete(id))
    return json(200, { link: (await place).link })
  }

  /** So many, whichever servers died without a word: one that comes back for a call is told to attend it again. */
  #keep(id: string, place: Promise<DeskPlace>): void {
    this.#places.delete(id)
    this.#places.set(id, place)
    const [oldest] = this.#places.keys()
    if (this.#places.size > (this.#options.maxPlaces ?? defaultMaxPlaces) && oldest !== undefined)
      this.#places.delete(oldest)
  }

  async #put(id: string, ask: string, body: unknown): Promise<RestReply> {
    const wanted = readAsk(body)
    if (wanted === undefined) return problem('request-invalid', 'This is no ask that a desk can put.')
    const place = await this.#places.get(id)
    if (place === undefined) return problem('conflict', 'Attend the call first.')
    const key = JSON.stringify([id, ask])
    const open = this.#open.get(key) ?? this.#begin(key, place, ask, wanted)
    const ending = await this.#within(open.ending)
    if (ending === undefined) return json(202, { link: place.link })
    if (ending.kind === 'failed') throw ending.error
    return json(200, ending)
  }

  #begin(key: string, place: DeskPlace, ask: string, wanted: NonNullable<ReturnType<typeof readAsk>>): Open {
    const withdrawal = new AbortController()
    const ending = place
      .ask(ask, wanted.ask, { expiresAt: wanted.expiresAt, signal: withdrawal.signal })
      .catch((error: unknown): Ending => ({ kind: 'failed', error }))
      .finally(() => this.#open.delete(key))
    const open = { ending, withdrawal }
    this.#open.set(key, open)
    return open
  }

  #withdraw(id: string, ask: string): RestReply {
    this.#open.get(JSON.stringify([id, ask]))?.withdrawal.abort()
    return json(200, {})
  }

  async #end(id: string, body: unknown): Promise<RestReply> {
    const isCancelled = typeof body === 'object' && body !== null && 'how' in body && body.how === 'cancel'
    await (await this.#places.get(id))?.leave(isCancelled ? 'cancel' : 'complete')
    this.#places.delete(id)
    return json(200, {})
  }

  /** The name of the server that sent a request, or what it gets. */
  #nameOf({ authorization, remoteAddress }: ServerRequest): string | RestReply {
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1]
    if (this.#failures.blockedForMs(remoteAddress, token) !== undefined)
      return problem('too-many', 'There were too many wrong tokens. Wait a minute.')
    const digest = Buffer.from(digestOf(token ?? ''))
    // With every token, whichever fits, so that the time it takes tells nothing.
    const found = this.#names.filter(known => timingSafeEqual(known.digest, digest))[0]
    if (found !== undefined && token !== undefined) return found.name
    this.#failures.record(remoteAddress, token ?? '')
    return problem('sign-in-required', 'Send the token that the desk has for this server.')
  }

  #within(ending: Promise<Ending>): Promise<Ending | undefined> {
    return new Promise(resolve => {
      const stopTimer = this.#options.clock.after(waitMs, () => resolve(undefined))
      ending.then(ended => {
        stopTimer()
        resolve(ended)
      })
    })
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
