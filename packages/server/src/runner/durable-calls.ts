// Calls that go on without their client: tasks, and calls whose asks are on the desk. What happens to one is in its log, so any
// process can say how it stands, take an answer or cancel it. One process at a time runs the handler; when that one is gone,
// another takes over and replays it.
import { elapsedSince, type OpenAsk } from '../call/ask.js'
import { type AnsweredAt, counted } from '../call/counted.js'
import type { Reply } from '../call/journal.js'
import type { CallLog, Decide } from '../log/call-log.js'
import type { CallRecord } from '../log/events.js'
import { type CallState, claimOf } from '../log/reduce.js'
import { turnEnd } from '../runtime/after-turn.js'
import { sizeOf } from '../runtime/size-of.js'
import { answeredAsk } from './answers.js'
import type { Attempt } from './attempt.js'
import { CallerBounds, type Held } from './caller-bounds.js'
import type { RunnerParts } from './runner.js'

/** Looked at with every heartbeat, in turn, for answers whose hint was missed. */
const recheckedPerHeartbeat = 200

export class DurableCalls<T> {
  readonly #parts: RunnerParts<T>
  /**
   * Those that ended in this process: nothing but who has it counts after an end, so anyone who asks after one lately is told
   * without reading its log. Forgotten once another process says that its log has something else.
   */
  readonly #ended: CallerBounds<string, EndedCall>

