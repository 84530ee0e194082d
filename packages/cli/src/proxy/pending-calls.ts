// A client gives up on a call after a minute or so, and a person may take an hour. So while one is asked on the desk, the
// call is answered with words for the model after a while, and goes on by itself: the same call again continues it,
// until its result was delivered once.

import { bringBack } from './handles.js'

type Result = Readonly<Record<string, unknown>>

export interface PendingOptions<Request> {
  readonly key: string
  /** Whose it is; undefined for someone whom nothing tells apart. */
  readonly scope: string | undefined
  /** The request that waits for it now: the same call again is another one. */
  readonly request: Request
  /** What has to be brought back to go on, where nothing else tells whose call it is. */
  readonly handle?: string | undefined
  readonly tool: string
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
  /** Whether it waits for people before it runs. */
  awaitsApproval: boolean
}

interface Pending<Request> extends HeldCall<Request> {
  readonly result: Promise<Result>
  readonly cancel: AbortController
  readonly scope: string | undefined
  request: Request
}

/** Beyond this, the client that has most loses its oldest: a client that never comes back leaves them behind. */
const maxPending = 1_000

export class PendingCalls<Request> {
  readonly #pending = new Map<string, Pending<Request>>()
  readonly #waitMs: number

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
    const onAbort = () => {
      this.#pending.delete(key)
      pending.cancel.abort(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const first = await Promise.race([pending.result, this.#tooLong(options, pending)])
      if (first !== undefined) {
        this.#pending.delete(key)
        return first
      }
      return waiting(options)
    } catch (error) {
      this.#pending.delete(key)
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  #begin({ key, scope, begin, request }: PendingOptions<Request>): Pending<Request> {
    const cancel = new AbortController()
    const call = { signal: cancel.signal, request, awaitsApproval: false }
    const pending = Object.assign(call, { cancel, scope, result: begin(call) })
    // It may fail while nobody waits for it; anyone who asks again is told.
    pending.result.catch(() => {})
    this.#pending.set(key, pending)
    if (this.#pending.size > maxPending) this.#letGo()
    return pending
  }

  #letGo(): void {
    const counts = new Map<string | undefined, number>()
    for (const { scope } of this.#pending.values()) counts.set(scope, (counts.get(scope) ?? 0) + 1)
    const most = Math.max(...counts.values())
    for (const [key, { scope, cancel }] of this.#pending) {
      if (counts.get(scope) !== most) continue
      cancel.abort()
      this.#pending.delete(key)
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

function waiting({ tool, url, handle }: Pick<PendingOptions<unknown>, 'tool' | 'url' | 'handle'>): Result {
  const text =
    `A person was asked, and is not done yet. They can answer at ${url} . Tell them, and do not answer for them. ` +
    `To go on, call "${tool}" again with the same arguments${handle === undefined ? '' : bringBack(handle)}: it continues this call.`
  return { content: [{ type: 'text', text }] }
}
