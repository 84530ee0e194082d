// Takes calls over whose run is gone: the handler is replayed from the log. Each call once at a time. When the store fails in
// the middle, a call may be this node's although nobody got to say so, and no other node will take it: so it is tried again
// until the store has answered.
import { Journal } from '../call/journal.js'
import type { CallRecord, CallResponse } from '../log/events.js'
import { type CallState, claimOf } from '../log/reduce.js'
import { Attempt, type Origin } from './attempt.js'
import type { Program, ReplayCause } from './call-request.js'
import type { RunnerParts } from './runner.js'

/** Looked at of what a dead node has named, with one heartbeat. */
const maxMembers = 100
/** After so many logs that were looked for, or so many calls that run here since, the rest is for the next heartbeat. */
const enoughLogs = 5_000
const enoughCalls = 200

export class Takeovers<T> {
  readonly #parts: RunnerParts<T>
  readonly #inProgress = new Map<string, Promise<string | undefined>>()
  readonly #unsure = new Set<string>()
  #isClosed = false

  constructor(parts: RunnerParts<T>) {
    this.#parts = parts
  }

  close(): void {
    this.#isClosed = true
  }

  /** The node that a call was left with, which runs it; undefined when there was none. */
  async takeOver(name: string, cause: ReplayCause): Promise<string | undefined> {
    try {
      return await this.#run(name, cause)
    } catch (error) {
      this.#retry(name, cause)
      throw error
    }
  }

  /** The same for one who does not wait for it. */
  runAgain(name: string, cause: ReplayCause): void {
    this.takeOver(name, cause).catch(() => {})
  }

  /**
   * Why nobody is at a call any more; undefined while someone is, as far as can be told. A process that lives may have given a
   * run up, which only it knows.
   */
  async whyGone(name: string, known: CallState): Promise<ReplayCause | undefined> {
    const { nodes, runs, watchers } = this.#parts
    const claim = claimOf(known)
    if (claim === undefined) return 'process-gone'
    if (claim.node === nodes.id) return runs.isHere(name, claim.run) ? undefined : 'unknown-write'
    if (watchers.isGivenUp(claim)) return 'unknown-write'
    return (await nodes.isAlive(claim.node)) ? undefined : 'process-gone'
  }

