// Calls that go on by themselves: tasks, and calls whose asks are on the desk. What happens to one is in its log, so any
// process can say how it stands, take an answer or cancel it. One process at a time runs the handler; when that one died,
// another takes over and replays it.

import { elapsedSince, type OpenAsk } from '../../call/ask.js'
import type { Call } from '../../call/call.js'
import type { Entry, Reply } from '../../call/journal.js'
import type { End } from '../../call/wire.js'
import { randomId } from '../../crypto/random-id.js'
import { BoundedMap } from '../../runtime/bounded-map.js'
import type { Clock } from '../../runtime/clock.js'
import type { Store } from '../../store/index.js'
import { StoreUnavailableError } from '../../store/store-unavailable.js'
import type { Telemetry } from '../../telemetry/telemetry.js'
import type { Nodes } from '../nodes.js'
import { type Attendant, DetachedRun } from './detached-run.js'
import { Hints } from './hints.js'
import type { About, Encoded, Line } from './line.js'
import { OwnedIds } from './owned-ids.js'
import { DetachedRecord } from './record.js'
import type { DetachedState } from './state.js'
import { Takeovers } from './takeovers.js'

/** What runs a call again: its handler, with a call of its own for it. */
export interface Revival<T> {
  readonly attendant: Attendant | undefined
  /** Makes the call for this run and starts its handler. */
  start(run: DetachedRun<T>, state: DetachedState): Call<T>
}

export interface DetachedOptions<T> {
  /** The name of the server: the calls of another one in the same store are none of its business. */
  server: string
  store: Store
  clock: Clock
  nodes: Nodes
  /** How long the log is kept after the call's time. */
  retainMs: number
  /** So many run here at once; the oldest is let go. */
  max: number
  telemetry?: Telemetry | undefined
  /** How the end of a handler is kept. */
  encodeEnd: (end: End<T>, call: Call<T>) => Encoded | Promise<Encoded>
  /** How to run a call whose process died, or why that cannot be. */
  revive: (id: string, about: About) => Revival<T> | Encoded
}

/** Looked at with every beat, in turn, for answers whose hint was missed. */
const recheckedPerBeat = 200
/** Taken over from a dead node with one beat. */
const adoptedPerBeat = 100

export class DetachedCalls<T> {
  readonly #options: DetachedOptions<T>
  readonly #runs: BoundedMap<string, DetachedRun<T>>
  readonly #owned: OwnedIds
  readonly #takeovers: Takeovers
  readonly #hints: Hints
  #isClosed = false

