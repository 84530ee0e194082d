// What a request comes to that brings a state back whose handler is not suspended here: a reply that was given before, asks
// that are still open, or a round that is this process's to go on with.
import { StateRejectedError } from '@beckon/core'
import { type Entry, Journal } from '../call/journal.js'
import { decodeJournal } from '../call/journal-codec.js'
import { randomId } from '../crypto/random-id.js'
import type { CallLog } from '../log/call-log.js'
import type { CallResponse, Owner, RoundReply } from '../log/events.js'
import { type AnsweredRound, type CallState, roundOf } from '../log/reduce.js'
import {
  type Answered,
  clientAsks,
  digestOf,
  digestOfSent,
  entryOf,
  joinSteps,
  judged,
  newEntries,
  noAnswers,
  readReplies,
} from './answers.js'
import type { CallReply, CallRequest, ReplayCause } from './call-request.js'
import { claimOf } from './owners.js'
import { expired, type RequestState } from './request-states.js'
import type { RunnerParts } from './runner-parts.js'
import type { Worker } from './working.js'

/** A round that this process goes on with: the handler is replayed. */
export interface ClaimedRound {
  readonly kind: 'mine'
  readonly state: RequestState
  readonly log: CallLog
  /** Of the run that has it. */
  readonly worker: Worker
  readonly journal: Journal
  readonly answered: readonly Answered[]
  /** Whether the round has an answer: without one, its asks are only shown again. */
  readonly isAnswered: boolean
  readonly cause: ReplayCause
}

export type ReturnedRound =
  | ClaimedRound
  | Extract<CallReply, { kind: 'asks' }>
  | { readonly kind: 'repeat'; readonly call: string; readonly reply: RoundReply | CallResponse }

/** What is brought back. */
interface Brought {
  readonly state: RequestState
  readonly answered: readonly Answered[]
  readonly answers: string | undefined
}

const firstLookMs = 25
const lastLookMs = 1_000

export class RoundsFromLog<T> {
  readonly #parts: RunnerParts<T>

  constructor(parts: RunnerParts<T>) {
    this.#parts = parts
  }

  /** @throws StateRejectedError for a state that is not this request's, or a round that was answered otherwise */
  async take(request: CallRequest<T>, sealed: string, cause?: ReplayCause): Promise<ReturnedRound> {
    const { clock, states, durable, logs, rules } = this.#parts
    const state = states.open(sealed, request.target, request.incoming)
    const at = { now: clock.now(), node: rules.node, clockSkewMs: rules.clockSkewMs }
    const replies = readReplies(state.open, request, at.now)
    const answers = replies.length > 0 ? digestOf(replies) : undefined
    // A repeat may come when the time of an ask is over, or by a clock that is ahead: its answers were in time.
    const same = [undefined, noAnswers, answers, digestOfSent(state.open, request)]
    const { principal } = request.incoming
    const log = durable.find(state.call)?.log ?? logs.open(state.call, principal)
    for (let lookMs = firstLookMs; clock.now() < state.expiresAt; lookMs = Math.min(lookMs * 2, lastLookMs)) {
      const known = await log.read()
      const settled = roundOf(known, state.round)
      const brought = { state, answered: judged(replies, known, at), answers }
      if (answers !== undefined && !same.includes(settled?.answers))
        throw new StateRejectedError('other answers were given before')
      const reply = replyIn(known, settled)
      if (reply !== undefined) return { kind: 'repeat', call: state.call, reply }
      if (settled !== undefined && log.isForgetful)
        throw new StateRejectedError('it was answered before, and that reply is no longer kept')
      if (log.isEmpty && logs.hasForgotten(state.issuedAt, principal))
        throw new StateRejectedError('whether it was answered before is no longer known')
      const taken =
        known.record === undefined
          ? await this.#takeRound(request, log, { brought, settled, cause })
          : await this.#takeDurable(log, known, { brought, settled, cause, sealed })
      if (taken !== 'wait') {
        if (taken !== undefined) return taken
      } else await this.#nextEvent(log, known, { call: state.call, lookMs })
    }
    throw expired()
  }

