// Takes calls over whose run is gone: the handler is replayed from the log. Each call once at a time. When the store fails in
// the middle, a call may be this node's although nobody got to say so, and no other node will take it: so it is tried again
// until the store has answered.
import { Journal } from '../call/journal.js'
import { randomId } from '../crypto/random-id.js'
import type { CallLog } from '../log/call-log.js'
import type { CallRecord, CallResponse } from '../log/events.js'
import { Attempt } from './attempt.js'
import type { Program, ReplayCause } from './call-request.js'
import type { Claim } from './owners.js'
import type { RunnerParts } from './runner-parts.js'

/** Taken over from a dead node with one heartbeat. */
const takenOverPerHeartbeat = 100

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

  /** Takes over what a dead node ran. True when nothing is left. */
  async takeOverAll(node: string): Promise<boolean> {
    const { owned } = this.#parts
    const names = await owned.of(node, takenOverPerHeartbeat)
    for (const name of names) {
      // It came back meanwhile.
      if ((await this.takeOver(name.member, 'process-gone')) === node) return false
      await owned.done(node, name)
    }
    return names.length < takenOverPerHeartbeat
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
    const { nodes, clock, store, logs, owners, repeats, running, owned, watchers, join } = this.#parts
    if (this.#isClosed) return nodes.id
    // A run that is not the one that the log names has not heard of that yet.
    await running.get(name)?.log.read()
    if (running.get(name) !== undefined) return nodes.id
    const log = logs.named(name)
    const { record, owner, end, open } = await log.read()
    if (record === undefined || end !== undefined || owner === undefined || running.get(name) !== undefined)
      return undefined
    const claim: Claim = { ...owner, round: null }
    if ((await owners.whyGone(name, claim)) === undefined) {
      // It waits for nobody: so its process should be at it.
      if (open.length === 0) watchers.ask(name, claim)
      return owner.node
    }
    if (store.shared) await join()
    const run = randomId()
    // Others may write in between: how the call stands is read anew for each attempt.
    const isMine = await log.write(now =>
      now.end === undefined && now.owner?.run === owner.run
        ? { kind: 'claimed', owner: { node: nodes.id, run }, at: clock.now() }
        : undefined,
    )
    if (!isMine) return undefined
    // Its process was gone before it could be found, and the same was asked for again: nobody was told of this one.
    const { repeat: key, id, expiresAt } = record
    if (store.shared && key !== undefined && (await repeats.take(key, id, expiresAt)) === undefined) {
      await log.write(now => (now.end === undefined ? { kind: 'cancelled', at: clock.now() } : undefined))
      await owned.remove(name)
      return undefined
    }
    const program = this.#programOf(record)
    if ('start' in program) this.#replay({ record, log, run, program, cause })
    else {
      await log.write(now => (now.end === undefined ? { kind: 'ended', end: program, at: clock.now() } : undefined))
      await owned.remove(name)
    }
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
    const { rules, telemetry, running } = this.#parts
    const { entries, open, rounds } = log.state
    const principal = record.principal ?? undefined
    const attempt = new Attempt(this.#parts, {
      id: record.id,
      log,
      run,
      presenter: program.presenter,
      target: record.target,
      principal,
      journal: new Journal(
        [...entries],
        open.map(({ mark, from }) => ({ digest: mark.digest, from })),
      ),
      // What was sent to a client is lost with its connection.
      clientWire: record.isTask ? 'tasks' : undefined,
      rules,
      facts: { params: record.params, trace: record.trace, takesTasks: record.isTask },
      earlier: new Map(open.map(ask => [ask.id, ask.wire === 'push' ? { ...ask, wire: 'desk' } : ask])),
    })
    attempt.round = Math.max(0, ...rounds.map(({ number }) => number)) + 1
    attempt.call.restore(record.peer, record.sessionId ?? undefined)
    running.add(attempt.name, attempt)
    attempt.takeOver()
    if (record.isTask) attempt.call.becomeTask()
    telemetry?.replayed(cause)
    attempt.start(program)
  }
}

function gone(reason: string): CallResponse {
  return { error: { code: -32603, message: `The call cannot go on: ${reason}.` } }
}
