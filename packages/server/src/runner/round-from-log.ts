// A request that brings a state back whose handler is not suspended here: it gets a reply that was given before, or the asks
// that are still open; or the round is this process's to go on with, and the handler is replayed.
import { StateRejectedError } from '@beckon/core'
import { elapsedSince } from '../call/ask.js'
import { type Entry, Journal } from '../call/journal.js'
import { decodeJournal } from '../call/journal-codec.js'
import type { CallLog } from '../log/call-log.js'
import type { CallResponse, RoundReply } from '../log/events.js'
import {
  type AnsweredRound,
  type CallState,
  claimOf,
  emptyCallState,
  outlastsReopening,
  overCallState,
  roundOf,
} from '../log/reduce.js'
import {
  type Answered,
  clientAsks,
  digestOf,
  digestOfSent,
  joined,
  judged,
  newEntries,
  noAnswers,
  readReplies,
} from './answers.js'
import { attemptFor } from './attempt.js'
import type { CallReply, CallRequest, ReplayCause } from './call-request.js'
import { expired, type RequestState } from './request-states.js'
import type { RunnerParts } from './runner.js'

const firstLookMs = 25
const lastLookMs = 1_000

/** What a look at the log comes to: a reply, or another look; at once, where something has changed. */
type Looked = CallReply | 'wait' | 'again'

/** One such request. */
export class RoundFromLog<T> {
  readonly #parts: RunnerParts<T>
  readonly #request: CallRequest<T>
  readonly #sealed: string
  readonly #state: RequestState
  readonly #log: CallLog
  readonly #replies: readonly Answered[]
  /** Of what its client sent; undefined where that has answered nothing. */
  readonly #answers: string | undefined
  /** With what it may have been answered before. */
  readonly #same: readonly (string | undefined)[]
  readonly #at: { readonly now: number; readonly node: string; readonly clockSkewMs: number }
  /** Why its handler is run again that would not have to be. */
  readonly #cause: ReplayCause | undefined

  /** @throws StateRejectedError for a state that is not this request's */
  constructor(
    parts: RunnerParts<T>,
    request: CallRequest<T>,
    { state, cause }: { state: string; cause: ReplayCause | undefined },
  ) {
    const { clock, states, durable, logs, rules } = parts
    const { incoming, target } = request
    this.#parts = parts
    this.#request = request
    this.#sealed = state
    this.#cause = cause
    this.#state = states.open(state, target, incoming)
    this.#at = { now: clock.now(), node: rules.node, clockSkewMs: rules.clockSkewMs }
    this.#replies = readReplies(this.#state.open, request, this.#at.now)
    this.#answers = this.#replies.length > 0 ? digestOf(this.#replies) : undefined
    const { call, open } = this.#state
    // A repeat may come when the time of an ask is over, or by a clock that is ahead: its answers were in time.
    this.#same = [undefined, noAnswers, this.#answers, digestOfSent(open, request)]
    this.#log = durable.find(call)?.log ?? logs.open(call, incoming.principal)
  }

