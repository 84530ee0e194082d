// A client gives up on a call after a minute or so, and a person may take an hour. So while one is asked on the desk, the
// call is answered with words for the model after a while, and goes on in the background: the same call again continues it,
// until its result was delivered once.
// Threat: a client that never comes back for what it has called, with large arguments, or for large results. They are counted and weighed.

import { bringBack } from './handles.js'

type Result = Readonly<Record<string, unknown>>

export interface PendingOptions<Request> {
  readonly key: string
  /** Whose it is; undefined for an anonymous caller. */
  readonly scope: string | undefined
  /** The request that waits for it now: the same call again is another one. */
  readonly request: Request
  /** What has to be brought back to go on, where nothing else tells whose call it is. */
  readonly handle?: string | undefined
  readonly tool: string
  /** Whether its client was told what its output looks like, and so takes nothing else but an error. */
  readonly promisesOutput?: boolean
  /** Where the person can answer. */
  readonly url: string
  readonly signal: AbortSignal
  /** Whether the server has a person asked for it. */
  isAsking(): boolean
  begin(call: HeldCall<Request>): Promise<Result>
}

/** A call that goes on, no matter who waits for it. */
export interface HeldCall<Request> {
  readonly signal: AbortSignal
  /** The one that waits for it now, or did last. */
  readonly request: Request
  /** The one that waits for it now, or else the next one that does. */
  here(): Promise<Request>
  /** Whether it waits for people before it runs. */
  awaitsApproval: boolean
}

interface Pending<Request> extends HeldCall<Request> {
  readonly result: Promise<Result>
  readonly cancel: AbortController
  readonly scope: string | undefined
  request: Request
  /** Told of the next request that waits for it. */
  arrived: ((request: Request) => void)[]
  /** How many requests wait for it now. */
  waiters: number
  /** What its arguments weigh, and its result where nobody waits for that. */
  bytes: number
}

/** Beyond either, the client that has most loses its oldest: a client that never comes back leaves them behind. */
const maxPending = 1_000
const maxPendingBytes = 64 * 1024 * 1024

export class PendingCalls<Request> {
  readonly #pending = new Map<string, Pending<Request>>()
  readonly #waitMs: number
  #bytes = 0

  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  has(key: string): boolean {
    return this.#pending.has(key)
  }

  async answer(options: PendingOptions<Request>): Promise<Result> {
    const { key, signal, request } = options
    const pending = this.#pending.get(key) ?? this.#begin(options)
    pending.request = request
    pending.waiters++
    for (const tell of pending.arrived.splice(0)) tell(request)
    const onAbort = () => {
      this.#forget(key, pending)
      pending.cancel.abort(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const first = await Promise.race([pending.result, this.#tooLong(options, pending)])
      if (first !== undefined) {
        this.#forget(key, pending)
        return first
      }
      return waiting(options)
    } catch (error) {
      this.#forget(key, pending)
      throw error
    } finally {
      pending.waiters--
      signal.removeEventListener('abort', onAbort)
    }
  }

  #begin({ key, scope, begin, request }: PendingOptions<Request>): Pending<Request> {
    const cancel = new AbortController()
    const arrived: Pending<Request>['arrived'] = []
    const call = {
      signal: cancel.signal,
      request,
      arrived,
      awaitsApproval: false,
      waiters: 0,
      bytes: Buffer.byteLength(key),
      async here(): Promise<Request> {
        return call.waiters > 0 ? call.request : new Promise(resolve => arrived.push(resolve))
      },
    }
    const pending: Pending<Request> = Object.assign(call, { cancel, scope, result: begin(call) })
    this.#pending.set(key, pending)
    this.#bytes += pending.bytes
    pending.result
      .then(result => this.#weigh(key, pending, result))
      // It may fail while nobody waits for it; anyone who asks again is told.
      .catch(() => {})
    this.#makeRoom()
    return pending
  }

  /** A result that someone waits for is on its way; another is kept until they come back. */
  #weigh(key: string, pending: Pending<Request>, result: Result): void {
    if (pending.waiters > 0 || this.#pending.get(key) !== pending) return
    const bytes = bytesOf(result)
    pending.bytes += bytes
    this.#bytes += bytes
    this.#makeRoom()
  }

  #forget(key: string, pending: Pending<Request>): void {
    // By now another call may go on under the same key.
    if (this.#pending.get(key) !== pending) return
    this.#pending.delete(key)
    this.#bytes -= pending.bytes
  }

  #makeRoom(): void {
    while (this.#pending.size > maxPending) this.#letGo(() => 1)
    while (this.#bytes > maxPendingBytes && this.#pending.size > 1) this.#letGo(({ bytes }) => bytes)
  }

  #letGo(weightOf: (pending: Pending<Request>) => number): void {
    const weights = new Map<string | undefined, number>()
    for (const pending of this.#pending.values())
      weights.set(pending.scope, (weights.get(pending.scope) ?? 0) + weightOf(pending))
    const most = Math.max(...weights.values())
    for (const [key, pending] of this.#pending) {
      if (weights.get(pending.scope) !== most) continue
      pending.cancel.abort()
      this.#forget(key, pending)
      return
    }
  }

  /** Resolves when it has been long, and a person is being asked. A server that is merely slow is waited for. */
  #tooLong({ isAsking }: PendingOptions<Request>, pending: Pending<Request>): Promise<undefined> {
    return new Promise(resolve => {
      const stop = () => clearInterval(timer)
      const timer = setInterval(() => {
        if (!pending.awaitsApproval && !isAsking()) return
        stop()
        resolve(undefined)
      }, this.#waitMs)
      pending.result.then(stop, stop)
    })
  }
}

/** A result that nests too deeply to be written weighs more than there is room for, and is let go. */
function bytesOf(result: Result): number {
  try {
    return Buffer.byteLength(JSON.stringify(result))
  } catch {
    return maxPendingBytes + 1
  }
}

function waiting({ tool, url, handle, promisesOutput = false }: PendingOptions<unknown>): Result {
  const text =
    `A person was asked, and is not done yet. They can answer at ${url} . Tell them, and do not answer for them. ` +
    `To go on, call "${tool}" again with the same arguments${handle === undefined ? '' : bringBack(handle)}: it continues this call.`
  // The output is not there yet, and only an error may lack it.
  return { content: [{ type: 'text', text }], ...(promisesOutput && { isError: true }) }
}