  constructor(parts: RunnerParts<T>) {
    const { nodes, limits, owned, takeovers } = parts
    this.#parts = parts
    this.#ended = new CallerBounds({
      max: limits.replies,
      maxBytes: limits.replyBytes,
      maxPerCaller: limits.suspendedPerPrincipal,
      whenFull: 'evict',
    })
    nodes.onDeath(node => takeovers.takeOverAll(node))
    nodes.onHeartbeat(() => this.#recheck())
    nodes.onReturn(() => owned.rewrite())
  }

  /** The run of a call in this process, if it is here. */
  find(id: string): Attempt<T> | undefined {
    return this.#parts.runs.durable.get(this.#parts.logs.nameOf(id))
  }

  /** Makes a call durable. Its names are written with its first events; nobody is told of it before it can be found. */
  async begin(attempt: Attempt<T>): Promise<void> {
    const { clock } = this.#parts
    const record = this.#recordOf(attempt, clock.now())
    this.#parts.runs.durable.add(attempt.name, attempt)
    const { asOwner: owner } = attempt
    const begun: Decide = ({ record: known }) =>
      known === undefined ? { kind: 'begun', record, owner, at: clock.now() } : undefined
    try {
      const [, isFirst] = await Promise.all([
        attempt.write(begun, record.expiresAt),
        this.#name(attempt, record.expiresAt),
      ])
      await this.#parts.nodes.stayKnown()
      if (!isFirst) await this.#giveWay(attempt)
    } catch (error) {
      this.#parts.runs.durable.take(attempt.name)
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
    const attempt = this.#parts.runs.durable.get(name)
    if (attempt?.log.isBusy) await attempt.log.settled()
    const ended = this.#ended.get(name)?.state
    if (ended !== undefined) return ended
    // The owner knows everything but new answers of others; one that stalled may not be the owner any more.
    const isAnswerable = isTold && !nodes.isAlone && attempt?.log.state.open.some(isForClient)
    if (attempt?.isCurrent && !attempt.isReleased && !isAnswerable) return attempt.log.state
    const state = await (attempt === undefined ? this.#log(id).read() : attempt.catchUp())
    if (state.record === undefined) return undefined
    if (state.end === undefined && attempt === undefined) this.#parts.takeovers.runAgain(name, 'process-gone')
    return state
  }

  /**
   * Answers open asks of a call, the first time they are answered.
   * @param replyTo What its client has for an ask, if anything.
   */
  async answer(id: string, replyTo: (open: OpenAsk) => Reply | undefined): Promise<void> {
    const { clock, telemetry, rules, store } = this.#parts
    const at = { now: clock.now(), node: rules.node, clockSkewMs: rules.clockSkewMs }
    const log = await this.#knownLog(id)
    const answered: [OpenAsk, Reply][] = []
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
    let isRun = await this.write(id, log, decide)
    // That there is nothing to answer is only promised where a write would have been possible, after all that the log has.
    if (answered.length === 0 && store.shared && !(await log.confirm())) isRun = await this.write(id, log, decide)
    // Where a process runs the call, the ask is open there, and that one tells.
    if (!isRun)
      for (const [open, reply] of answered)
        telemetry?.answered(open.wire, open.ask.kind, elapsedSince(open, clock), reply)
  }

  /** Ends a call; a call that has already ended stays as it is. */
  async cancel(id: string): Promise<void> {
    const { clock } = this.#parts
    await this.write(id, await this.#knownLog(id), ({ record, end }) =>
      record !== undefined && end === undefined ? { kind: 'cancelled', at: clock.now() } : undefined,
    )
  }

  /** Writes to the log of a call, for the process that runs it. Resolves to whether any does. */
  async write(id: string, log: CallLog, decide: Decide): Promise<boolean> {
    await log.write(decide)
    const attempt = this.find(id)
    return (attempt?.log === log && !attempt.isReleased) || this.#notifyOwner(id, log)
  }

  /** Someone has the result: the log may go soon. */
  async delivered(id: string): Promise<void> {
    const { clock, retainMs } = this.#parts
    const at = clock.now()
    await this.#log(id).write(() => ({ kind: 'delivered', at }), at + retainMs)
  }

  /** Calls `look` soon, and whenever something may have happened to a call, until the result is called. */
  watch(id: string, known: CallState, look: () => void, maxLookMs?: number): () => void {
    return this.#parts.watchers.watch(this.#parts.logs.nameOf(id), claimOf(known), look, maxLookMs)
  }

  /** Notifies the process that runs a call of new entries in its log. Resolves to whether any process runs it. */
  async #notifyOwner(id: string, log: CallLog): Promise<boolean> {
    const { store, nodes } = this.#parts
    const { owner, record, end } = log.state
    if (record === undefined || !store.shared || owner === undefined) return true
    if (owner.node !== nodes.id && (await nodes.isAlive(owner.node))) {
      await this.#parts.watchers.tell(owner.node, this.#parts.logs.nameOf(id))
      return true
    }
    const attempt = this.find(id)
    if (attempt !== undefined) await attempt.log.read()
    else if (end === undefined) await this.#parts.takeovers.takeOver(this.#parts.logs.nameOf(id), 'process-gone')
    return attempt !== undefined
  }

  /** A durable call has ended here. */
  ended(attempt: Attempt<T>): void {
    const { store, owned } = this.#parts
    this.#parts.runs.durable.take(attempt.name)
    if (!store.shared) return
    const { name, principal, log } = attempt
    if (log.state.end !== undefined) this.#ended.add(name, endedCall(principal, log.state))
    this.#parts.watchers.changed(attempt)
    void this.#parts.nodes.retryUntilStored(() => owned.remove(attempt.name))
  }

  /** Another run has a call: where that is another node's, it is found among its calls. */
  takenOver({ name, log }: Attempt<T>): void {
    const { nodes, owned } = this.#parts
    // Not tried again: a name too many leads nowhere, and by then this node may have the call back.
    if (log.state.owner?.node !== nodes.id) owned.remove(name).catch(() => {})
  }

  /** Lets every run go. With a shared store others go on with them. */
  close(): void {
    this.#parts.takeovers.close()
    const { shared } = this.#parts.store
    for (const attempt of this.#parts.runs.durable.values()) {
      if (shared) attempt.release('process-gone')
      else attempt.call.drop()
    }
    this.#parts.runs.durable.clear()
    this.#ended.clear()
  }

  /** That of the run which is here, or of another one as it is now. */
  async #knownLog(id: string): Promise<CallLog> {
    const here = this.find(id)?.log
    if (here !== undefined) return here
    const log = this.#log(id)
    await log.read()
    return log
  }

  #log(id: string): CallLog {
    return this.#parts.logs.named(this.#parts.logs.nameOf(id))
  }

  #recordOf({ call, params, trace, takesTasks, repeat, promisedUntil }: Attempt<T>, createdAt: number): CallRecord {
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
      ...(repeat !== undefined && promisedUntil === 0 && { repeat: repeat.key }),
      ...(trace !== undefined && { trace }),
      version,
      createdAt,
      expiresAt: createdAt + durableMs,
      ...(promisedUntil > 0 && { promisedUntil }),
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
    this.#ended.take(name)
    const attempt = this.#parts.runs.durable.get(name)
    if (attempt !== undefined) void attempt.log.read().catch(() => {})
    // The call is this node's, and was let go to stay within bounds. One that is watched is looked at, wherever it runs.
    else if (!isWatched) this.#parts.takeovers.runAgain(name, 'evicted')
  }

  /** Another process wants to hear of a call, which by its log has not ended. False when that run is not here. */
  watched(name: string, node: string, run: string): boolean {
    this.#ended.take(name)
    return this.#parts.runs.isHere(name, run, node)
  }

  #unchecked: Attempt<T>[] = []

  /** A hint may be missed: so many calls are looked at with every heartbeat, all of them in turn. */
  async #recheck(): Promise<void> {
    // A list of its own: those that run change their order meanwhile.
    if (this.#unchecked.length === 0) this.#unchecked = [...this.#parts.runs.durable.values()]
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

interface EndedCall extends Held {
  readonly state: CallState
}

/** What it was called with is the most of it, and nothing is run again. */
function endedCall(principal: string | undefined, state: CallState): EndedCall {
  const { record, end } = state
  const peer = record && { capabilities: nothing, revision: record.peer.revision, client: undefined }
  const kept = record && peer && { ...record, params: nothing, peer }
  return { principal, bytes: sizeOf(kept) + sizeOf(end), state: { ...state, record: kept, rounds: [] } }
}

const nothing: CallRecord['params'] = {}