  constructor(options: DetachedOptions<T>) {
    const { store, clock, nodes, max } = options
    this.#options = options
    this.#runs = new BoundedMap(max, run => this.#letGo(run))
    this.#owned = new OwnedIds(store, nodes.id)
    this.#takeovers = new Takeovers(nodes, id => this.#takeOver(id))
    this.#hints = new Hints({ store, clock, node: nodes.id, hear: id => this.#hear(id) })
    nodes.onDeath(node => this.#adoptAll(node))
    nodes.onBeat(() => this.#recheck())
    nodes.onReturn(() => this.#owned.rewrite())
  }

  /** For a call that may go on by itself. Nothing is written yet; `open` is called before its first ask is. */
  prepare(
    id: string,
    wire: About['wire'],
    options: { attendant?: Attendant; open?: () => Promise<void> } = {},
  ): DetachedRun<T> {
    const { clock, nodes } = this.#options
    return new DetachedRun({ record: this.#record(id), run: randomId(), clock, nodes, ...options }, wire)
  }

  /** Writes down that the call goes on by itself. When another process has it already, this run is let go. */
  async begin(run: DetachedRun<T>, call: Call<T>, about: About, entries: readonly Entry[]): Promise<void> {
    run.serve(call)
    const begun = this.#writeBegin(run, about, entries)
    run.keep(call, begun)
    this.#runs.set(run.record.id, run)
    try {
      if (await begun) this.#finishWith(run, call)
      else this.#letGo(run)
    } catch (error) {
      this.#runs.delete(run.record.id)
      throw error
    }
  }

  async #writeBegin(run: DetachedRun<T>, about: About, entries: readonly Entry[]): Promise<boolean> {
    const { nodes, clock, store } = this.#options
    if (store.shared) {
      await this.#join()
      await this.#owned.add(run.record.id)
    }
    const owner = { node: nodes.id, run: run.id }
    return run.record.write(state =>
      state === undefined ? { kind: 'begun', about, entries, owner, at: clock.now() } : undefined,
    )
  }

  /** How a call stands; undefined when there is none. One whose process died is taken over. */
  async look(id: string): Promise<DetachedState | undefined> {
    const run = this.#runs.get(id)
    if (run !== undefined) return run.record.catchUp()
    const record = this.#record(id)
    const state = await record.catchUp()
    if (state === undefined || !this.#isOurs(state)) return undefined
    if (state.end === undefined) void this.#takeovers.adopt(id).catch(() => {})
    return state
  }

  /** Answers open asks of a call, the first time they are answered. */
  async answer(id: string, replies: ReadonlyMap<string, Reply>): Promise<void> {
    const { clock, telemetry } = this.#options
    const record = this.#runs.get(id)?.record ?? this.#record(id)
    await record.catchUp()
    const answered: [OpenAsk, Reply][] = []
    for (const [ask, reply] of replies) {
      const open = record.state?.open.find(other => other.id === ask)
      const isFirst = await record.write(state =>
        state?.end === undefined && state?.open.some(other => other.id === ask)
          ? { kind: 'answered', id: ask, reply, at: clock.now() }
          : undefined,
      )
      if (isFirst && open !== undefined) answered.push([open, reply])
    }
    const isRunning = await this.#tellOwner(record)
    // Where a process runs the call, the ask is open there, and that one tells.
    if (!isRunning)
      for (const [open, reply] of answered)
        telemetry?.answered(record.state?.about.wire ?? 'tasks', open.ask.kind, elapsedSince(open, clock), reply)
  }

  /** Ends a call; one that has ended stays as it is. */
  async cancel(id: string): Promise<void> {
    const { clock } = this.#options
    const record = this.#runs.get(id)?.record ?? this.#record(id)
    await record.catchUp()
    await record.write(state =>
      state !== undefined && state.end === undefined ? { kind: 'cancelled', at: clock.now() } : undefined,
    )
    await this.#tellOwner(record)
  }

  /** The run of a call in this process, if it is here. */
  running(id: string): Call<T> | undefined {
    return this.#runs.get(id)?.call
  }

  /** Calls `look` soon, and whenever something may have happened to a call, until the result is called. */
  watch(id: string, look: () => void): () => void {
    return this.#hints.watch(id, look)
  }

  /** Someone has the result: the log may go soon. */
  async delivered(id: string): Promise<void> {
    const { clock } = this.#options
    const record = this.#record(id)
    await record.catchUp()
    await record.write(state => (state === undefined ? undefined : { kind: 'delivered', at: clock.now() }))
  }

  /** Lets every run go. With a shared store others go on with them. */
  close(): void {
    this.#isClosed = true
    for (const run of this.#runs.values()) this.#letGo(run)
    this.#runs.clear()
    this.#hints.close()
  }

  #record(id: string): DetachedRecord {
    return new DetachedRecord(this.#options.store, id, this.#options.retainMs)
  }

  #isOurs({ about }: DetachedState): boolean {
    const { server } = this.#options
    return (about.server ?? server) === server
  }

  #letGo(run: DetachedRun<T>): void {
    if (this.#options.store.shared) run.release()
    else run.call?.drop()
  }

  #finishWith(run: DetachedRun<T>, call: Call<T>): void {
    const { nodes, store } = this.#options
    call.end().then(async end => {
      if (this.#runs.get(run.record.id) === run) this.#runs.delete(run.record.id)
      if (end.kind === 'failed' && end.error instanceof StoreUnavailableError && store.shared) {
        // A store that was away has ended nothing: once it is back, the call is run again from its record.
        run.release()
        await nodes.untilDone(() => this.#takeovers.adopt(run.record.id))
        return
      }
      const encoded = await this.#encode(end, call)
      await nodes.untilDone(async () => {
        if (run.isReleased) return
        await run.finish(encoded)
        if (!store.shared) return
        await this.#hints.tell(run.record.id, 'ended')
        await this.#owned.remove(run.record.id)
      })
    })
  }

  /** An end that cannot be kept is an error that can: else nobody would ever hear of it. */
  async #encode(end: End<T>, call: Call<T>): Promise<Encoded> {
    try {
      return await this.#options.encodeEnd(end, call)
    } catch (error) {
      return { error: { code: -32603, message: String(error) } }
    }
  }

  /** Hears from the others, and is known to them. */
  async #join(): Promise<void> {
    await this.#hints.listen()
    await this.#options.nodes.join()
  }

  /** Another process took an answer. */
  #hear(id: string): void {
    const run = this.#runs.get(id)
    // The call is this node's, and was let go to stay within bounds.
    if (run === undefined) void this.#takeovers.adopt(id).catch(() => {})
    else void run.record.catchUp().catch(() => {})
  }

  /** Whether there is one. A call whose process died is taken over. */
  async #tellOwner(record: DetachedRecord): Promise<boolean> {
    const { store, nodes } = this.#options
    const { state, id } = record
    if (state === undefined || !store.shared) return true
    await this.#hints.tell(id, 'moved').catch(() => {})
    if (this.#runs.get(id)?.record === record) return true
    const hasOwner = state.owner.node !== nodes.id && (await nodes.isAlive(state.owner.node))
    if (hasOwner) await this.#hints.tellNode(state.owner.node, id)
    else await this.#takeovers.adopt(id)
    return hasOwner
  }

  /** Takes a call over whose process died. */
  async #takeOver(id: string): Promise<void> {
    const { nodes, clock, store, revive } = this.#options
    if (!store.shared || this.#isClosed) return
    const record = this.#record(id)
    const state = await record.catchUp()
    if (state === undefined || state.end !== undefined || !this.#isOurs(state)) return
    if (this.#runs.get(id) !== undefined) return
    const before = state.owner.run
    if (state.owner.node !== nodes.id && (await nodes.isAlive(state.owner.node))) return
    await this.#join()
    await this.#owned.add(id)
    const revival = revive(id, state.about)
    const attendant = 'start' in revival ? revival.attendant : undefined
    const run = new DetachedRun<T>({ record, run: randomId(), clock, nodes, attendant }, state.about.wire)
    const owner = { node: nodes.id, run: run.id }
    const take = (now: DetachedState | undefined): Line | undefined =>
      now?.end === undefined && now?.owner.run === before ? { kind: 'taken', owner, at: clock.now() } : undefined
    // Lines of others may come between: the state is read anew for each attempt.
    const isMine = await record.write(take)
    if (!isMine || record.state === undefined) return this.#owned.remove(id)
    if (!('start' in revival)) {
      await run.finish(revival)
      await this.#owned.remove(id)
      return
    }
    this.#runs.set(id, run)
    this.#finishWith(run, revival.start(run, record.state))
  }

  /** Takes over what a dead node ran. True when nothing is left. */
  async #adoptAll(node: string): Promise<boolean> {
    let adopted = 0
    for await (const { ids, done } of this.#owned.of(node)) {
      if (adopted >= adoptedPerBeat) return false
      for (const id of ids) await this.#takeovers.adopt(id)
      adopted += ids.length
      if (await this.#options.nodes.isAlive(node)) return false
      await done()
    }
    return true
  }

  #rechecked: IterableIterator<DetachedRun<T>> | undefined

  /** A hint may be missed: so many calls are looked at with every beat, all of them in turn. */
  async #recheck(): Promise<void> {
    this.#rechecked ??= this.#runs.values()
    for (let count = 0; count < recheckedPerBeat; count++) {
      const next = this.#rechecked.next()
      if (next.done) {
        this.#rechecked = undefined
        return
      }
      if ((next.value.record.state?.open.length ?? 0) > 0) await next.value.record.catchUp()
    }
  }
}
