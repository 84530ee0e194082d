// Calls that are answered round by round: whenever the handler waits, the request is answered with the open asks and a
// sealed state, and a retry that brings that state back continues the call. The suspended handler stays in memory and
// simply goes on; where it is gone (another process, a restart, bounds), the handler is replayed from the journal.
import { randomUUID } from 'node:crypto'
import { CallCancelledError, ReplayMismatchError, StateRejectedError } from '@beckon/core'
import type { Incoming } from '../wires/incoming.js'
import type { Ask, OpenAsk } from './ask.js'
import { BoundedMap } from './bounded-map.js'
import { Call, type Pause, type Target, type Wire } from './call.js'
import type { Clock } from './clock.js'
import { digest } from './digest.js'
import { type Entry, Journal, type Reply } from './journal.js'
import { Parking } from './parking.js'
import type { Seal } from './seal.js'
import { SettledRounds } from './settled-rounds.js'
import { type CallState, checkBinding, markOpen, type OpenMark } from './state.js'

/** Whether a call may be replayed: where it must, on every round (to find what a crash would), or not at all. */
export type ReplayMode = 'when-needed' | 'always' | 'never'

export interface RoundsOptions {
  seal: Seal
  clock: Clock
  version: string
  replay: ReplayMode
  /** What a new version of the server does with a journal of an old one. */
  onDeploy: 'replay' | 'fail'
  limits: RoundsLimits
}

export interface RoundsLimits {
  /** Suspended calls in all, and for one principal. */
  suspended: number
  suspendedPerPrincipal: number
  /** Replies that are kept for repeats. */
  replies: number
  /** Rounds that are remembered as answered. */
  rounds: number
  /** The longest state. */
  stateBytes: number
  asks: number
  holdMs: number
}

/** What a round is answered with. `open` is empty while the call waits for something that no client can answer. */
export type RoundReply<T> =
  | { kind: 'finished'; result: T }
  | { kind: 'failed'; error: unknown }
  | { kind: 'open'; asks: OpenAsk[]; state: string }
  | { kind: 'left'; call: Call<T> }

/** One request in a call that is answered round by round. */
export interface Round<T> {
  incoming: Incoming
  target: Target
  state: string | undefined
  /** Reads an answer to an ask of a kind; undefined for one that cannot be taken, which leaves the ask open. */
  readReply: (ask: Ask['kind'], id: string) => Reply | undefined
  /** Runs the handler from the top for a call. */
  start: (call: Call<T>) => Promise<T>
}

interface Parked<T> {
  readonly principal: string | undefined
  readonly call: Call<T>
  readonly round: number
  readonly reply: RoundReply<T>
  evicted(): void
}

const misses = { few: 3 }
/** Puts nothing itself: the asks leave with the reply. */
const wire: Wire = { name: 'rounds', put() {}, withdraw() {} }

export class Rounds<T> {
  readonly #options: RoundsOptions
  readonly #parking: Parking<Parked<T>>
  readonly #settled: SettledRounds<RoundReply<T>>
  /** Steps of calls that were cut short in the middle of a round: what was recorded holds. */
  readonly #interrupted: BoundedMap<string, Entry[]>

  constructor(options: RoundsOptions) {
    this.#options = options
    const { limits } = options
    this.#parking = new Parking(limits.suspended, limits.suspendedPerPrincipal)
    this.#settled = new SettledRounds({ maxRounds: limits.rounds, maxReplies: limits.replies })
    this.#interrupted = new BoundedMap(limits.replies)
  }

  /** How many calls wait for their next round. */
  get suspended(): number {
    return this.#parking.size
  }

  /** Answers one request: the first of a call, or one that brings a state back. */
  async answer(round: Round<T>): Promise<RoundReply<T>> {
    if (round.state === undefined) {
      const call = this.#createCall(randomUUID(), round, new Journal())
      call.attach(round.incoming)
      call.unasked = round.incoming.inputResponses
      call.run(() => round.start(call))
      return this.#rest(call, round, 1, 0)
    }
    const parked = this.#parking.get(round.state)
    return parked === undefined ? this.#return(round, round.state) : this.#resume(round, round.state, parked)
  }

