// Calls that go on without their client: tasks, and calls whose asks are on the desk. What happens to one is in its log, so any
// process can say how it stands, take an answer or cancel it. One process at a time runs the handler; when that one is gone,
// another takes over and replays it.
import { elapsedSince, type OpenAsk } from '../call/ask.js'
import { type AnsweredAt, counted } from '../call/counted.js'
import type { Reply } from '../call/journal.js'
import type { CallLog, Decide } from '../log/call-log.js'
import type { CallRecord } from '../log/events.js'
import type { CallState } from '../log/reduce.js'
import { turnEnd } from '../runtime/after-turn.js'
import { answeredAsk } from './ask-events.js'
import type { Attempt } from './attempt.js'
import type { ReplayCause } from './call-request.js'
import { EndedCalls } from './ended-calls.js'
import { claimOf } from './owners.js'
import type { RunnerParts } from './runner-parts.js'

/** Looked at with every heartbeat, in turn, for answers whose hint was missed. */
const recheckedPerHeartbeat = 200

export class DurableCalls<T> {
  readonly #parts: RunnerParts<T>
  readonly #ended: EndedCalls

  constructor(parts: RunnerParts<T>) {
    const { nodes, limits, owned, takeovers } = parts
    this.#parts = parts
    this.#ended = new EndedCalls(limits)
    nodes.onDeath(node => takeovers.takeOverAll(node))
    nodes.onHeartbeat(() => this.#recheck())
    nodes.onReturn(() => owned.rewrite())
  }

  /** The run of a call in this process, if it is here. */
  find(id: string): Attempt<T> | undefined {
    return this.named(this.#parts.logs.nameOf(id))
  }

  named(name: string): Attempt<T> | undefined {
    return this.#parts.running.get(name)
  }

  /** Makes a call durable. Its names are written with its first events; nobody is told of it before it can be found. */
  async begin(attempt: Attempt<T>): Promise<void> {
    const { clock, durableMs } = this.#parts
    const createdAt = clock.now()
    const record = this.#recordOf(attempt, createdAt)
    this.#parts.running.add(attempt.name, attempt)
    const written = attempt.writeBegun(record)
    written.catch(() => {})
    try {
      const isFirst = await this.#name(attempt, createdAt + durableMs)
      await written
      await this.#parts.nodes.stayKnown()
      if (!isFirst) await this.#giveWay(attempt)
    } catch (error) {
      this.#parts.running.take(attempt.name)
      throw error
    }
  }

  /**
   * The state of a call; undefined when there is no such call. A call whose process died is taken over.
   * @param isTold Whether a client is told of what it is asked: nothing that it has answered, wherever it did.
   */
  async look(id: string, isTold = true): Promise<CallState | undefined> {
    const { nodes } = this.#parts
    const name = this.#parts.logs.nameOf(id)
    const attempt = this.named(name)
    if (attempt?.log.isBusy) await attempt.log.settled()
    const ended = this.#ended.find(name)
    if (ended !== undefined) return ended
    // The owner knows everything but new answers of others; one that stalled may not be the owner any more.
    const isAnswerable = isTold && !nodes.isAlone && attempt?.log.state.open.some(isForClient)
    if (attempt?.isCurrent && !attempt.isReleased && !isAnswerable) return attempt.log.state
    const state = await (attempt === undefined ? this.#log(id).read() : attempt.catchUp())
    if (state.record === undefined) return undefined
    if (state.end === undefined && attempt === undefined) void this.takeOver(id, 'process-gone').catch(() => {})
    return state
  }

  /**
   * Answers open asks of a call, the first time they are answered.
   * @param replyTo What its client has for an ask, if anything.
   */
  async answer(id: string, replyTo: (open: OpenAsk) => Reply | undefined): Promise<void> {
    const { clock, telemetry, rules, store } = this.#parts
    const at = { now: clock.now(), node: rules.node, clockSkewMs: rules.clockSkewMs }
    const attempt = this.find(id)
    const log = attempt?.log ?? this.#log(id)
    const answered: [OpenAsk, Reply][] = []
    if (attempt === undefined) await log.read()
    const decide: Decide = state => {
      answered.length = 0
      if (state.end !== undefined) return undefined
      for (const open of state.open) {
        const reply = isForClient(open) ? replyTo(open) : undefined
        if (reply !== undefined)
          answered.push([open, isOver(open, at) ? { kind: 'expired' } : counted(open, reply, at)])
      }
      if (answered.length === 0) return undefined
      const entries = answered.map(([open, reply]) => answeredAsk(open, open.mark, reply))
      return { kind: 'answered', entries, at: clock.now() }
    }
    await log.write(decide)
    // That there is nothing to answer is only promised where a write would have been possible, after all that the log has.
    if (answered.length === 0 && store.shared && !(await log.confirm())) await log.write(decide)
    if (attempt !== undefined && !attempt.isReleased) return
    const isRun = await this.notifyOwner(id, log)
    // Where a process runs the call, the ask is open there, and that one tells.
    if (!isRun)
      for (const [open, reply] of answered)
        telemetry?.answered(open.wire, open.ask.kind, elapsedSince(open, clock), reply)
  }

  /** Ends a call; a call that has already ended stays as it is. */
  async cancel(id: string): Promise<void> {
    const { clock } = this.#parts
    const attempt = this.find(id)
    const log = attempt?.log ?? this.#log(id)
    if (attempt === undefined) await log.read()
    await log.write(({ record, end }) =>
      record !== undefined && end === undefined ? { kind: 'cancelled', at: clock.now() } : undefined,
    )
    if (attempt === undefined) await this.notifyOwner(id, log)
  }

  /** Someone has the result: the log may go soon. */
  async delivered(id: string): Promise<void> {
    const { clock, retainMs } = this.#parts
    const at = clock.now()
    await this.#log(id).write(() => ({ kind: 'delivered', at }), at + retainMs)
  }

  /** Calls `look` soon, and whenever something may have happened to a call, until the result is called. */
  watch(id: string, known: CallState, look: () => void, maxLookMs?: number): () => void {
    const stop = this.#parts.watchers.watch(this.#parts.logs.nameOf(id), claimOf(known), look, maxLookMs)
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

  /** Notifies the process that runs a call of new entries in its log. Resolves to whether any process runs it. */
  async notifyOwner(id: string, log: CallLog): Promise<boolean> {
    const { store, nodes } = this.#parts
    const { owner, record, end } = log.state
    if (record === undefined || !store.shared || owner === undefined) return true
    if (owner.node !== nodes.id && (await nodes.isAlive(owner.node))) {
      await this.#parts.watchers.tell(owner.node, this.#parts.logs.nameOf(id))
      return true
    }
    const attempt = this.find(id)
    if (attempt !== undefined) await attempt.log.read()
    else if (end === undefined) await this.takeOver(id, 'process-gone')
    return attempt !== undefined
  }

  /** A durable call has ended here. */
  ended(attempt: Attempt<T>): void {
    const { store, owned } = this.#parts
    this.#parts.running.take(attempt.name)
    if (!store.shared) return
    this.#ended.add(attempt)
    this.#parts.watchers.notifyWatchers(attempt)
    void this.#parts.nodes.retryUntilStored(() => owned.remove(attempt.name))
  }

  /** A call waits for someone: it is weighed again. */
  waits(attempt: Attempt<T>): void {
    if (this.named(attempt.name) === attempt) this.#parts.running.add(attempt.name, attempt)
  }

  /** A run no longer owns its call. */
  released(attempt: Attempt<T>): void {
    if (this.named(attempt.name) === attempt) this.#parts.running.take(attempt.name)
  }

  /** Has a call run again that was let go here. */
  resume({ name }: Attempt<T>, cause: ReplayCause): void {
    if (this.#parts.store.shared || cause === 'evicted')
      void this.#parts.nodes.retryUntilStored(() => this.#parts.takeovers.takeOver(name, cause))
  }

  /** Takes a call over whose run is gone. */
  async takeOver(id: string, cause: ReplayCause): Promise<void> {
    await this.#parts.takeovers.takeOver(this.#parts.logs.nameOf(id), cause)
  }

  /** Lets every run go. With a shared store others go on with them. */
  close(): void {
    this.#parts.takeovers.close()
    const { shared } = this.#parts.store
    for (const attempt of this.#parts.running.values()) {
      if (shared) attempt.release('process-gone')
      else attempt.call.drop()
    }
    this.#parts.running.clear()
    this.#ended.clear()
  }

  #log(id: string): CallLog {
    return this.#parts.logs.named(this.#parts.logs.nameOf(id))
  }

  #recordOf({ call, params, trace, takesTasks, repeat, isPromised }: Attempt<T>, createdAt: number): CallRecord {
    const { version, durableMs } = this.#parts
    const { principal = null, sessionId = null, target } = call
    const { capabilities, revision, client, isAttended } = call.peer
    return {
      id: call.id,
      target,
      params,
      principal,
      sessionId,
      peer: { capabilities, revision, client, ...(isAttended && { isAttended }) },
      isTask: call.clientWire === 'tasks' || takesTasks,
      ...(repeat !== undefined && !isPromised && { repeat: repeat.key }),
      ...(trace !== undefined && { trace }),
      version,
      createdAt,
      expiresAt: createdAt + durableMs,
    }
  }

  /** Writes under which name the same request finds a call, in the very turn in which its log is written. False when another call has its name. */
  async #name(attempt: Attempt<T>, expiresAt: number): Promise<boolean> {
    const { repeats, store, join } = this.#parts
    if (store.shared) {
      await join()
      await turnEnd()
    }
    return repeats.publish(attempt, expiresAt)
  }

  /** Another process began a call for the same request first: this call is dropped. */
  async #giveWay(attempt: Attempt<T>): Promise<void> {
    await this.cancel(attempt.id)
    attempt.release('other-process')
    this.ended(attempt)
  }

  /** Another process wrote something to the log of a call. */
  hear(name: string, isWatched: boolean): void {
    this.#ended.forget(name)
    const attempt = this.named(name)
    if (attempt !== undefined) void attempt.log.read().catch(() => {})
    // The call is this node's, and was let go to stay within bounds. One that is watched is looked at, wherever it runs.
    else if (!isWatched) void this.#parts.takeovers.takeOver(name, 'evicted').catch(() => {})
  }

  /** Another process wants to hear of a call, since by its log it runs here. */
  watched(name: string, by: string): void {
    this.#ended.forget(name)
    this.named(name)?.watch(by)
  }

  /** The process of a call has given its run up. */
  givenUp(name: string): void {
    this.#parts.takeovers.takeOver(name, 'unknown-write').catch(() => {})
  }

  #unchecked: Attempt<T>[] = []

  /** A hint may be missed: so many calls are looked at with every heartbeat, all of them in turn. */
  async #recheck(): Promise<void> {
    // A list of its own: those that run change their order meanwhile.
    if (this.#unchecked.length === 0) this.#unchecked = [...this.#parts.running.values()]
    for (const attempt of this.#unchecked.splice(0, recheckedPerHeartbeat)) {
      if (attempt.isReleased) continue
      if (!attempt.isCurrent || attempt.log.state.open.some(({ wire }) => wire !== 'desk'))
        await attempt.catchUp().catch(() => {})
    }
  }
}

/** Whether the time of an ask is over by any clock that is permitted: its process may be gone, and with it the timer. */
function isOver({ expiresAt }: OpenAsk, { now, clockSkewMs }: AnsweredAt): boolean {
  return now >= expiresAt + clockSkewMs
}

/**
 * Whether a task shows an ask: not what is on the desk. What was asked in a round is its client's as well, which may have got
 * the task from another process.
 */
export function isForClient({ wire }: Pick<OpenAsk, 'wire'>): boolean {
  return wire === 'tasks' || wire === 'rounds'
}
