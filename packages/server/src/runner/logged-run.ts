// A run, as the log of its call knows it: whether it may write there, and on which round it works. Other processes may take the
// call at any time: what this run writes afterwards is nothing, and what it knew before is read anew. What could not be written
// down was told to nobody: a durable call goes on, and its reply is written once the store can be reached; any other round is for
// the process that claims it again.
import type { OpenAsk } from '../call/ask.js'
import type { Call } from '../call/call.js'
import type { StepEntry } from '../call/journal.js'
import type { StepRecorder } from '../call/run-step.js'
import { randomId } from '../crypto/random-id.js'
import type { CallLog, Decide } from '../log/call-log.js'
import type { CallEvent, CallResponse, Owner, RoundReply } from '../log/events.js'
import { type CallState, roundOf } from '../log/reduce.js'
import { nowOrLater } from '../runtime/now-or-later.js'
import { type Answered, missingIn, newEntries, noAnswers } from './answers.js'
import type { ReplayCause } from './call-request.js'
import type { RunnerParts } from './runner.js'

/** What its client has while it is asked in a round. */
export interface Suspended {
  readonly state: string
  readonly asks: readonly OpenAsk[]
  readonly expiresAt: number
}

/** What an open round was answered with. */
interface RoundAnswers {
  readonly answered: readonly Answered[]
  /** Of what the client sent. */
  readonly digest: string
  /** Whether it was answered before, by a run that is gone. */
  readonly isSettled?: boolean
  /** Until when the log is needed, at least. */
  readonly expiresAt?: number | undefined
}

export abstract class LoggedRun<T> implements StepRecorder {
  abstract readonly call: Call<T>
  readonly log: CallLog
  /** Why another run has the call, or will; undefined while this one has it. */
  releasedFor: ReplayCause | undefined
  /** Until when a client may bring back a state of the call, at the latest, if it ever had one: its log is kept for as long. */
  promisedUntil = 0
  /** The number of the round that its next reply opens. */
  round = 1
  /** The round that it is working on, which has no reply yet. */
  #answeredRound: number | undefined
  /** Whether it works on a round, until that has its reply. */
  isWorking = false
  /** Whether it has claimed the call beside its open round. */
  isBeside = false
  /** While its client has a state to bring back. */
  suspended: Suspended | undefined
  /** Nodes that want to hear of what becomes of it. */
  watchers: Set<string> | undefined
  readonly #parts: RunnerParts<T>
  /** Who owned the call when it was decided to run it: the event that said so, which the same run may have said again since. */
  readonly #before: Owner | undefined
  #run: string | undefined
  /** When this run last read or wrote the log, by the node's epoch; and when it last decided what to write. */
  #knownIn: number
  #decidedIn: number

  /** @param known How the call stood when it was decided to run it. */
  constructor(parts: RunnerParts<T>, log: CallLog, { owner }: Pick<CallState, 'owner'>) {
    this.#parts = parts
    this.log = log
    this.#before = owner
    // Where someone was at it before, it is this run's from when the log says so.
    this.#knownIn = owner === undefined ? parts.nodes.epoch : Number.NaN
    this.#decidedIn = this.#knownIn
  }

  /** The id of this run: the log names the run that owns the call. */
  get run(): string {
    this.#run ??= randomId()
    return this.#run
  }

  /** As the log names it. */
  get asOwner(): Owner {
    return { node: this.#parts.nodes.id, run: this.run }
  }

  get isReleased(): boolean {
    return this.releasedFor !== undefined
  }

  get isDurable(): boolean {
    return this.call.isDurable
  }

  /** Of a handler that is at work, what it does would be lost. */
  get isBusy(): boolean {
    return !this.call.isIdle
  }

  isOwner({ owner }: CallState): boolean {
    return owner === this.#before || owner?.run === this.#run
  }

  /** Whether no other process can have taken the call since this run last read or wrote its log. */
  get isCurrent(): boolean {
    return this.#parts.nodes.isFresh && this.#knownIn === this.#parts.nodes.epoch
  }

  /** Whether its client has a state that nobody was seen to bring back: wherever that is brought, the call may go on. */
  get hasOpenRound(): boolean {
    return this.promisedUntil > 0 && !this.isDurable && !this.isWorking
  }

  /** Lets the run go: another one goes on. */
  abstract release(cause: ReplayCause): void

  /** Whether the call is this run's, with all that comes before a step stored. */
  isReady(): true | Promise<boolean> {
    const isSure = this.isCurrent && !this.#isContested && !this.log.isBusy && this.log.state.end === undefined
    return isSure || this.#isReady()
  }

  async #isReady(): Promise<boolean> {
    await this.log.settled()
    if (!this.isCurrent) await this.catchUp()
    if (this.#isContested) await this.#claimBeside()
    const { state } = this.log
    return !this.isReleased && this.isOwner(state) && state.end === undefined
  }

  /** Whether another process may go on with the call as well. */
  get #isContested(): boolean {
    const { isClaimed, owner } = this.log.state
    return this.hasOpenRound && !(isClaimed && owner?.run === this.run)
  }

