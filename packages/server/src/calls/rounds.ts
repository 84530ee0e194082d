// Calls that are answered round by round: whenever the handler waits, the request is answered with the open asks and a
// sealed state, and a retry that brings that state back continues the call. The suspended handler stays in memory and
// simply goes on; where it is gone (another process, a restart, bounds), the handler is replayed from the journal.
import { CallCancelledError, ReplayMismatchError, StateRejectedError } from '@beckon/core'
import { elapsedSince, type OpenAsk } from '../call/ask.js'
import { Call, type EarlierAsks } from '../call/call.js'
import { Journal } from '../call/journal.js'
import { decodeJournal } from '../call/journal-codec.js'
import type { Pause, Wire } from '../call/wire.js'
import { randomId } from '../crypto/random-id.js'
import type { Incoming } from '../protocol/incoming.js'
import { whenCancelled } from '../protocol/when-cancelled.js'
import { StoreUnavailableError } from '../store/store-unavailable.js'
import { type Answered, digestOf, entryOf, joinSteps, readReplies } from './answered.js'
import { CallStates, comesBackUntil, expired } from './call-states.js'
import { describeMiss } from './describe-miss.js'
import type { Claimed, Ledger, Work } from './ledger.js'
import { Parking } from './parking.js'
import type { Round, RoundReply, RoundsOptions } from './round.js'
import { type CallState, checkBinding, markOpen } from './state.js'

interface Parked<T, R> {
  readonly principal: string | undefined
  readonly call: Call<T>
  readonly work: Work<R>
  readonly round: number
  readonly asks: OpenAsk[]
  readonly expiresAt: number
  /** Who waits for something outside, together, where anyone does. */
  vigil?: Vigil<R> | undefined
  evicted(): void
}

/** Requests that wait for the same call. */
interface Vigil<R> {
  readonly incoming: Set<Incoming>
  readonly reply: Promise<R>
}

/** What the next reply of a call goes by. */
interface Leg<R> {
  readonly work: Work<R>
  /** The number of the round that it opens. */
  readonly round: number
  readonly missed: number
}

/** How often a replay may miss what the journal has before that is an error. */
const fewMisses = 3
const sweepMs = 60_000
/** Puts nothing itself: the asks leave with the reply. */
const wire: Wire = { name: 'rounds', put() {}, withdraw() {} }

export class Rounds<T, R> {
  readonly #options: RoundsOptions
  readonly #ledger: Ledger<R>
  readonly #states: CallStates
  readonly #parking: Parking<Parked<T, R>>
  #stopSweep: (() => void) | undefined

  constructor(options: RoundsOptions, ledger: Ledger<R>) {
    this.#options = options
    this.#ledger = ledger
    this.#states = new CallStates(options, ledger.keepsJournal)
    this.#parking = new Parking(options.limits.suspended, options.limits.suspendedPerPrincipal)
  }

  /** How many calls wait for their next round. */
  get suspended(): number {
    return this.#parking.size
  }

  /** Answers one request: the first of a call, or one that brings a state back. */
  answer(round: Round<T, R>): Promise<R> {
    const { telemetry } = this.#options
    telemetry?.round()
    if (round.state === undefined) return this.#begin(round)
    const parked = this.#parking.get(round.state)
    const reply = parked === undefined ? this.#return(round, round.state) : this.#resume(round, round.state, parked)
    if (telemetry === undefined) return reply
    return reply.catch(error => {
      if (error instanceof StateRejectedError) telemetry.rejected()
      throw error
    })
  }

  /** Lets every suspended call go. */
  close(): void {
    this.#stopSweep?.()
    this.#parking.clear()
  }

