// What a request is answered with, by where its call pauses: a round with its asks, a task, words that a person takes
// longer, or the end.
import { CallCancelledError, ReplayMismatchError, StateRejectedError } from '@beckon/core'
import type { End, Pause } from '../call/call-types.js'
import type { CallResponse, RoundReply } from '../log/events.js'
import { emptyCallState } from '../log/reduce.js'
import { whenCancelled } from '../protocol/when-cancelled.js'
import { lastly, nowOrLater } from '../runtime/now-or-later.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import { clientAsks, describeMiss } from './answers.js'
import type { Attempt } from './attempt.js'
import type { CallReply, CallRequest } from './call-request.js'
import { clientGone, type Exchange, HeldRequests } from './held-requests.js'
import type { Found, Repeat } from './repeats.js'
import { markOpen } from './request-states.js'
import type { RunnerParts } from './runner.js'

/** How often a replay may miss what the journal has before that is an error. */
const maxMisses = 3
const sweepMs = 60_000

export class CallReplies<T> {
  readonly #parts: RunnerParts<T>
  readonly #held: HeldRequests<T>
  #stopSweep: (() => void) | undefined

  constructor(parts: RunnerParts<T>) {
    this.#parts = parts
    this.#held = new HeldRequests(parts)
  }

  close(): void {
    this.#stopSweep?.()
  }

  /** Waits until the handler rests, and makes the reply for that. */
  respond(exchange: Exchange<T>): Promise<CallReply> {
    const { request, attempt, found } = exchange
    if (found !== undefined) return this.#hold(exchange, true).finally(() => this.#isDone(attempt))
    const stopWatching = whenCancelled(request.incoming, () => this.#clientLeft(attempt))
    return attempt.call.pause().then(pause => {
      stopWatching()
      return this.replyLast(exchange, pause)
    })
  }

  /** Replies, and has done with the round. */
  replyLast(exchange: Exchange<T>, pause: Pause<T>): CallReply | Promise<CallReply> {
    return lastly(
      () => this.reply(exchange, pause),
      () => this.#isDone(exchange.attempt),
    )
  }

  /** Nobody works on the round any more: who waits for its reply is told. */
  #isDone(attempt: Attempt<T>): void {
    if (this.#parts.runs.rest(attempt)) this.#parts.watchers.changed(attempt)
  }

  /** A client that cancels, or goes away, ends what it asked for; a durable call goes on. */
  #clientLeft(attempt: Attempt<T>): void {
    const { call } = attempt
    if (attempt.isDurable) return
    this.#parts.runs.cancelled.set(attempt.id, true)
    call.drop(clientGone())
  }

  reply(exchange: Exchange<T>, pause: Pause<T>): CallReply | Promise<CallReply> {
    const { request, attempt } = exchange
    if (pause.kind === 'finished' || pause.kind === 'failed') return this.#end(exchange, pause)
    if (attempt.begun !== undefined || pause.kind === 'background') return this.#replyBegun(exchange, pause.kind)
    const isOpen = pause.kind === 'asks' && attempt.waitsOutside && attempt.hasOpenRound
    if (!isOpen) return this.#suspend(request, attempt)
    // Its client's state waits for what is there by now.
    return nowOrLater(attempt.settleRound(), isMine =>
      isMine ? this.#suspendIf(exchange, 'asks') : this.#overtaken(request, attempt),
    )
  }