  /** A call that is answered in rounds alone: the process that takes the round goes on with it. Undefined when another was faster. */
  async #takeRound(
    request: CallRequest<T>,
    log: CallLog,
    {
      brought,
      settled,
      cause,
    }: { brought: Brought; settled: AnsweredRound | undefined; cause: ReplayCause | undefined },
  ): Promise<ClaimedRound | 'wait' | undefined> {
    const { state } = brought
    const why = settled === undefined ? this.#causeOf(state) : await this.#whyGone(log.state, state.call)
    if (why === undefined) return 'wait'
    return this.#claim(request, log, { ...brought, answers: settled?.answers ?? brought.answers, cause: cause ?? why })
  }

  /** A durable call: its run takes the answers from the log, wherever that is. */
  async #takeDurable(
    log: CallLog,
    known: CallState,
    given: { brought: Brought; settled: AnsweredRound | undefined; cause: ReplayCause | undefined; sealed: string },
  ): Promise<ReturnedRound | 'wait' | undefined> {
    const { durable } = this.#parts
    const { brought, settled, cause, sealed } = given
    const { call } = brought.state
    const why = await this.#whyGone(known, call)
    if (why !== undefined) {
      await durable.takeOver(call, cause ?? why)
      return durable.find(call) === undefined ? 'wait' : undefined
    }
    if (settled !== undefined) return 'wait'
    if (brought.answers !== undefined) {
      await this.#answer(log, brought, brought.answers)
      return undefined
    }
    const asks = clientAsks(known.open)
    return asks.length > 0
      ? { kind: 'asks', asks, state: sealed }
      : { kind: 'repeat', call, reply: { kind: 'background' } }
  }

  /** Why a call is replayed whose suspended handler is not here. */
  #causeOf({ node, call }: RequestState): ReplayCause {
    const { nodes, wasCancelled } = this.#parts
    if (node !== nodes.id) return 'other-process'
    return wasCancelled(call) ? 'cancelled' : 'evicted'
  }

  /** Why nobody is at a call; undefined while somebody is. */
  #whyGone(known: CallState, id: string): Promise<ReplayCause | undefined> {
    const { logs, owners } = this.#parts
    return owners.whyGone(logs.nameOf(id), claimOf(known))
  }

  /** Waits for something to happen to a call. */
  #nextEvent(log: CallLog, known: CallState, { call, lookMs }: { call: string; lookMs: number }): Promise<void> {
    const { clock, working, logs, watchers } = this.#parts
    const name = logs.nameOf(call)
    const claim = claimOf(known)
    const here = claim && working.find(name, claim.run)
    return new Promise(resolve => {
      const stopTimer = clock.after(lookMs, done)
      const stopHearing = here === undefined ? watchers.hear(name, claim, done) : undefined
      function done(): void {
        stopTimer()
        stopHearing?.()
        resolve()
      }
      void (here?.log ?? log).changed.then(done)
    })
  }

  /** Puts answers in the log of a durable call, for the process that runs it. */
  async #answer(log: CallLog, { state, answered }: Brought, answers: string): Promise<void> {
    const { clock, durable } = this.#parts
    const { round, call } = state
    await log.write(known => {
      if (known.end !== undefined || roundOf(known, round) !== undefined) return undefined
      const isHere = ({ ask }: { ask: string }) => known.open.some(({ id, wire }) => id === ask && wire === 'rounds')
      const entries = newEntries(answered, known).filter(isHere)
      return { kind: 'answered', entries, round, answers, at: clock.now() }
    })
    await durable.notifyOwner(call, log)
  }

  /** Takes the round for a run of this process. Undefined when another process was faster. */
  async #claim(
    request: CallRequest<T>,
    log: CallLog,
    { state, answered, answers, cause }: Brought & { cause: ReplayCause },
  ): Promise<ClaimedRound | undefined> {
    const { clock, nodes, logs, working, retainMs } = this.#parts
    this.#checkReplay(state, request)
    const { round } = state
    const run = randomId()
    const owner: Owner = { node: nodes.id, run }
    const worker: Worker = { name: logs.nameOf(state.call), run, log, watchers: undefined }
    const before = log.state.owner?.run
    const wasSettled = roundOf(log.state, round) !== undefined
    if (answers !== undefined) {
      const isMine = await working.take(worker, () =>
        log.write(known => {
          const settled = roundOf(known, round)
          const isOvertaken = known.end !== undefined || known.record !== undefined || known.owner?.run !== before
          // The same run may have taken it meanwhile, of which nobody knows that it is gone.
          const isOther = (settled !== undefined) !== wasSettled
          if (isOvertaken || isOther || settled?.reply !== undefined) return undefined
          // What has expired beside the answers is as the first one saw it: clocks may disagree.
          return settled === undefined
            ? { kind: 'answered', entries: newEntries(answered, known), round, answers, owner, at: clock.now() }
            : { kind: 'claimed', owner, at: clock.now() }
        }, state.expiresAt + retainMs),
      )
      if (!isMine) return undefined
    }
    const journal = journalOf(state, answered, log.state.entries)
    return { kind: 'mine', state, log, worker, journal, answered, isAnswered: answers !== undefined, cause }
  }

  /** @throws StateRejectedError where the handler must not run again. */
  #checkReplay(state: RequestState, { incoming }: Pick<CallRequest<T>, 'incoming'>): void {
    const { version, onDeploy, replay } = this.#parts
    if ((incoming.replay ?? replay) === 'never')
      throw new StateRejectedError('the process that ran this call is gone, and its handler cannot be replayed')
    if (state.version !== version && onDeploy === 'fail')
      throw new StateRejectedError(`it was made by version ${state.version} of this server`)
  }
}

/** The journal from the log, where that is stored; else from the state, with the steps that were finished since. */
function journalOf({ journal, open }: RequestState, answered: readonly Answered[], logged: readonly Entry[]): Journal {
  return new Journal(
    journal === undefined ? [...logged] : joinSteps([...decodeJournal(journal), ...answered.map(entryOf)], logged),
    open.filter(mark => !answered.some(([other]) => other === mark)),
  )
}

/** What an answered round has for a repeat; undefined while it is worked on. */
function replyIn(
  { end, record }: CallState,
  settled: AnsweredRound | undefined,
): RoundReply | CallResponse | undefined {
  if (settled?.reply !== undefined) return settled.reply
  if (end === 'cancelled') throw new StateRejectedError('the call was cancelled')
  // The last round of a call, or any round of a call that ended without its client.
  return settled !== undefined || record !== undefined ? end : undefined
}