  /** Takes over what a dead node ran. True when nothing is left. */
  async takeOverAll(node: string): Promise<boolean> {
    const { owned, nodes, runs } = this.#parts
    const secret = await owned.secretOf(node)
    const members = await owned.of(node, maxMembers)
    // A block may have no calls yet, and so nothing that says whether its node is back.
    if (!(await nodes.isStillGone(node))) return false
    let logs = 0
    let calls = 0
    let isAll = members.length < maxMembers
    for (const member of members) {
      if (logs >= enoughLogs || calls >= enoughCalls) return false
      const names = await owned.namesOf(node, member)
      const takenOver = await Promise.allSettled(names.map(name => this.takeOver(name, 'process-gone')))
      // It came back meanwhile, or this one is closing.
      if (takenOver.some(each => each.status === 'fulfilled' && each.value === node) || this.#isClosed) return false
      // One whose log cannot be read keeps nobody from the others.
      if (takenOver.every(({ status }) => status === 'fulfilled')) await owned.done(node, member)
      else isAll = false
      logs += names.length
      calls += names.filter(name => runs.durable.get(name) !== undefined).length
    }
    if (!isAll) return false
    if (secret !== undefined) await owned.forget(node, secret)
    return true
  }

  #retry(name: string, cause: ReplayCause): void {
    if (this.#unsure.has(name)) return
    this.#unsure.add(name)
    void this.#parts.nodes.retryUntilStored(async () => {
      await this.#run(name, cause)
      this.#unsure.delete(name)
    })
  }

  #run(name: string, cause: ReplayCause): Promise<string | undefined> {
    const known = this.#inProgress.get(name)
    if (known !== undefined) return known
    const running = this.#takeOver(name, cause).finally(() => this.#inProgress.delete(name))
    this.#inProgress.set(name, running)
    return running
  }

  async #takeOver(name: string, cause: ReplayCause): Promise<string | undefined> {
    const { nodes, clock, store, logs, runs, repeats, owned, watchers, join } = this.#parts
    if (this.#isClosed) return nodes.id
    // A run that is not the one that the log names has not heard of that yet.
    await runs.durable.get(name)?.log.read()
    if (runs.durable.get(name) !== undefined) return nodes.id
    const log = logs.named(name)
    const known = await log.read()
    const { record, owner, end, open } = known
    // A run that was let go here did not hear of its end, or that another node took the call.
    if (end !== undefined || owner?.node !== nodes.id) await owned.remove(name)
    if (record === undefined || end !== undefined || owner === undefined || runs.durable.get(name) !== undefined)
      return undefined
    if ((await this.whyGone(name, known)) === undefined) {
      // It waits for nobody: so its process should be at it.
      if (open.length === 0) watchers.ask(name, claimOf(known))
      return owner.node
    }
    if (store.shared) await join()
    const program = this.#programOf(record)
    const attempt = new Attempt(this.#parts, originOf(record, program), { id: record.id, log, known })
    // Others may write in between: how the call stands is read anew for each attempt.
    const isMine = await log.write(now =>
      now.end === undefined && now.owner?.run === owner.run
        ? { kind: 'claimed', owner: attempt.asOwner, at: clock.now() }
        : undefined,
    )
    // Another run has it: where its node was only slow, that may be one of that node's own.
    if (!isMine) return log.state.end === undefined ? log.state.owner?.node : undefined
    // It may only have been slow, and have let the run go: then nothing else tells it.
    if (store.shared && owner.node !== nodes.id) watchers.tell(owner.node, name).catch(() => {})
    // Its process was gone before it could be found, and the same was asked for again: nobody was told of this one.
    const { repeat: key, id, expiresAt } = record
    const isOver = store.shared && key !== undefined && (await repeats.take(key, id, expiresAt)) === undefined
    if (!isOver && this.#isClosed) return nodes.id
    if (!isOver && 'start' in program) {
      this.#replay(record, attempt, { program, cause })
      return undefined
    }
    const at = clock.now()
    await attempt.write(() => ('start' in program ? { kind: 'cancelled', at } : { kind: 'ended', end: program, at }))
    await owned.remove(name)
    return undefined
  }

  /** How a call is run again, or what it ends with where it must not be. */
  #programOf(record: CallRecord): Program<T> | CallResponse {
    const { replay, onDeploy, version, resume } = this.#parts
    if (replay === 'never') return gone('the process that ran it is gone, and its handler cannot be replayed')
    if (record.version !== version && onDeploy === 'fail')
      return gone(`it was begun by version ${record.version} of this server`)
    return resume(record)
  }

  #replay(
    { peer, sessionId, isTask }: CallRecord,
    attempt: Attempt<T>,
    { program, cause }: { program: Program<T>; cause: ReplayCause },
  ): void {
    const { telemetry, runs } = this.#parts
    const { call, log } = attempt
    const { entries, open, rounds } = log.state
    const unanswered = open.map(({ mark, from }) => ({ digest: mark.digest, from }))
    call.journal = new Journal([...entries], unanswered)
    call.earlier = new Map(open.map(ask => [ask.id, ask.wire === 'push' ? { ...ask, wire: 'desk' } : ask]))
    call.restore(peer, sessionId ?? undefined)
    attempt.round = Math.max(0, ...rounds.map(({ number }) => number)) + 1
    runs.durable.add(attempt.name, attempt)
    attempt.takeOver()
    if (isTask) call.becomeTask()
    telemetry?.replayed(cause)
    attempt.start(program)
  }
}

function originOf<T>(
  { target, principal, sessionId, isTask, params, trace }: CallRecord,
  program: Program<T> | CallResponse,
): Origin<T> {
  return {
    incoming: { principal: principal ?? undefined, sessionId: sessionId ?? undefined, params, trace },
    target,
    // What was sent to a client is lost with its connection.
    clientWire: isTask ? 'tasks' : undefined,
    sender: undefined,
    presenter: 'start' in program ? program.presenter : undefined,
    takesTasks: isTask,
  }
}

function gone(reason: string): CallResponse {
  return { error: { code: -32603, message: `The call cannot go on: ${reason}.` } }
}
