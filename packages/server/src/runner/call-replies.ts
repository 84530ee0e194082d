// What a request is answered with, by where its call pauses: a round with its asks, a task, words that a person takes
// longer, or the end.
import { CallCancelledError, ReplayMismatchError, StateRejectedError } from '@beckon/core'
import type { End, Pause } from '../call/call-types.js'
import type { CallResponse, RoundReply } from '../log/events.js'
import { whenCancelled } from '../protocol/when-cancelled.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import { clientAsks, describeMiss } from './answers.js'
import type { Attempt } from './attempt.js'
import type { CallReply, CallRequest } from './call-request.js'
import { clientGone, HeldRequests } from './held-requests.js'
import type { Found } from './repeats.js'
import { markOpen } from './request-states.js'
import { RoundReplies } from './round-replies.js'
import type { RunnerParts } from './runner-parts.js'
import type { Worker } from './working.js'

/** How often a replay may miss what the journal has before that is an error. */
const maxMisses = 3
const sweepMs = 60_000

export class CallReplies<T> {
  readonly #parts: RunnerParts<T>
  readonly #held: HeldRequests<T>
  readonly #rounds: RoundReplies<T>
  #stopSweep: (() => void) | undefined

  constructor(parts: RunnerParts<T>) {
    this.#parts = parts
    this.#held = new HeldRequests(parts)
    this.#rounds = new RoundReplies(parts)
  }

  close(): void {
    this.#stopSweep?.()
  }

  /** Waits until the handler rests, and makes the reply for that. */
  respond(request: CallRequest<T>, attempt: Attempt<T>, found?: Found): Promise<CallReply> {
    if (found !== undefined)
      return this.#hold(request, attempt, { found, background: true }).finally(() => this.#isDone(attempt))
    const stopWatching = whenCancelled(request.incoming, () => this.#clientLeft(attempt))
    return attempt.call.pause().then(pause => {
      stopWatching()
      return this.#replyLast(request, attempt, pause)
    })
  }

  /** Replies, and has done with the round. No async function: on rounds in memory there is nothing to wait for. */
  #replyLast(request: CallRequest<T>, attempt: Attempt<T>, pause: Pause<T>): CallReply | Promise<CallReply> {
    let reply: CallReply | Promise<CallReply> | undefined
    try {
      reply = this.reply(request, attempt, pause)
      return reply instanceof Promise ? reply.finally(() => this.#isDone(attempt)) : reply
    } finally {
      if (!(reply instanceof Promise)) this.#isDone(attempt)
    }
  }

  /** Nobody works on the round any more: who waits for its reply is told. */
  #isDone(worker: Worker): void {
    if (this.#parts.working.remove(worker)) this.#parts.watchers.notifyWatchers(worker)
  }

  /** A client that cancels, or goes away, ends what it asked for; a durable call goes on. */
  #clientLeft(attempt: Attempt<T>): void {
    const { call } = attempt
    if (attempt.isDurable) return
    this.#parts.cancelled(attempt.id)
    call.drop(clientGone())
  }

  reply(request: CallRequest<T>, attempt: Attempt<T>, pause: Pause<T>, found?: Found): CallReply | Promise<CallReply> {
    switch (pause.kind) {
      case 'asks':
      case 'outside':
        return attempt.begun === undefined
          ? this.#suspend(request, attempt)
          : this.#suspendBegun(request, attempt, { kind: pause.kind, found })
      case 'background':
        return this.#leave(request, attempt, found)
      default:
        return this.#end(request, attempt, { end: pause, found })
    }
  }

