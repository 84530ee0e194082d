// Requests that wait for a durable call, which runs here or in another process. Each waits for so long; then its client is
// told where the person can answer, and the call goes on without it.
import { CallCancelledError } from '@beckon/core'
import type { OpenAsk } from '../call/ask.js'
import type { Pause } from '../call/call-types.js'
import type { Incoming } from '../call/incoming.js'
import type { CallResponse } from '../log/events.js'
import type { CallState } from '../log/reduce.js'
import type { Attempt } from './attempt.js'
import type { AskPresenter, CallReply, CallRequest } from './call-request.js'
import type { Found } from './repeats.js'
import type { RunnerParts } from './runner-parts.js'
import { waitForEnd } from './wait-for-end.js'

/** What waiting for a call elsewhere came to; `gone` when the call no longer exists. */
export type HeldElsewhere =
  | CallReply
  | { readonly kind: 'delivered'; readonly end: CallResponse }
  | { readonly kind: 'gone' }

export class HeldRequests<T> {
  readonly #parts: RunnerParts<T>

  constructor(parts: RunnerParts<T>) {
    this.#parts = parts
  }

  /**
   * Waits for a call that runs here: for where it rests, or for as long as the request does.
   * @param background Whether to stop where answers come without its client; else they are waited for.
   */
  async hold(
    { incoming, waitMs }: CallRequest<T>,
    attempt: Attempt<T>,
    { found, background }: { found: Found | undefined; background: boolean },
  ): Promise<Pause<T> | Extract<CallReply, { kind: 'waiting' }>> {
    const { call } = attempt
    const refused = new Set<string | undefined>()
    for (;;) {
      const pause = await waitForEnd<Pause<T>>(
        { incoming, clock: this.#parts.clock, waitMs, progress: call },
        {
          isAsking: () => !background && call.waitsFor === 'background',
          ended: done => call.onPause(background, done),
          left: () => this.#left(attempt, incoming, found),
        },
      )
      if (pause !== undefined) return pause
      // It is about to be told to come back: what ends meanwhile is for then.
      attempt.held?.delete(incoming)
      const asks = call.openAsks
      const shown = asks.find(isShown)
      try {
        const link = await linkOf(attempt.presenter, shown)
        call.leaveClient(incoming)
        return { kind: 'waiting', link, asks, handle: (attempt.repeat ?? found?.repeat)?.handle }
      } catch (error) {
        // The desk has not taken it. The handler is told so as well, and goes on: its client has what comes of that.
        if (refused.has(shown?.id)) throw error
        refused.add(shown?.id)
        attempt.held?.add(incoming)
      }
    }
  }

  /** Waits for a call that another process runs. One whose result someone has is gone, unless that is wanted, too. */
  async holdElsewhere(
    request: CallRequest<T>,
    found: Found,
    { id, isDelivered }: { id: string; isDelivered: boolean },
  ): Promise<HeldElsewhere> {
    const { durable } = this.#parts
    const first = await durable.look(id)
    if (first === undefined || (first.isDelivered && !isDelivered)) return { kind: 'gone' }
    if (first.end === undefined && request.takesTasks) return { kind: 'task', id, state: first }
    const last = first.end === undefined ? await this.#watch(request, { found, id, first }) : first
    if (last === 'gone' || last.end === 'cancelled') return { kind: 'gone' }
    if (last.end !== undefined) return { kind: 'delivered', end: last.end }
    const link = await linkOf(request.presenter?.(id, request.incoming.principal), last.open.find(isShown))
    return { kind: 'waiting', link, asks: last.open, handle: found.repeat.handle }
  }

  /** How the call stands once it has ended, or the request has waited for as long as it does. */
  async #watch(
    { incoming, waitMs }: CallRequest<T>,
    { found, id, first }: { found: Found; id: string; first: CallState },
  ): Promise<CallState | 'gone'> {
    const { clock, durable } = this.#parts
    let last = first
    const end = await waitForEnd<CallState | 'gone'>(
      { incoming, clock, waitMs, progress: { lastProgress: 0 } },
      {
        isAsking: () => last.open.length > 0,
        ended: (done, fail) =>
          durable.watch(id, first, () => {
            durable.look(id).then(state => {
              last = state ?? last
              if (state?.end !== undefined) done(state)
              else if (state === undefined) done('gone')
            }, fail)
          }),
        left: () => this.#leftElsewhere(id, found),
      },
    )
    return end ?? last
  }

  /** A client went away. What is done about that, and what its request ends with. */
  #left({ call, isDurable, id, held, pushedOver }: Attempt<T>, incoming: Incoming, found: Found | undefined): Error {
    held?.delete(incoming)
    if (held !== undefined && held.size > 0) {
      // Others wait for the same. What only this client could be asked goes to the desk.
      if (incoming === pushedOver) call.leaveClient(incoming)
      return clientGone()
    }
    if (!isDurable) {
      call.drop(clientGone())
      return clientGone()
    }
    const error = this.#leftElsewhere(id, found)
    if (this.#isKept(found)) call.leaveClient(incoming)
    return error
  }

  #leftElsewhere(id: string, found: Found | undefined): Error {
    if (this.#isKept(found))
      return new CallCancelledError('The client went away. The person can still answer: call the tool again.')
    // A store that is away keeps the call, whose asks expire.
    this.#parts.durable.cancel(id).catch(() => {})
    return clientGone()
  }

  /** Whether someone can ask for the call again. */
  #isKept(found: Found | undefined): boolean {
    return this.#parts.whenGone === 'keep' && (found?.isTold ?? true)
  }
}

/** Where a person can answer what is open on the desk. */
async function linkOf(presenter: AskPresenter | undefined, shown: OpenAsk | undefined): Promise<string> {
  return (shown && (await presenter?.link(shown))) ?? ''
}

function isShown({ wire }: OpenAsk): boolean {
  return wire === 'desk'
}

export function clientGone(): CallCancelledError {
  return new CallCancelledError('The client cancelled the request or went away.')
}