  #begin(round: Round<T, R>): Promise<R> {
    const id = randomId()
    const work = this.#ledger.begin(id, this.#options.clock.now() + this.#options.retainMs)
    const call = this.#createCall(id, round, { journal: new Journal(), work })
    call.unasked = round.incoming.inputResponses
    call.run(() => round.start(call))
    return this.#reply(call, round, { work, round: 1, missed: 0 })
  }

  /** The suspended handler is here: it goes on. */
  async #resume(round: Round<T, R>, state: string, parked: Parked<T, R>): Promise<R> {
    const { call } = parked
    if (this.#options.clock.now() >= parked.expiresAt) throw expired()
    checkBinding({ target: call.target, principal: call.principal ?? null }, round.target, round.incoming.principal)
    const open = call.openAsks
    const isOver = ({ expiresAt }: OpenAsk) => this.#options.clock.now() >= expiresAt
    const answerable = parked.asks.filter(ask => open.includes(ask) || isOver(ask))
    const answered = readReplies(answerable.map(markOpen), round, this.#options.clock.now())
    const isMoved = call.hasEnded || open.some(ask => !parked.asks.includes(ask))
    if (answered.length === 0 && !isMoved) {
      // Nobody answered anything: the same is asked again, or the wait outside goes on.
      return open.length > 0
        ? round.encode({ kind: 'open', asks: parked.asks, state })
        : this.#wait(round, parked, state)
    }
    this.#parking.take(state)
    if ((round.incoming.replay ?? this.#options.replay) === 'always') {
      call.drop()
      return this.#return(round, state)
    }
    const { expiresAt } = parked
    const claim = { call: call.id, round: parked.round, answers: digestOf(answered), at: parked.work.at, expiresAt }
    const claimed = await this.#ledger.claim({ ...claim, entries: answered.map(entryOf) }).catch(error => {
      // A store that cannot be reached has decided nothing: the call waits on.
      if (error instanceof StateRejectedError) call.drop()
      else this.#parking.add(state, parked)
      throw error
    })
    if (claimed.kind !== 'mine' || claimed.isMoved) {
      // Another process was faster: this copy was overtaken.
      call.drop()
      return claimed.kind === 'repeat'
        ? claimed.reply
        : this.#replay(round, this.#states.open(state, round), answered, claimed)
    }
    call.keeper = claimed.work
    call.attach(round.incoming)
    for (const [{ id }, given] of answered) call.settle(id, given)
    return this.#reply(call, round, { work: claimed.work, round: parked.round + 1, missed: 0 })
  }

  /** A retry of a call that waits for nothing but the outside: its state stays good until something happened. */
  async #wait(round: Round<T, R>, parked: Parked<T, R>, state: string): Promise<R> {
    const { call } = parked
    const { incoming } = round
    call.attach(incoming)
    parked.vigil ??= { incoming: new Set(), reply: this.#watchOutside(round, parked, state) }
    const { incoming: present, reply } = parked.vigil
    present.add(incoming)
    const stopWatching = whenCancelled(incoming, () => {
      if (present.delete(incoming) && present.size === 0) call.drop(clientGone())
    })
    return reply.finally(stopWatching)
  }

  async #watchOutside(round: Round<T, R>, parked: Parked<T, R>, state: string): Promise<R> {
    const { call, work } = parked
    const next = await call.pause()
    parked.vigil = undefined
    const waitsOn = next.kind === 'suspended' && call.openAsks.length === 0
    if (waitsOn) {
      call.park()
      return round.encode({ kind: 'open', asks: [], state })
    }
    this.#parking.take(state)
    return this.#replyTo(next, call, round, { work, round: parked.round + 1, missed: 0 })
  }

  /** The suspended handler is not here: a repeat gets its reply from the record, anything else is replayed. */
  async #return(round: Round<T, R>, sealed: string): Promise<R> {
    const state = this.#states.open(sealed, round)
    const answered = readReplies(state.open, round, this.#options.clock.now())
    const claimed = await this.#ledger.claim({
      call: state.call,
      round: state.round,
      answers: answered.length > 0 ? digestOf(answered) : undefined,
      entries: answered.map(entryOf),
      at: undefined,
      expiresAt: state.expiresAt,
    })
    return claimed.kind === 'repeat' ? claimed.reply : this.#replay(round, state, answered, claimed)
  }

  /** Runs the handler again, with what the journal has. */
  async #replay(
    round: Round<T, R>,
    state: CallState,
    answered: readonly Answered[],
    claimed: Exclude<Claimed<R>, { kind: 'repeat' }>,
  ): Promise<R> {
    const { work, kind } = claimed
    try {
      this.#states.checkReplay(state, round)
    } catch (error) {
      await work.reopen()
      throw error
    }
    const journal = new Journal(
      state.journal === undefined
        ? [...claimed.journal]
        : joinSteps([...decodeJournal(state.journal), ...answered.map(entryOf)], claimed.journal),
    )
    const { telemetry, clock } = this.#options
    telemetry?.replayed()
    for (const [mark, reply] of answered) telemetry?.answered(wire.name, mark.ask, elapsedSince(mark, clock), reply)
    const earlier = new Map(state.open.map(mark => [mark.id, mark]))
    const call = this.#createCall(state.call, round, { journal, work, earlier })
    call.run(() => round.start(call))
    // A round that nobody has answered is still the same one: whoever is first to answer it, here or elsewhere, wins.
    const next = kind === 'open' ? state.round : state.round + 1
    return this.#reply(call, round, { work, round: next, missed: state.misses })
  }

  #createCall(
    id: string,
    { target, incoming }: Round<T, R>,
    { journal, work, earlier }: { journal: Journal; work: Work<R>; earlier?: EarlierAsks },
  ): Call<T> {
    const { clock, limits, telemetry } = this.#options
    const { principal } = incoming
    const call = new Call<T>({
      id,
      target,
      principal,
      journal,
      wire,
      clock,
      maxAsks: limits.asks,
      holdMs: limits.holdMs,
      earlier,
      telemetry,
    })
    call.keeper = work
    call.recordsWhileParked = this.#ledger.keepsJournal
    call.attach(incoming)
    return call
  }

  /** Waits until the handler rests, and makes the reply for that. */
  async #reply(call: Call<T>, round: Round<T, R>, leg: Leg<R>): Promise<R> {
    const stopWatching = this.#watch(call, round)
    const pause = await call.pause()
    stopWatching()
    return await this.#replyTo(pause, call, round, leg)
  }

  /** Drops the call when its client cancels or goes away. */
  #watch(call: Call<T>, { incoming }: Round<T, R>): () => void {
    return whenCancelled(incoming, () => call.drop(clientGone()))
  }

  /** Encodes the reply, keeps what the next round needs, and has it written down before it leaves. */
  async #replyTo(pause: Pause<T>, call: Call<T>, round: Round<T, R>, leg: Leg<R>): Promise<R> {
    const reply = this.#describe(pause, call, round, leg)
    const encoding = round.encode(reply)
    const encoded = encoding instanceof Promise ? await encoding : encoding
    if (reply.kind === 'open') this.#park(call, reply, leg)
    const until = reply.kind === 'open' ? comesBackUntil(call) : this.#options.clock.now()
    // A store that was away has ended nothing: the round can be answered again.
    const isInterrupted = call.isDropped || (reply.kind === 'failed' && reply.error instanceof StoreUnavailableError)
    if (isInterrupted) {
      await leg.work.reopen()
      return encoded
    }
    const writing = leg.work.settle(encoded, until)
    return writing === undefined || (await writing) ? encoded : this.#overtaken(call, round, reply)
  }

  /** Someone else has taken the round over: what that one replies counts for everyone who sent these answers. */
  #overtaken(call: Call<T>, round: Round<T, R>, reply: RoundReply<T>): Promise<R> {
    if (reply.kind === 'open') this.#parking.take(reply.state)
    call.drop()
    if (round.state === undefined) throw new CallCancelledError('Another process has taken this call over.')
    return this.#return(round, round.state)
  }

  #describe(pause: Pause<T>, call: Call<T>, round: Round<T, R>, leg: Leg<R>): RoundReply<T> {
    if (pause.kind === 'left') return { kind: 'left', call }
    if (pause.kind !== 'suspended') return pause
    const unreached = call.journal.unreached()
    const misses = unreached.length > 0 ? leg.missed + 1 : 0
    const state =
      misses < fewMisses
        ? this.#states.seal(call, leg.round, misses)
        : new ReplayMismatchError(describeMiss(round.target.name, unreached))
    if (typeof state === 'string') return { kind: 'open', asks: call.openAsks, state }
    call.drop(state)
    return { kind: 'failed', error: state }
  }

  #park(call: Call<T>, { asks, state }: Extract<RoundReply<T>, { kind: 'open' }>, { work, round }: Leg<R>): void {
    const { principal } = call
    const expiresAt = comesBackUntil(call)
    call.park()
    this.#parking.add(state, { principal, call, work, round, asks, expiresAt, evicted: dropCall })
    this.#stopSweep ??= this.#options.clock.after(sweepMs, () => this.#sweep())
  }

  /** Lets go of calls whose client never came back, and of old replies. */
  #sweep(): void {
    const { clock, retainMs } = this.#options
    const now = clock.now()
    // One whose client is here at this moment is told itself.
    this.#parking.remove(({ expiresAt, call }) => now >= expiresAt && call.incoming === undefined)
    this.#ledger.forgetBefore(now - retainMs)
    this.#stopSweep = this.#parking.size > 0 ? clock.after(sweepMs, () => this.#sweep()) : undefined
  }
}

function dropCall(this: { readonly call: Call }): void {
  this.call.drop()
}

function clientGone(): CallCancelledError {
  return new CallCancelledError('The client cancelled the request or went away.')
}