  /** Has the log say that this run goes on, though others may bring its state. It is released when another one does. */
  async #claimBeside(): Promise<void> {
    const { clock, runs, join } = this.#parts
    // Others ask the process that the log names.
    await join()
    runs.claimBeside(this)
    const claimed: Decide = () => ({ kind: 'claimed', owner: this.asOwner, at: clock.now() })
    if (!(await this.write(claimed, this.#keptUntil))) this.release('other-process')
  }

  /** For what is written before anyone has said for how long the log is needed. */
  get #keptUntil(): number | undefined {
    return this.log.state.record === undefined ? this.#parts.clock.now() + this.#parts.durableMs : undefined
  }

  /** Reads what others have written. The run is released where the call is another's. */
  async catchUp(): Promise<CallState> {
    const { epoch } = this.#parts.nodes
    const state = await this.log.read()
    this.#knownIn = epoch
    return state
  }

  async step(entry: StepEntry): Promise<boolean> {
    return this.write(() => ({ kind: 'step', entry, at: this.#parts.clock.now() }), this.#keptUntil)
  }

  /**
   * Writes to the log, for as long as the call is this run's and has not ended: behind what the handler has learned and the log does
   * not have. There is nothing to wait for where that is in memory.
   */
  write(decide: Decide, expiresAt?: number): boolean | Promise<boolean> {
    const { call } = this
    const { unlogged } = call
    if (unlogged.length > 0) {
      call.unlogged = []
      const learned: Decide = state => {
        const entries = missingIn(state, unlogged)
        return entries.length === 0 ? undefined : { kind: 'answered', entries, at: this.#parts.clock.now() }
      }
      const writing = this.#writeOne(learned, expiresAt)
      if (writing instanceof Promise)
        writing.catch(() => {
          call.unlogged = unlogged.concat(call.unlogged)
        })
    }
    return this.#writeOne(decide, expiresAt)
  }

  #writeOne(decide: Decide, expiresAt: number | undefined): boolean | Promise<boolean> {
    const until = expiresAt === undefined ? undefined : Math.max(expiresAt, this.promisedUntil) + this.#parts.retainMs
    return this.log.write(state => {
      this.#decidedIn = this.#parts.nodes.epoch
      return this.isOwner(state) && state.end === undefined && !this.isReleased ? decide(state) : undefined
    }, until)
  }

  /** Whether its log lacks something that the states of the call do not carry. */
  get isBehind(): boolean {
    return this.#parts.logs.areStored && this.call.unlogged.length > 0
  }

  /** The log has what this run wrote last. */
  protected wrote(): void {
    this.#knownIn = this.#decidedIn
  }

  /** Has this run answer its open round, and go on. False when another one was faster: then it is released. */
  takeRound({ answered, digest, isSettled = false, expiresAt = 0 }: RoundAnswers): boolean | Promise<boolean> {
    const { clock, runs, join } = this.#parts
    const { round, asOwner: owner } = this
    const write = () =>
      this.write(state => {
        const settled = roundOf(state, round)
        const at = clock.now()
        if (settled !== undefined)
          return isSettled && settled.reply === undefined ? { kind: 'claimed', owner, at } : undefined
        // It was opened again meanwhile.
        if (isSettled) return undefined
        // What has expired beside the answers is as the first one saw it: clocks may disagree.
        return { kind: 'answered', entries: newEntries(answered, state), round, answers: digest, owner, at }
      }, expiresAt)
    // Others ask the process that the log names.
    return nowOrLater(
      nowOrLater(join(), () => runs.claim(this, write)),
      isWritten => {
        // Someone else may have taken the call right behind that.
        const isMine = isWritten && this.isOwner(this.log.state)
        if (!isMine) this.release('other-process')
        else {
          this.wrote()
          this.replyTo(round)
        }
        return isMine
      },
    )
  }

  /** Ends the open round, which nobody has answered: what it waited for outside is there. */
  settleRound(): boolean | Promise<boolean> {
    return this.takeRound({ answered: [], digest: noAnswers, expiresAt: this.#keptUntil })
  }

  /** A round was answered, for this run to reply to. */
  replyTo(round: number): void {
    this.#answeredRound = round
    this.round = round + 1
  }

  /** Writes down what the round that it works on is answered with. False when the call is another run's. */
  replyRound(reply: RoundReply, expiresAt: number = this.#parts.clock.now()): boolean | Promise<boolean> {
    // Its client gets a state of a round that nobody has answered yet: from there on others may need what came unasked.
    if (this.#answeredRound === undefined && this.isBehind)
      return nowOrLater(
        this.write(() => undefined, expiresAt),
        () => true,
      )
    const at = this.#parts.clock.now()
    return this.#closeRound(expiresAt, (state, round) =>
      roundOf(state, round)?.reply === undefined ? { kind: 'replied', round, reply, at } : undefined,
    )
  }

  /** The same for a call that is over with it. */
  endRound(end: CallResponse): boolean | Promise<boolean> {
    const at = this.#parts.clock.now()
    const close = () => this.#closeRound(at, () => ({ kind: 'ended', end, at }))
    return this.hasOpenRound ? nowOrLater(this.settleRound(), isMine => isMine && close()) : close()
  }

  #closeRound(
    expiresAt: number,
    decide: (state: CallState, round: number) => CallEvent | undefined,
  ): boolean | Promise<boolean> {
    const { nodes } = this.#parts
    const round = this.#doneRound()
    if (round === undefined) return true
    const write = () => this.write(state => decide(state, round), expiresAt)
    return nowOrLater(
      write(),
      isMine => isMine,
      error => {
        void nodes.retryUntilStored(this.isDurable ? async () => write() : () => this.#reopen(round))
        throw error
      },
    )
  }

  /** Has the round that it works on answered again: by the same answers, or by others. */
  async reopenRound(): Promise<void> {
    const round = this.#doneRound()
    if (round !== undefined) await this.#parts.nodes.retryUntilStored(() => this.#reopen(round))
  }

  async #reopen(round: number): Promise<void> {
    const at = this.#parts.clock.now()
    await this.write(state => {
      const settled = roundOf(state, round)
      const isOpen = settled === undefined || settled.reply !== undefined || state.record !== undefined
      return isOpen ? undefined : { kind: 'reopened', round, at }
    })
  }

  /** The round that it works on: from now on it works on none. */
  #doneRound(): number | undefined {
    const round = this.#answeredRound
    this.#answeredRound = undefined
    return round
  }
}