  /** Lets every suspended call go. */
  close(): void {
    this.#parking.clear()
  }

  /** The suspended handler is here: it goes on. */
  #resume(round: Round<T>, state: string, parked: Parked<T>): Promise<RoundReply<T>> {
    const { call, reply } = parked
    checkBinding({ target: call.target, principal: call.principal ?? null }, round.target, round.incoming.principal)
    const replies = this.#readReplies(call.openAsks.map(markOpen), round)
    if (replies.length === 0) {
      // Nobody answered anything: the same is asked again, or the wait outside goes on.
      return reply.kind === 'open' && reply.asks.length > 0 ? Promise.resolve(reply) : this.#wait(round, parked, state)
    }
    this.#parking.take(state)
    if (this.#options.replay === 'always') {
      call.drop()
      return this.#return(round, state)
    }
    call.attach(round.incoming)
    for (const [{ id }, given] of replies) call.settle(id, given)
    return this.#settleWith(call, parked.round, replies, this.#rest(call, round, parked.round + 1, 0))
  }

  /** A retry of a call that waits for nothing but the outside: its state stays good until something happened. */
  async #wait(round: Round<T>, parked: Parked<T>, state: string): Promise<RoundReply<T>> {
    const { call } = parked
    call.attach(round.incoming)
    const next = await this.#pause(call, round)
    const waitsOn = next.kind === 'suspended' && call.openAsks.length === 0
    if (waitsOn) call.park()
    else this.#parking.take(state)
    return waitsOn ? parked.reply : this.#replyTo(next, call, round, parked.round + 1, 0)
  }

  /** The suspended handler is not here: a repeat gets its reply from the record, anything else is replayed. */
  async #return(round: Round<T>, sealed: string): Promise<RoundReply<T>> {
    const { clock, seal, version, onDeploy, replay } = this.#options
    // Only this server can have sealed it, in this format.
    const state = seal.open(sealed) as CallState
    if (state.format !== 1) throw new StateRejectedError('its format is not known')
    if (clock.now() >= state.expiresAt) throw new StateRejectedError('it has expired')
    checkBinding(state, round.target, round.incoming.principal)
    const replies = this.#readReplies(state.open, round)
    const answers = digest(replies)
    if (replies.length > 0) {
      const before = this.#settled.find(state.call, state.round, answers)
      if (before !== undefined) return before
    }
    if (replay === 'never')
      throw new StateRejectedError('the process that ran this call is gone, and its handler cannot be replayed')
    if (state.version !== version && onDeploy === 'fail')
      throw new StateRejectedError(`it was made by version ${state.version} of this server`)
    const journal = new Journal(this.#entriesOf(state, replies))
    const call = this.#createCall(state.call, round, journal)
    call.attach(round.incoming)
    call.run(() => round.start(call))
    const reply = this.#rest(call, round, state.round + 1, state.misses)
    return replies.length > 0 ? this.#settleWith(call, state.round, replies, reply) : reply
  }

  #createCall(id: string, { target, incoming }: Round<T>, journal: Journal): Call<T> {
    const { clock, limits } = this.#options
    return new Call<T>({
      id,
      target,
      principal: incoming.principal,
      journal,
      wire,
      clock,
      maxAsks: limits.asks,
      holdMs: limits.holdMs,
    })
  }

  /** Remembers how a round was answered, and forgets it when the client went away in the middle. */
  #settleWith(
    call: Call<T>,
    round: number,
    replies: readonly (readonly [OpenMark, Reply])[],
    reply: Promise<RoundReply<T>>,
  ): Promise<RoundReply<T>> {
    this.#settled.settle(call.id, round, digest(replies), reply)
    const reopen = () => {
      if (!call.isDropped) return
      this.#settled.reopen(call.id, round)
      this.#interrupted.set(
        call.id,
        call.journal.entries.filter(entry => entry.kind === 'step'),
      )
    }
    reply.then(reopen, reopen)
    return reply
  }

  /** Waits until the handler rests, and makes the reply for that. */
  async #rest(call: Call<T>, round: Round<T>, number: number, missed: number): Promise<RoundReply<T>> {
    return this.#replyTo(await this.#pause(call, round), call, round, number, missed)
  }

  async #pause(call: Call<T>, { incoming }: Round<T>): Promise<Pause<T>> {
    const cancel = () => call.drop(new CallCancelledError('The client cancelled the request or went away.'))
    if (incoming.signal.aborted) cancel()
    incoming.signal.addEventListener('abort', cancel)
    const pause = await call.pause()
    incoming.signal.removeEventListener('abort', cancel)
    return pause
  }

  #replyTo(pause: Pause<T>, call: Call<T>, round: Round<T>, number: number, missed: number): RoundReply<T> {
    if (pause.kind === 'left') return { kind: 'left', call }
    if (pause.kind !== 'suspended') return pause
    const unreached = call.journal.unreached()
    const nowMissed = unreached.length > 0 ? missed + 1 : 0
    if (nowMissed >= misses.few) {
      const error = new ReplayMismatchError(describeMiss(round.target.name, unreached))
      call.drop(error)
      return { kind: 'failed', error }
    }
    const asks = call.openAsks
    const state = this.#sealState(call, number, nowMissed)
    const reply: RoundReply<T> = { kind: 'open', asks, state }
    call.park()
    this.#parking.add(state, { principal: call.principal, call, round: number, reply, evicted: () => call.drop() })
    return reply
  }

  #sealState(call: Call<T>, round: number, missed: number): string {
    const { clock, seal, version, limits } = this.#options
    const open = call.openAsks.map(markOpen)
    const state: CallState = {
      format: 1,
      call: call.id,
      round,
      expiresAt: Math.max(...open.map(mark => mark.expiresAt), clock.now() + limits.holdMs * 2),
      principal: call.principal ?? null,
      target: call.target,
      version,
      open,
      journal: call.journal.entries,
      misses: missed,
    }
    const sealed = seal.seal(state)
    if (sealed.length <= limits.stateBytes) return sealed
    const error = new CallCancelledError(
      `The call has learned ${sealed.length} bytes, and a request state may have ${limits.stateBytes}. Give the server a store, or ask for less.`,
    )
    call.drop(error)
    throw error
  }

  /** What the answers of a request come to, for the asks that are open; an ask whose time is over has expired. */
  #readReplies(open: OpenMark[], round: Round<T>): (readonly [OpenMark, Reply])[] {
    const now = this.#options.clock.now()
    return open.flatMap(mark => {
      if (now >= mark.expiresAt) return [[mark, { kind: 'expired' }] as const]
      const reply = round.readReply(mark.ask, mark.id)
      return reply === undefined ? [] : [[mark, reply] as const]
    })
  }

  #entriesOf(state: CallState, replies: (readonly [OpenMark, Reply])[]): Entry[] {
    const answered = replies.map(
      ([{ id: _, ask: __, expiresAt: ___, ...mark }, reply]): Entry => ({ kind: 'ask', ...mark, reply }),
    )
    const entries = [...state.journal, ...answered]
    const known = new Set(entries.map(stepId))
    const interrupted = this.#interrupted.get(state.call) ?? []
    return [...entries, ...interrupted.filter(entry => !known.has(stepId(entry)))]
  }
}

function stepId(entry: Entry): string | undefined {
  return entry.kind === 'step' ? `${entry.nth} ${entry.name}` : undefined
}

function describeMiss(target: string, unreached: Entry[]): string {
  const [first] = unreached
  const what =
    first?.kind === 'step'
      ? `the step "${first.name}"`
      : first?.key === undefined
        ? `ask ${(first?.position ?? 0) + 1}`
        : `the ask "${first.key}"`
  return `"${target}" was run again several times and did not come back to ${what}, which was answered before`
}