  /** The same for a durable call, once that is stored. */
  async #replyBegun(exchange: Exchange<T>, kind: 'asks' | 'outside' | 'background'): Promise<CallReply> {
    const { request, attempt } = exchange
    await attempt.begun
    if (attempt.releasedFor === 'other-process') return this.#parts.answerAgain(request)
    if (kind !== 'background') return this.#suspendIf(exchange, kind)
    // What it waits for comes without its client: that one gets a task, or waits for as long as it does.
    await attempt.replyRound({ kind, handle: attempt.repeat?.handle })
    if (!request.takesTasks) return this.#hold(exchange, false)
    // Its client asks after it from here on, also for what it can show.
    attempt.call.becomeTask()
    return { kind: 'task', id: attempt.id, state: attempt.log.state }
  }

  /** It may wait for something else by now. */
  async #suspendIf(exchange: Exchange<T>, kind: 'asks' | 'outside'): Promise<CallReply> {
    const { request, attempt } = exchange
    const { call } = attempt
    return call.waitsFor === kind ? this.#suspend(request, attempt) : this.reply(exchange, await call.pause())
  }

  /** Waits for a call that runs here, and makes the reply for where it paused. */
  #hold(exchange: Exchange<T>, background: boolean): Promise<CallReply> {
    return this.#held.hold(exchange, background, pause => this.reply(exchange, pause))
  }

  /** Goes on with a call that was asked for before. */
  async goOn(request: CallRequest<T>, id: string, found: Found): Promise<CallReply> {
    const { repeat } = found
    const attempt = this.#parts.durable.find(id) ?? (await this.#stillHere(repeat))
    if (attempt === undefined) return this.#held.answerElsewhere(request, { id, repeat }, false)
    attempt.call.attach(request.incoming)
    return this.#hold({ request, attempt, found }, !attempt.isDurable)
  }

  /** The run of a call that is not durable, unless another process has taken a round of it since. */
  async #stillHere(repeat: Repeat): Promise<Attempt<T> | undefined> {
    const attempt = this.#parts.repeats.at(repeat)
    if (attempt === undefined || attempt.isDurable) return attempt
    await attempt.log.read()
    if (!attempt.isReleased) return attempt
    this.#parts.runs.resume(attempt)
    this.#parts.repeats.remove(attempt)
    return undefined
  }

  /** Keeps the call for its next round, and gives what that needs. */
  #suspend(request: CallRequest<T> | undefined, attempt: Attempt<T>): CallReply | Promise<CallReply> {
    const { call } = attempt
    const { nodes, clock } = this.#parts
    // Another request for the same call was told the same.
    if (attempt.suspended !== undefined) return { kind: 'asks', ...attempt.suspended }
    const unreached = call.journal.unreached()
    attempt.misses = unreached.length > 0 ? attempt.misses + 1 : 0
    const asks = clientAsks(call.openAsks)
    const expiresAt = call.openUntil + this.#parts.retainMs
    const promisedUntil = Math.max(attempt.promisedUntil, expiresAt)
    const state =
      attempt.misses < maxMisses
        ? this.#parts.states.seal({
            call: attempt.id,
            node: nodes.id,
            round: attempt.round,
            expiresAt,
            principal: call.principal ?? null,
            target: call.target,
            open: asks.map(markOpen),
            misses: attempt.misses,
            promisedUntil,
            isLogged: attempt.isBehind || attempt.log.state !== emptyCallState,
            ...(!this.#parts.logs.areStored && { journal: call.journal.encoded }),
          })
        : new ReplayMismatchError(describeMiss(call.target.name, unreached))
    if (typeof state !== 'string') {
      call.drop(state)
      if (request === undefined) throw state
      return this.#end({ request, attempt }, { kind: 'failed', error: state })
    }
    call.suspend()
    attempt.promisedUntil = promisedUntil
    attempt.waitsOutside = asks.length === 0
    this.#parts.runs.suspend(attempt, { state, asks, expiresAt })
    this.#stopSweep ??= clock.after(sweepMs, () => this.#sweep())
    // A reply is given once its log has it.
    return nowOrLater(attempt.replyRound({ kind: 'asks', asks, state }, expiresAt), isMine =>
      isMine ? { kind: 'asks', asks, state } : this.#overtaken(request, attempt),
    )
  }

  /** Someone else has taken the round over: what that one replies counts for everyone who sent these answers. */
  #overtaken(request: CallRequest<T> | undefined, attempt: Attempt<T>): Promise<CallReply> {
    this.#parts.runs.resume(attempt)
    attempt.release('other-process')
    if (request?.state === undefined) throw new CallCancelledError('Another process has taken this call over.')
    return this.#parts.returned(request, request.state)
  }

  #end(exchange: Exchange<T>, end: End<T>): CallReply | Promise<CallReply> {
    const { request, attempt } = exchange
    const isAway = end.kind === 'failed' && end.error instanceof StoreUnavailableError
    if (attempt.isDurable && !isAway) return this.#deliver(exchange)
    if (attempt.isReleased && request.state !== undefined) return this.#overtaken(request, attempt)
    const encoded = this.#parts.encodeEnd(end, attempt.call)
    const reply: CallReply = { kind: 'ended', end: encoded }
    // A store that was away has ended nothing, nor has a client that left: the round can be answered again.
    if (attempt.call.isDropped || isAway) return attempt.reopenRound().then(() => reply)
    return nowOrLater(attempt.endRound(encoded), isMine => (isMine ? reply : this.#overtaken(request, attempt)))
  }

  /** Gives the result of a durable call to who asked for it: the same request is a new call from here on. */
  async #deliver({ request, attempt, found }: Exchange<T>): Promise<CallReply> {
    const end = await attempt.outcome
    const repeat = attempt.repeat ?? found?.repeat
    if (end === undefined) {
      if (!attempt.isReleased) throw new CallCancelledError('The call was cancelled.')
      if (repeat === undefined) throw new CallCancelledError('Another process has taken this call over.')
      const known = { repeat, id: attempt.id }
      const state = await attempt.log.read()
      // One that was let go is not looked after: that would bring it back at once, and have another let go.
      if (attempt.releasedFor === 'evicted' && state.end === undefined) return this.#held.leave(request, state, known)
      // Its end may be stored, and say that this very request has it.
      return this.#held.answerElsewhere(request, known, true)
    }
    const forgotten = repeat && this.#parts.repeats.forget(repeat, attempt.id)
    // Where the log says so, too, who finds the name sees that it is over.
    if (attempt.log.state.isDelivered) forgotten?.catch(() => {})
    else await forgotten
    return { kind: 'ended', end }
  }

  /** What a round that was answered before is answered with, again. */
  async repeat(request: CallRequest<T>, id: string, reply: RoundReply | CallResponse): Promise<CallReply> {
    if (!('kind' in reply)) return { kind: 'ended', end: reply }
    if (reply.kind === 'asks') return reply
    const state = await this.#parts.durable.look(id)
    if (state === undefined) throw new StateRejectedError('the call is gone')
    if (request.takesTasks) return { kind: 'task', id, state }
    const attempt = this.#parts.durable.find(id)
    if (attempt !== undefined) return this.#hold({ request, attempt }, false)
    const { handle } = reply
    const found = await this.#parts.repeats.find({ ...request, handle })
    const repeat = found.id === id ? found.repeat : { key: '', handle, version: undefined }
    return this.#held.answerElsewhere(request, { repeat, id }, true)
  }

  /** A round of a call that runs here was answered in another process, which waits for the reply in the log. */
  async replyElsewhere(attempt: Attempt<T>, round: number): Promise<void> {
    const { call } = attempt
    attempt.replyTo(round)
    this.#parts.runs.resume(attempt)
    const pause = await call.pause()
    if (pause.kind === 'background') {
      if (attempt.takesTasks) call.becomeTask()
      else call.leaveClient()
      await attempt.replyRound({ kind: 'background', handle: attempt.repeat?.handle })
    } else if (pause.kind === 'asks') await this.#suspend(undefined, attempt)
  }

  /** Lets go of calls whose client never came back, and of old replies. */
  #sweep(): void {
    const { clock, retainMs } = this.#parts
    const now = clock.now()
    // One whose client is here at this moment is told itself.
    this.#parts.runs.suspended.remove(
      ({ suspended, call }) => suspended !== undefined && now >= suspended.expiresAt && call.incoming === undefined,
    )
    this.#parts.logs.forgetBefore(now - retainMs)
    this.#stopSweep = this.#parts.runs.suspended.size > 0 ? clock.after(sweepMs, () => this.#sweep()) : undefined
  }
}
