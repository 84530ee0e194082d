// A ledger that every process with the same store shares. Each call has a log with one writer at a time: whoever claimed
// the round that is being worked on. Every write says what it comes after, so a worker that was overtaken, or was only
// slow, can write nothing more. A worker that died is replaced when its lease has lapsed.
import { randomUUID } from 'node:crypto'
import { StateRejectedError } from '@beckon/core'
import type { JsonValue, LogEntry, Store } from '../store/index.js'
import type { Clock } from './clock.js'
import type { Entry, StepEntry } from './journal.js'
import type { Claimed, Ledger, RoundClaim, Taken, Work } from './ledger.js'
import type { Seal } from './seal.js'

export interface StoreLedgerOptions {
  store: Store
  /** What is in the store is for this server alone. */
  seal: Seal
  clock: Clock
  /** How long a reply is kept after its round. */
  retainMs: number
}

/** What a log holds. Everything that a person said is sealed. */
type Line =
  | { kind: 'round'; round: number; answers: string; worker: string; entries: string }
  | { kind: 'step'; entry: string }
  | { kind: 'reply'; round: number; reply: string }
  | { kind: 'reopened'; round: number }

const leaseMs = 30_000
const renewMs = 10_000
const pollMs = 1_000

export class StoreLedger<R extends JsonValue> implements Ledger<R> {
  readonly keepsJournal = true
  readonly #options: StoreLedgerOptions

  constructor(options: StoreLedgerOptions) {
    this.#options = options
  }

  begin(call: string, expiresAt: number): Work<R> {
    return this.#work({ call, round: 0, at: 0, expiresAt, worker: undefined })
  }

  async look(call: string, expiresAt: number): Promise<Taken<R>> {
    const lines = await this.#read(call)
    const at = lines.at(-1)?.seq ?? 0
    return { work: this.#work({ call, round: 0, at, expiresAt, worker: undefined }), journal: this.#journalOf(lines) }
  }

  async claim(claim: RoundClaim): Promise<Claimed<R>> {
    const { store, seal } = this.#options
    if (claim.at !== undefined) {
      // Whoever holds the handler knows the journal, and where the record stands unless someone was faster.
      const mine = await this.#take(claim, claim.at, [])
      if (mine !== undefined) return mine
    }
    for (;;) {
      const lines = await this.#read(claim.call)
      const taken = openRound(lines, claim.round)
      if (taken !== undefined && taken.answers !== claim.answers)
        throw new StateRejectedError('other answers were given before')
      const settled = taken && lines.findLast(line => line.kind === 'reply' && line.round === claim.round)
      // Only this server can have sealed it, as a reply.
      if (settled?.kind === 'reply') return { kind: 'repeat', reply: seal.open(settled.reply) as R }
      const isWorkedOn = taken !== undefined && (await store.get(leaseOf(claim.call, taken.worker))) !== undefined
      if (isWorkedOn) await this.#hint(claim.call)
      else {
        const mine = await this.#take(claim, lines.at(-1)?.seq ?? 0, this.#journalOf(lines))
        if (mine !== undefined) return mine
      }
    }
  }

  forgetBefore(): void {
    // What is in the store expires there.
  }

  /** Writes that this worker has the round, unless the log has moved on. */
  async #take(claim: RoundClaim, after: number, journal: readonly Entry[]): Promise<Claimed<R> | undefined> {
    const { store, seal, clock } = this.#options
    const { call, round, answers, entries, expiresAt } = claim
    const worker = randomUUID()
    // Before the round is this worker's: nobody may take it for dead.
    await store.set(leaseOf(call, worker), null, { expiresAt: clock.now() + leaseMs })
    const line: Line = { kind: 'round', round, answers, worker, entries: seal.seal(entries) }
    const at = await store.append(logOf(call), [line], { after, expiresAt: this.#keepUntil(expiresAt) })
    if (at === undefined) return undefined
    const work = this.#work({ call, round, at, expiresAt, worker })
    return { kind: 'mine', work, journal: [...journal, ...entries] }
  }

  #work({
    call,
    round,
    expiresAt,
    worker,
    ...start
  }: {
    call: string
    round: number
    at: number
    expiresAt: number
    worker: string | undefined
  }): Work<R> {
    const { store, seal, clock } = this.#options
    const log = logOf(call)
    let { at } = start
    const write = async (line: Line, until: number): Promise<boolean> => {
      const seq = await store.append(log, [line], { after: at, expiresAt: until })
      if (seq === undefined) return false
      at = seq
      return true
    }
    let stopRenewing = worker === undefined ? () => {} : clock.after(renewMs, renew)
    function renew(): void {
      // A lease that could not be renewed lapses, and someone else takes over: that is what it is for.
      store.set(leaseOf(call, `${worker}`), null, { expiresAt: clock.now() + leaseMs }).catch(() => {})
      stopRenewing = clock.after(renewMs, renew)
    }
    return {
      get at() {
        return at
      },
      step: entry => write({ kind: 'step', entry: seal.seal(entry) }, this.#keepUntil(expiresAt)),
      settle: async (reply, until) => {
        stopRenewing()
        if (worker === undefined) return
        const isWritten = await write({ kind: 'reply', round, reply: seal.seal(reply) }, this.#keepUntil(until))
        if (isWritten) await store.publish(log, clock.now())
      },
      reopen: async () => {
        stopRenewing()
        if (worker === undefined) return
        await write({ kind: 'reopened', round }, this.#keepUntil(expiresAt))
      },
    }
  }

  /** Waits for something to happen to a call. A hint may be missed, so not for long. */
  async #hint(call: string): Promise<void> {
    const { store, clock } = this.#options
    let stopTimer = () => {}
    let unsubscribe = async () => {}
    await new Promise<void>((resolve, reject) => {
      stopTimer = clock.after(pollMs, resolve)
      store
        .subscribe(logOf(call), () => resolve())
        .then(stop => {
          unsubscribe = stop
        }, reject)
    })
    stopTimer()
    await unsubscribe()
  }

  async #read(call: string): Promise<(Line & { seq: number })[]> {
    // What is in this log, a ledger wrote.
    return (await this.#options.store.read(logOf(call))).map(({ seq, value }: LogEntry) => ({
      ...(value as unknown as Line),
      seq,
    }))
  }

  #journalOf(lines: readonly Line[]): Entry[] {
    const { seal } = this.#options
    const reopened = new Set<Line>()
    lines.forEach((line, index) => {
      if (line.kind !== 'reopened') return
      const round = lines.slice(0, index).findLast(before => before.kind === 'round' && before.round === line.round)
      if (round !== undefined) reopened.add(round)
    })
    return lines.flatMap(line => {
      // Only this server can have sealed them, as entries.
      if (line.kind === 'step') return [seal.open(line.entry) as StepEntry]
      return line.kind === 'round' && !reopened.has(line) ? (seal.open(line.entries) as Entry[]) : []
    })
  }

  #keepUntil(expiresAt: number): number {
    return expiresAt + this.#options.retainMs
  }
}

/** Who has a round; undefined when nobody has it (any more). */
function openRound(lines: readonly Line[], round: number): Extract<Line, { kind: 'round' }> | undefined {
  const last = lines.findLast(line => (line.kind === 'round' || line.kind === 'reopened') && line.round === round)
  return last?.kind === 'round' ? last : undefined
}

function logOf(call: string): string {
  return `call/${call}`
}

function leaseOf(call: string, worker: string): string {
  return `lease/${call}/${worker}`
}
