// Calls that go on without their client: tasks, and calls whose asks are on the desk. What happens to one is in its log, so any
// process can say how it stands, take an answer or cancel it. One process at a time runs the handler; when that one is gone,
// another takes over and replays it.
import { elapsedSince, type OpenAsk } from '../call/ask.js'
import type { CallRules } from '../call/call-rules.js'
import { counted } from '../call/counted.js'
import { askEntry, Journal, type Reply } from '../call/journal.js'
import { randomId } from '../crypto/random-id.js'
import type { CallLog } from '../log/call-log.js'
import type { CallLogs } from '../log/call-logs.js'
import type { CallRecord, Encoded } from '../log/events.js'
import type { CallState } from '../log/reduce.js'
import { afterTurn } from '../runtime/after-turn.js'
import type { Clock } from '../runtime/clock.js'
import type { Store } from '../store/index.js'
import type { Telemetry } from '../telemetry/telemetry.js'
import type { Attempt, AttemptOptions } from './attempt.js'
import type { Program, ReplayCause, ReplayMode, Resume, RunnerLimits } from './call-request.js'
import type { Nodes } from './nodes.js'
import { OwnedCalls } from './owned-calls.js'
import { type Claim, claimOf, type Owners } from './owners.js'
import type { Repeats } from './repeats.js'
import { Suspended } from './suspended.js'
import { Takeovers } from './takeovers.js'
import type { Watchers } from './watchers.js'

export interface DurableCallsOptions<T> {
  version: string
  store: Store
  clock: Clock
  nodes: Nodes
  retainMs: number
  durableMs: number
  replay: ReplayMode
  onDeploy: 'replay' | 'fail'
  limits: RunnerLimits
  rules: CallRules
  telemetry?: Telemetry | undefined
  resume: Resume<T>
  logs: CallLogs
  repeats: Repeats<T>
  owners: Owners
  watchers: Watchers
  /** Hears from the others, and is known to them. */
  join: () => Promise<void> | undefined
  attempt: (options: AttemptOptions<T>) => Attempt<T>
}

/** Looked at with every heartbeat, in turn, for answers whose hint was missed. */
const recheckedPerBeat = 200
/** Taken over from a dead node with one heartbeat. */
const takenOverPerBeat = 100

export class DurableCalls<T> {
  readonly #options: DurableCallsOptions<T>
  /** Those that run here, by their names. */
  readonly #running: Suspended<Attempt<T>>
  readonly #owned: OwnedCalls
  readonly #takeovers: Takeovers
  readonly #watchers: Watchers
  #isClosed = false

