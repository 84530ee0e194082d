// Requests that wait for a durable call, which runs here or in another process. Each waits for so long; then its client is
// told where the person can answer, and the call goes on without it.
import { CallCancelledError } from '@beckon/core'
import type { OpenAsk } from '../call/ask.js'
import type { Pause } from '../call/call-types.js'
import type { Incoming } from '../call/incoming.js'
import type { CallState } from '../log/reduce.js'
import { startHeartbeat } from '../protocol/heartbeat.js'
import type { Progress } from '../protocol/progress.js'
import { whenCancelled } from '../protocol/when-cancelled.js'
import type { Clock } from '../runtime/clock.js'
import type { Attempt } from './attempt.js'
import type { AskPresenter, CallReply, CallRequest } from './call-request.js'
import type { Found } from './repeats.js'
import type { RunnerParts } from './runner.js'

/** A request, and the run of the call that it is for. */
export interface Exchange<T> {
  readonly request: CallRequest<T>
  readonly attempt: Attempt<T>
  /** Under what it found that call, or began it; where it can be asked for again. */
  readonly found?: Found | undefined
}

/** A call that was asked for before. */
type KnownCall = Found & { readonly id: string }

/** How often, and after how long, a log is looked for that a name leads to. */
const maxLooks = 5
const lookAgainMs = 200

export class HeldRequests<T> {
  readonly #parts: RunnerParts<T>

  constructor(parts: RunnerParts<T>) {
    this.#parts = parts
  }

  /**
   * Waits for a call that runs here: for where it rests, to which `reply` replies, or for as long as the request does.
   * @param background Whether to stop where answers come without its client; else they are waited for.
   */
  async hold(
    { request, attempt, found }: Exchange<T>,
    background: boolean,
    reply: (pause: Pause<T>) => CallReply | Promise<CallReply>,
  ): Promise<CallReply> {
    const { call } = attempt
    const { incoming } = request
    const refused = new Set<string | undefined>()
    attempt.held ??= new Set()
    const { held } = attempt
    try {
      for (;;) {
        held.add(incoming)
        const pause = await this.#pauseOf({ request, attempt, found }, background)
        if (pause !== undefined) return await reply(pause)
        // It is about to be told to come back: what ends meanwhile is for then.
        held.delete(incoming)
        const asks = call.openAsks
        const shown = asks.find(isShown)
        try {
          const link = await linkOf(attempt.asks.presenter, shown)
          call.leaveClient(incoming)
          return { kind: 'waiting', link, asks, handle: (attempt.repeat ?? found?.repeat)?.handle }
        } catch (error) {
          // The desk has not taken it. The handler is told so as well, and goes on: its client has what comes of that.
          if (refused.has(shown?.id)) throw error
          refused.add(shown?.id)
        }
      }
    } finally {
      held.delete(incoming)
    }
  }

  /** Where a run rests; undefined when a person lets the request wait for too long. */
  async #pauseOf({ request, attempt, found }: Exchange<T>, background: boolean): Promise<Pause<T> | undefined> {
    const { call } = attempt
    let pause: Pause<T> | undefined
    await wait(request, this.#parts.clock, {
      progress: call,
      isAsking: () => !background && call.waitsFor === 'background',
      listen: done =>
        call.onPause(background, reached => {
          pause = reached
          done()
        }),
      left: () => this.#left(attempt, request.incoming, found),
    })
    return pause
  }

  /** Answers a request for a call that another process runs. @param isDelivered Whether its result is wanted, too, that someone has. */
  async answerElsewhere(request: CallRequest<T>, known: KnownCall, isDelivered: boolean): Promise<CallReply> {
    const { durable, repeats, answerAgain } = this.#parts
    const { id, repeat } = known
    const first = await this.#lookFor(id)
    let state = first?.isDelivered && !isDelivered ? undefined : first
    if (state !== undefined && state.end === undefined && !request.takesTasks)
      state = await this.#watch(request, known, state)
    if (state !== undefined && state.end === undefined) return this.leave(request, state, known)
    await repeats.forget(repeat, id)
    // What was known is gone: its time was over, or someone else has its result.
    if (state?.end === undefined || state.end === 'cancelled') return answerAgain(request)
    await durable.delivered(id)
    return { kind: 'ended', end: state.end }
  }

  /** Tells a client that its call goes on without it. */
  async leave(
    { takesTasks, presenter, incoming }: CallRequest<T>,
    state: CallState,
    { id, repeat }: KnownCall,
  ): Promise<CallReply> {
    if (takesTasks) return { kind: 'task', id, state }
    const link = await linkOf(presenter?.(id, incoming.principal), state.open.find(isShown))
    return { kind: 'waiting', link, asks: state.open, handle: repeat.handle }
  }

  /** How a call stands whose name is there: its log may come a little later, where an append was sent again. */
  async #lookFor(id: string): Promise<CallState | undefined> {
    const { durable, clock } = this.#parts
    for (let looks = 0; ; looks++) {
      const state = await durable.look(id)
      if (state !== undefined || looks === maxLooks) return state
      await new Promise<void>(resolve => clock.after(lookAgainMs, resolve))
    }
  }

  /** How the call stands once it has ended, or the request has waited for as long as it does; undefined when it is gone. */
  async #watch(request: CallRequest<T>, known: KnownCall, first: CallState): Promise<CallState | undefined> {
    const { durable, clock } = this.#parts
    const { id } = known
    let last: CallState | undefined = first
    await wait(request, clock, {
      progress: { lastProgress: undefined },
      isAsking: () => (last?.open.length ?? 0) > 0,
      listen: done =>
        durable.watch(id, first, () => {
          durable.look(id).then(state => {
            last = state
            if (state === undefined || state.end !== undefined) done()
          }, done)
        }),
      left: () => this.#leftElsewhere(id, known),
    })
    return last
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

  /** Whether someone can ask for the call again: not where it has a handle that this very request was to be told. */
  #isKept(found: Found | undefined): boolean {
    const isTold = found === undefined || found.id !== undefined || found.repeat.handle === undefined
    return this.#parts.whenGone === 'keep' && isTold
  }
}

/** What a request waits for. */
interface Awaited {
  /** What the client was told of how far it is. */
  readonly progress: Progress
  /** Whether a person is waited for. */
  isAsking(): boolean
  /** Calls `done` later, with an error where there is one, unless the result is called before. */
  listen(done: (error?: unknown) => void): () => void
  /** The client went away: does what that asks for, and gives what the wait ends with. */
  left(): Error
}

/** How often a busy handler is looked at, at most. */
const lookMs = 100

/** Waits until it is over, or a person lets the request wait for too long. */
function wait(
  { incoming, waitMs }: Pick<CallRequest<never>, 'incoming' | 'waitMs'>,
  clock: Clock,
  { progress, isAsking, listen, left }: Awaited,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stops = [startHeartbeat(incoming, clock, progress)]
    let stopTimer = clock.after(waitMs, giveUp)
    function done(error?: unknown): void {
      stopTimer()
      for (const stop of stops) stop()
      if (error === undefined) resolve()
      else reject(error)
    }
    // A handler that is busy, and waits for nobody, is waited for.
    function giveUp(this: void): void {
      if (isAsking()) done()
      else stopTimer = clock.after(Math.max(waitMs, lookMs), giveUp)
    }
    stops.push(listen(done))
    stops.push(whenCancelled(incoming, () => done(left())))
  })
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