  /** @throws StateRejectedError for a round that was answered otherwise */
  async answer(): Promise<CallReply> {
    const { clock, watchers } = this.#parts
    const { expiresAt } = this.#state
    for (let lookMs = firstLookMs; clock.now() < expiresAt; lookMs = Math.min(lookMs * 2, lastLookMs)) {
      const known = await this.#log.read()
      const looked = await this.#look(known)
      if (typeof looked === 'object') return looked
      if (looked === 'wait' || this.#log.state === known) await watchers.next(this.#name, claimOf(known), lookMs)
    }
    throw expired()
  }

  async #look(known: CallState): Promise<Looked> {
    const { logs, replies } = this.#parts
    const { call, round, issuedAt } = this.#state
    if (known === overCallState) throw noLongerKept()
    const settled = roundOf(known, round)
    const reply = replyIn(known, settled, this.#answers)
    if (this.#answers !== undefined && !this.#same.includes(settled?.answers))
      throw new StateRejectedError('other answers were given before')
    if (reply !== undefined) return replies.repeat(this.#request, call, reply)
    if (wasPassed(known, round)) throw new StateRejectedError('the call has gone on since')
    if (known === emptyCallState && logs.hasForgotten(issuedAt, this.#request.incoming.principal))
      throw new StateRejectedError('whether it was answered before is no longer known')
    return known.record === undefined ? this.#takeRound(known, settled) : this.#takeDurable(known, settled)
  }

  /** A call that is answered in rounds alone: the process that takes the round goes on with it. */
  async #takeRound(known: CallState, settled: AnsweredRound | undefined): Promise<Looked> {
    // A run may be at it without an answer, beside what is open.
    const isFree = settled === undefined && !known.isClaimed
    const gone = isFree ? undefined : await this.#whyGone(known)
    if (!isFree && gone === undefined) return 'wait'
    const why = settled === undefined || gone === undefined ? this.#whyNotSuspended() : gone
    return this.#replay(known, settled, this.#cause ?? why)
  }

  /** A durable call: its run takes the answers from the log, wherever that is. */
  async #takeDurable(known: CallState, settled: AnsweredRound | undefined): Promise<Looked> {
    const { durable, takeovers, replies } = this.#parts
    const { call } = this.#state
    const why = await this.#whyGone(known)
    if (why !== undefined) {
      await takeovers.takeOver(this.#name, this.#cause ?? why)
      return durable.find(call) === undefined ? 'wait' : 'again'
    }
    if (settled !== undefined) return 'wait'
    if (this.#answers !== undefined) {
      await this.#putAnswers(known, this.#answers)
      return 'again'
    }
    const asks = clientAsks(known.open)
    if (asks.length > 0) return { kind: 'asks', asks, state: this.#sealed }
    return replies.repeat(this.#request, call, { kind: 'background' })
  }

  get #name(): string {
    return this.#parts.logs.nameOf(this.#state.call)
  }

  /** Why nobody is at the call; undefined while somebody is. */
  #whyGone(known: CallState): Promise<ReplayCause | undefined> {
    return this.#parts.takeovers.whyGone(this.#name, known)
  }

  /** Why a call is replayed whose suspended handler is not here. */
  #whyNotSuspended(): ReplayCause {
    const { nodes, runs } = this.#parts
    const { node, call } = this.#state
    if (node !== nodes.id) return 'other-process'
    return runs.cancelled.delete(call) ? 'cancelled' : 'evicted'
  }

  /** What of the answers counts, by what the log has. */
  #judged(known: CallState): Answered[] {
    return judged(this.#replies, known, this.#at)
  }

  /** Puts answers in the log of a durable call, for the process that runs it. */
  async #putAnswers(known: CallState, answers: string): Promise<void> {
    const { clock, durable } = this.#parts
    const { round, call } = this.#state
    const answered = this.#judged(known)
    await durable.write(call, this.#log, state => {
      if (state.end !== undefined || roundOf(state, round) !== undefined) return undefined
      const isHere = ({ ask }: { ask: string }) => state.open.some(({ id, wire }) => id === ask && wire === 'rounds')
      const entries = newEntries(answered, state).filter(isHere)
      return { kind: 'answered', entries, round, answers, at: clock.now() }
    })
  }

  /**
   * Takes the round for a run of this process, which begins with what the journal has; unless another one is faster. A round that
   * nobody has answered is still the same one: its asks are only shown again.
   */
  async #replay(known: CallState, settled: AnsweredRound | undefined, cause: ReplayCause): Promise<Looked> {
    const { clock, telemetry, repeats, replies } = this.#parts
    this.#checkReplay()
    const { call, open, round, misses, promisedUntil } = this.#state
    const answered = this.#judged(known)
    const digest = settled?.answers ?? this.#answers
    const attempt = attemptFor(this.#parts, this.#request, { id: call, log: this.#log, known })
    attempt.round = round
    attempt.misses = misses
    attempt.promisedUntil = promisedUntil
    attempt.waitsOutside = digest === undefined && open.length === 0
    const answers = digest !== undefined && { answered, digest, isSettled: settled !== undefined }
    if (answers && !(await attempt.takeRound(answers))) return 'again'
    telemetry?.replayed(cause)
    for (const [mark, reply] of answered) telemetry?.answered('rounds', mark.ask, elapsedSince(mark, clock), reply)
    attempt.call.journal = journalOf(this.#state, answered, this.#log.state.entries)
    attempt.call.earlier = new Map(open.map(mark => [mark.id, { ...mark, wire: 'rounds' as const }]))
    if (this.#request.canRepeat) repeats.add(repeats.repeatOf(this.#request), attempt)
    attempt.start(this.#request)
    return replies.respond({ request: this.#request, attempt })
  }

  /** @throws StateRejectedError where the handler must not run again. */
  #checkReplay(): void {
    const { version, onDeploy, replay, logs } = this.#parts
    const { state, forgotten } = this.#log
    if (logs.areStored ? this.#state.isLogged && state === emptyCallState : lacks(this.#state, forgotten))
      throw new StateRejectedError('what the call has learned since is no longer kept')
    if ((this.#request.incoming.replay ?? replay) === 'never')
      throw new StateRejectedError('the process that ran this call is gone, and its handler cannot be replayed')
    if (this.#state.version !== version && onDeploy === 'fail')
      throw new StateRejectedError(`it was made by version ${this.#state.version} of this server`)
  }
}

/** The journal from the log, where that is stored; else from the state, with what came after that. */
function journalOf({ journal, open }: RequestState, answered: readonly Answered[], logged: readonly Entry[]): Journal {
  return new Journal(
    joined(decodeJournal(journal ?? ''), logged),
    open.filter(mark => !answered.some(([other]) => other === mark)),
  )
}

/** What an answered round has for a repeat; undefined while it is worked on. */
function replyIn(
  { end, record, rounds }: CallState,
  settled: AnsweredRound | undefined,
  answers: string | undefined,
): RoundReply | CallResponse | undefined {
  if (settled?.reply === 'forgotten') throw noLongerKept()
  if (settled?.reply !== undefined) return settled.reply
  if (end === 'cancelled') throw new StateRejectedError('the call was cancelled')
  // The last round of a call, one that nobody answered, or any round of a call that ended without its client.
  const isOfEnd = settled === undefined ? answers === undefined : settled === rounds.at(-1)
  return record !== undefined || isOfEnd ? end : undefined
}

/** Whether a state is from before steps that ran, and results that did not count, which were let go. */
function lacks({ journal }: RequestState, forgotten: number): boolean {
  return forgotten > 0 && decodeJournal(journal ?? '').filter(outlastsReopening).length < forgotten
}

function noLongerKept(): StateRejectedError {
  return new StateRejectedError('it was answered before, and that reply is no longer kept')
}

/** Whether a call has ended, or later rounds of it were answered, though all that was known of this one went. */
function wasPassed({ record, end, rounds }: CallState, round: number): boolean {
  if (record !== undefined || rounds.some(({ number }) => number === round)) return false
  return end !== undefined || rounds.some(({ number }) => number > round)
}