  constructor(options: DurableCallsOptions<T>) {
    const { store, clock, nodes, limits } = options
    const { suspended: max, suspendedBytes: maxBytes, suspendedPerPrincipal: maxPerPrincipal } = limits
    this.#options = options
    this.#running = new Suspended({ max, maxBytes, maxPerPrincipal })
    this.#owned = new OwnedCalls(store, nodes.id)
    this.#takeovers = new Takeovers(nodes, (name, cause) => this.#takeOver(name, cause))
    this.#watchers = options.watchers
    nodes.onDeath(node => this.#takeOverAll(node))
    nodes.onHeartbeat(() => this.#recheck())
    nodes.onReturn(() => this.#owned.rewrite(clock.now()))
  }

  /** The run of a call in this process, if it is here. */
  find(id: string): Attempt<T> | undefined {
    return this.named(this.#options.logs.nameOf(id))
  }

  named(name: string): Attempt<T> | undefined {
    return this.#running.get(name)
  }

  /** Makes a call durable. Its names are written with its first events; nobody is told of it before it can be found. */
  async begin(attempt: Attempt<T>): Promise<void> {
    const { clock, durableMs } = this.#options
    const createdAt = clock.now()
    const record = this.#recordOf(attempt, createdAt)
    this.#running.add(attempt.name, attempt)
    const written = attempt.writeBegun(record)
    written.catch(() => {})
    try {
      const isFirst = await this.#name(attempt, createdAt + durableMs)
      await written
      await this.#options.nodes.stayKnown()
      if (!isFirst) await this.#giveWay(attempt)
    } catch (error) {
      this.#running.take(attempt.name)
      throw error
    }
  }

  /**
   * How a call stands; undefined when there is none. One whose process died is taken over.
   * @param isTold Whether a client is told of what it is asked: nothing that it has answered, wherever it did.
   */
  async look(id: string, isTold = true): Promise<CallState | undefined> {
    const { nodes } = this.#options
    const attempt = this.find(id)
    if (attempt?.log.isBusy) await attempt.log.settled()
    // A fresh owner knows all but what others have answered; one that stood still for long has to look.
    const isAnswerable = isTold && !nodes.isAlone && attempt?.log.state.open.some(isForClient)
    if (attempt !== undefined && nodes.isFresh && !attempt.isReleased && !isAnswerable) return attempt.log.state
    const state = await (attempt?.log ?? this.#log(id)).read()
    if (state.record === undefined) return undefined
    if (state.end === undefined && attempt === undefined) void this.takeOver(id, 'process-gone').catch(() => {})
    return state
  }

  /** Answers open asks of a call, the first time they are answered. */
  async answer(id: string, replies: ReadonlyMap<string, Reply>): Promise<void> {
    const { clock, telemetry, rules } = this.#options
    const at = { now: clock.now(), node: rules.node, clockSkewMs: rules.clockSkewMs }
    const attempt = this.find(id)
    const log = attempt?.log ?? this.#log(id)
    const answered: [OpenAsk, Reply][] = []
    if (attempt === undefined) await log.read()
    await log.write(state => {
      answered.length = 0
      if (state.end !== undefined) return undefined
      for (const open of state.open) {
        const reply = isForClient(open) ? replies.get(open.id) : undefined
        if (reply !== undefined) answered.push([open, counted(open, reply, at)])
      }
      if (answered.length === 0) return undefined
      const entries = answered.map(([{ id: ask, mark, from }, reply]) =>
        Object.assign(askEntry(mark, from, reply), { ask }),
      )
      return { kind: 'answered', entries, at: clock.now() }
    })
    if (answered.length === 0) await this.#confirmWritable(log)
    if (attempt !== undefined) return
    const isRun = await this.tellOwner(id, log)
    // Where a process runs the call, the ask is open there, and that one tells.
    if (!isRun)
      for (const [open, reply] of answered)
        telemetry?.answered(open.wire, open.ask.kind, elapsedSince(open, clock), reply)
  }

  /** Ends a call; one that has ended stays as it is. */
  async cancel(id: string): Promise<void> {
    const { clock } = this.#options
    const attempt = this.find(id)
    const log = attempt?.log ?? this.#log(id)
    if (attempt === undefined) await log.read()
    await log.write(({ record, end }) =>
      record !== undefined && end === undefined ? { kind: 'cancelled', at: clock.now() } : undefined,
    )
    if (attempt === undefined) await this.tellOwner(id, log)
  }

  /** Someone has the result: the log may go soon. */
  async delivered(id: string): Promise<void> {
    const { clock, retainMs } = this.#options
    const at = clock.now()
    await this.#log(id).write(() => ({ kind: 'delivered', at }), at + retainMs)
  }

  /** Calls `look` soon, and whenever something may have happened to a call, until the result is called. */
  watch(id: string, known: CallState, look: () => void, maxLookMs?: number): () => void {
    const stop = this.#watchers.watch(this.#options.logs.nameOf(id), claimOf(known), look, maxLookMs)
    const attempt = this.find(id)
    let isWatched = true
    // What runs here is heard of at once.
    const follow = (): void => {
      void attempt?.log.changed.then(() => {
        if (!isWatched) return
        follow()
        look()
      })
    }
    follow()
    return () => {
      isWatched = false
      stop()
    }
  }

  /** Has whoever runs a call learn of what was written to its log. Whether anybody does. */
  async tellOwner(id: string, log: CallLog): Promise<boolean> {
    const { store, nodes } = this.#options
    const { owner, record, end } = log.state
    if (record === undefined || !store.shared || owner === undefined) return true
    if (owner.node !== nodes.id && (await nodes.isAlive(owner.node))) {
      await this.#watchers.tell(owner.node, this.#options.logs.nameOf(id))
      return true
    }
    const attempt = this.find(id)
    if (attempt !== undefined) await attempt.log.read()
    else if (end === undefined) await this.takeOver(id, 'process-gone')
    return attempt !== undefined
  }

  /** A durable call has ended here. */
  ended(attempt: Attempt<T>): void {
    const { store } = this.#options
    this.#running.take(attempt.name)
    if (!store.shared) return
    this.#watchers.tellAll(attempt)
    void this.#options.nodes.retryUntilStored(() => this.#owned.remove(attempt.name))
  }

  /** A run has its call no more. */
  released(attempt: Attempt<T>): void {
    if (this.named(attempt.name) === attempt) this.#running.take(attempt.name)
  }

  /** Has a call run again that was let go here. */
  resume({ name }: Attempt<T>, cause: ReplayCause): void {
    if (this.#options.store.shared || cause === 'evicted')
      void this.#options.nodes.retryUntilStored(() => this.#takeovers.takeOver(name, cause))
  }

  /** Takes a call over whose run is gone. */
  async takeOver(id: string, cause: ReplayCause): Promise<void> {
    await this.#takeovers.takeOver(this.#options.logs.nameOf(id), cause)
  }

  /** Lets every run go. With a shared store others go on with them. */
  close(): void {
    this.#isClosed = true
    const { shared } = this.#options.store
    for (const attempt of this.#running.values()) {
      if (shared) attempt.release('process-gone')
      else attempt.call.drop()
    }
    this.#running.clear()
  }

  #log(id: string): CallLog {
    return this.#options.logs.named(this.#options.logs.nameOf(id))
  }

  #recordOf({ call, params, trace, takesTasks, repeat, isPromised }: Attempt<T>, createdAt: number): CallRecord {
    const { version, durableMs } = this.#options
    const { principal = null, sessionId = null, target } = call
    const { capabilities, revision, client, isAttended } = call.peer
    return {
      id: call.id,
      target,
      params,
      principal,
      sessionId,
      peer: { capabilities, revision, client, ...(isAttended && { isAttended }) },
      isTask: call.client === 'tasks' || takesTasks,
      ...(repeat !== undefined && !isPromised && { repeat: repeat.key }),
      ...(trace !== undefined && { trace }),
      version,
      createdAt,
      expiresAt: createdAt + durableMs,
    }
  }

  /** Writes under which names a call is found, in the very turn in which its log is written. False when another call has its name. */
  async #name(attempt: Attempt<T>, expiresAt: number): Promise<boolean> {
    const { repeats, store, clock, join } = this.#options
    if (store.shared) {
      await join()
      await new Promise<void>(resolve => afterTurn(resolve))
    }
    const [isFirst] = await Promise.all([
      repeats.publish(attempt, expiresAt),
      store.shared ? this.#owned.add(attempt.name, clock.now()) : undefined,
    ])
    return isFirst
  }

  /** Another process was faster to ask for the same: this call is none. */
  async #giveWay(attempt: Attempt<T>): Promise<void> {
    await this.cancel(attempt.id)
    attempt.release('other-process')
    this.ended(attempt)
  }

  /** Another process took an answer. */
  hear(name: string): void {
    const attempt = this.named(name)
    // The call is this node's, and was let go to stay within bounds.
    if (attempt === undefined) void this.#takeovers.takeOver(name, 'evicted').catch(() => {})
    else void attempt.log.read().catch(() => {})
  }

  /** The process of a call has given its run up. */
  givenUp(name: string): void {
    this.#takeovers.takeOver(name, 'unknown-write').catch(() => {})
  }

  /** What rests on a read alone is only promised where a write would have been possible. */
  async #confirmWritable(log: CallLog): Promise<void> {
    if (this.#options.store.shared) await log.confirm()
  }

  async #takeOver(name: string, cause: ReplayCause): Promise<string | undefined> {
    const { nodes, clock, resume, onDeploy, version, replay, store, logs, owners, repeats } = this.#options
    if (this.#isClosed) return nodes.id
    // A run that is not the one that the log names has not heard of that yet.
    await this.named(name)?.log.read()
    if (this.named(name) !== undefined) return nodes.id
    const log = logs.named(name)
    const { record, owner, end, open } = await log.read()
    if (record === undefined || end !== undefined || owner === undefined || this.named(name) !== undefined)
      return undefined
    const claim: Claim = { ...owner, round: null }
    if ((await owners.whyGone(name, claim)) === undefined) {
      // It waits for nobody: so its process should be at it.
      if (open.length === 0) this.#watchers.ask(name, claim)
      return owner.node
    }
    if (store.shared) {
      await this.#options.join()
      await this.#owned.add(name, clock.now())
    }
    const run = randomId()
    // Others may write in between: how the call stands is read anew for each attempt.
    const isMine = await log.write(now =>
      now.end === undefined && now.owner?.run === owner.run
        ? { kind: 'claimed', owner: { node: nodes.id, run }, at: clock.now() }
        : undefined,
    )
    if (!isMine) {
      await this.#owned.remove(name)
      return undefined
    }
    // Its process was gone before it could be found, and the same was asked for again: nobody was told of this one.
    const { repeat: key, id, expiresAt } = record
    if (store.shared && key !== undefined && (await repeats.take(key, id, expiresAt)) === undefined) {
      await log.write(now => (now.end === undefined ? { kind: 'cancelled', at: clock.now() } : undefined))
      await this.#owned.remove(name)
      return undefined
    }
    const refused =
      replay === 'never'
        ? 'the process that ran it is gone, and its handler cannot be replayed'
        : record.version !== version && onDeploy === 'fail'
          ? `it was begun by version ${record.version} of this server`
          : undefined
    const program = refused === undefined ? resume(record) : gone(refused)
    if ('start' in program) this.#replay({ record, log, run, program, cause })
    else {
      await log.write(now => (now.end === undefined ? { kind: 'ended', end: program, at: clock.now() } : undefined))
      if (store.shared) await this.#owned.remove(name)
    }
    return undefined
  }

  #replay({
    record,
    log,
    run,
    program,
    cause,
  }: {
    record: CallRecord
    log: CallLog
    run: string
    program: Program<T>
    cause: ReplayCause
  }): void {
    const { rules, telemetry } = this.#options
    const { entries, open, rounds } = log.state
    const principal = record.principal ?? undefined
    const attempt = this.#options.attempt({
      id: record.id,
      log,
      run,
      presenter: program.presenter,
      target: record.target,
      principal,
      journal: new Journal([...entries]),
      // What was sent to a client is lost with its connection.
      client: record.isTask ? 'tasks' : undefined,
      rules,
      facts: { params: record.params, trace: record.trace, takesTasks: record.isTask },
      earlier: new Map(open.map(ask => [ask.id, ask.wire === 'push' ? { ...ask, wire: 'desk' } : ask])),
    })
    attempt.round = Math.max(0, ...rounds.map(({ number }) => number)) + 1
    attempt.call.restore(record.peer, record.sessionId ?? undefined)
    this.#running.add(attempt.name, attempt)
    attempt.takeOver()
    if (record.isTask) attempt.call.becomeTask()
    telemetry?.replayed(cause)
    attempt.start(program)
  }

  /** Takes over what a dead node ran. True when nothing is left. */
  async #takeOverAll(node: string): Promise<boolean> {
    const names = await this.#owned.of(node, takenOverPerBeat)
    for (const name of names) {
      // It came back meanwhile.
      if ((await this.#takeovers.takeOver(name.member, 'process-gone')) === node) return false
      await this.#owned.done(node, name)
    }
    return names.length < takenOverPerBeat
  }

  #rechecked: IterableIterator<Attempt<T>> | undefined

  /** A hint may be missed: so many calls are looked at with every heartbeat, all of them in turn. */
  async #recheck(): Promise<void> {
    this.#rechecked ??= this.#running.values()
    for (let count = 0; count < recheckedPerBeat; count++) {
      const next = this.#rechecked.next()
      if (next.done) {
        this.#rechecked = undefined
        return
      }
      const { log } = next.value
      if (log.state.open.some(({ wire }) => wire !== 'desk')) await log.read()
    }
  }
}

/**
 * Whether a task shows an ask: not what is on the desk. What was asked in a round is its client's as well, which may have got
 * the task from another process.
 */
export function isForClient({ wire }: Pick<OpenAsk, 'wire'>): boolean {
  return wire === 'tasks' || wire === 'rounds'
}

function gone(reason: string): Encoded {
  return { error: { code: -32603, message: `The call cannot go on: ${reason}.` } }
}