  /** The same for a round of a durable call, once that is stored. */
  async #suspendBegun(
    request: CallRequest<T>,
    attempt: Attempt<T>,
    { kind, found }: { kind: Pause<T>['kind']; found: Found | undefined },
  ): Promise<CallReply> {
    await attempt.begun
    if (attempt.releasedFor === 'other-process') return this.#parts.answerAgain(request)
    const { call } = attempt
    // It may wait for something else by now.
    return call.waitsFor === kind
      ? this.#suspend(request, attempt)
      : this.reply(request, attempt, await call.pause(), found)
  }

  /** What the call waits for comes without its client: that one gets a task, or waits for as long as it does. */
  async #leave(request: CallRequest<T>, attempt: Attempt<T>, found: Found | undefined): Promise<CallReply> {
    await attempt.begun
    if (attempt.releasedFor === 'other-process') return this.#parts.answerAgain(request)
    await this.#rounds.reply(attempt, { kind: 'background', handle: attempt.repeat?.handle })
    if (request.takesTasks) {
      // Its client asks after it from here on, also for what it can show.
      attempt.call.becomeTask()
      return { kind: 'task', id: attempt.id, state: attempt.log.state }
    }
    return this.#hold(request, attempt, { found, background: false })
  }

  /** Waits for a call that runs here, and makes the reply for where it paused. */
  async #hold(
    request: CallRequest<T>,
    attempt: Attempt<T>,
    how: { found: Found | undefined; background: boolean },
  ): Promise<CallReply> {
    attempt.held ??= new Set()
    attempt.held.add(request.incoming)
    try {
      const held = await this.#held.hold(request, attempt, how)
      return held.kind === 'waiting' ? held : await this.reply(request, attempt, held, how.found)
    } finally {
      attempt.held.delete(request.incoming)
    }
  }

  /** Goes on with a call that was asked for before. */
  async goOn(request: CallRequest<T>, found: Found, id: string): Promise<CallReply> {
    const attempt = this.#parts.durable.find(id) ?? (await this.#stillHere(found))
    if (attempt === undefined) return this.#goOnElsewhere(request, found, { id, isDelivered: false })
    attempt.call.attach(request.incoming)
    return this.#hold(request, attempt, { found, background: !attempt.isDurable })
  }

  /** The run of a call that is not durable, unless another process has taken a round of it since. */
  async #stillHere({ repeat }: Found): Promise<Attempt<T> | undefined> {
    const attempt = this.#parts.repeats.at(repeat)
    if (attempt === undefined || attempt.isDurable) return attempt
    await attempt.log.read()
    if (!attempt.isReleased) return attempt
    if (attempt.suspended !== undefined) this.#parts.suspended.take(attempt.suspended.state)
    this.#parts.repeats.remove(attempt)
    return undefined
  }

  /** The same for a call that another process runs. @param isDelivered Whether its result is wanted, too, that someone has. */
  async #goOnElsewhere(
    request: CallRequest<T>,
    found: Found,
    { id, isDelivered }: { id: string; isDelivered: boolean },
  ): Promise<CallReply> {
    const held = await this.#held.holdElsewhere(request, found, { id, isDelivered })
    if (held.kind !== 'gone' && held.kind !== 'delivered') return held
    await this.#parts.repeats.forget(found.repeat, id)
    // What was known is gone: its time was over, or someone else has its result.
    if (held.kind === 'gone') return this.#parts.answerAgain(request)
    await this.#parts.durable.delivered(id)
    return { kind: 'ended', end: held.end }
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
            ...(!this.#parts.logs.areStored && { journal: call.journal.encoded }),
          })
        : new ReplayMismatchError(describeMiss(call.target.name, unreached))
    if (typeof state !== 'string') {
      call.drop(state)
      if (request === undefined) throw state
      return this.#end(request, attempt, { end: { kind: 'failed', error: state } })
    }
    call.suspend()
    attempt.suspended = { state, asks, expiresAt }
    attempt.isPromised = true
    this.#parts.suspended.add(state, attempt)
    this.#stopSweep ??= clock.after(sweepMs, () => this.#sweep())
    const reply: CallReply = { kind: 'asks', asks, state }
    const isMine = this.#rounds.reply(attempt, { kind: 'asks', asks, state }, expiresAt)
    return this.#orOvertaken(isMine, reply, { request, attempt })
  }

  /** A reply that is given once its log has it. */
  #orOvertaken(
    isMine: boolean | Promise<boolean>,
    reply: CallReply,
    of: { request: CallRequest<T> | undefined; attempt: Attempt<T> },
  ): CallReply | Promise<CallReply> {
    if (typeof isMine !== 'boolean') return isMine.then(mine => this.#orOvertaken(mine, reply, of))
    return isMine ? reply : this.#overtaken(of.request, of.attempt)
  }

  /** Someone else has taken the round over: what that one replies counts for everyone who sent these answers. */
  #overtaken(request: CallRequest<T> | undefined, attempt: Attempt<T>): Promise<CallReply> {
    if (attempt.suspended !== undefined) this.#parts.suspended.take(attempt.suspended.state)
    attempt.release('other-process')
    if (request?.state === undefined) throw new CallCancelledError('Another process has taken this call over.')
    return this.#parts.returned(request, request.state)
  }

  #end(
    request: CallRequest<T>,
    attempt: Attempt<T>,
    { end, found }: { end: End<T>; found?: Found | undefined },
  ): CallReply | Promise<CallReply> {
    const isAway = end.kind === 'failed' && end.error instanceof StoreUnavailableError
    if (attempt.isDurable && !isAway) return this.#deliver(request, attempt, found)
    if (attempt.isReleased && request.state !== undefined) return this.#overtaken(request, attempt)
    const encoded = this.#parts.encodeEnd(end, attempt.call)
    const reply: CallReply = { kind: 'ended', end: encoded }
    // A store that was away has ended nothing, nor has a client that left: the round can be answered again.
    if (attempt.call.isDropped || isAway) return this.#rounds.reopen(attempt).then(() => reply)
    return this.#orOvertaken(this.#rounds.end(attempt, encoded), reply, { request, attempt })
  }

  /** Gives the result of a durable call to who asked for it: the same request is a new call from here on. */
  async #deliver(request: CallRequest<T>, attempt: Attempt<T>, found: Found | undefined): Promise<CallReply> {
    const end = await attempt.outcome
    const repeat = attempt.repeat ?? found?.repeat
    if (end === undefined) {
      if (!attempt.isReleased || repeat === undefined) throw new CallCancelledError('The call was cancelled.')
      const { id } = attempt
      // Its end may be stored, and say that this very request has it.
      return this.#goOnElsewhere(request, { repeat, id, isTold: true }, { id, isDelivered: true })
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
    if (attempt !== undefined) return this.#hold(request, attempt, { found: undefined, background: false })
    const { handle } = reply
    const found = await this.#parts.repeats.find({ ...request, handle })
    const repeat = found.id === id ? found.repeat : { key: '', handle, version: undefined }
    return this.#goOnElsewhere(request, { repeat, id, isTold: true }, { id, isDelivered: true })
  }

  /** A round of a call that runs here was answered in another process, which waits for the reply in the log. */
  async replyElsewhere(attempt: Attempt<T>, round: number): Promise<void> {
    const { call } = attempt
    attempt.answeredRound = round
    attempt.round = round + 1
    if (attempt.suspended !== undefined) this.#parts.suspended.take(attempt.suspended.state)
    attempt.suspended = undefined
    const pause = await call.pause()
    if (pause.kind === 'background') {
      if (attempt.takesTasks) call.becomeTask()
      else call.leaveClient()
      await this.#rounds.reply(attempt, { kind: 'background', handle: attempt.repeat?.handle })
    } else if (pause.kind === 'asks') await this.#suspend(undefined, attempt)
  }

  /** Lets go of calls whose client never came back, and of old replies. */
  #sweep(): void {
    const { clock, retainMs } = this.#parts
    const now = clock.now()
    // One whose client is here at this moment is told itself.
    this.#parts.suspended.remove(
      ({ suspended, call }) => suspended !== undefined && now >= suspended.expiresAt && call.incoming === undefined,
    )
    this.#parts.logs.forgetBefore(now - retainMs)
    this.#stopSweep = this.#parts.suspended.size > 0 ? clock.after(sweepMs, () => this.#sweep()) : undefined
  }
}
