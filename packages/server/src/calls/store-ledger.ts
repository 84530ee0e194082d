// A ledger that every process with the same store shares. Each call has a log with one writer at a time: whoever claimed
// the round that is being worked on. Every write says what it comes after, so a worker that was overtaken, or was only
// slow, can write nothing more. A worker that died is replaced when its lease has lapsed.
import { StateRejectedError } from '@beckon/core'
import type { Entry, StepEntry } from '../call/journal.js'
import { randomId } from '../crypto/random-id.js'
import type { Clock } from '../runtime/clock.js'
import { deferred } from '../runtime/deferred.js'
import type { JsonValue, Store } from '../store/index.js'
import type { Claimed, Ledger, RoundClaim, Work } from './ledger.js'
import type { Nodes } from './nodes.js'

export interface StoreLedgerOptions {
  /** Sealed: what is in it is for this server alone. */
  store: Store
  clock: Clock
  nodes: Nodes
  /** How long a reply is kept after its round. */
  retainMs: number
}

/** What a log holds. */
type Line =
  | { kind: 'round'; round: number; answers: string; node: string; claim: string; entries: readonly Entry[] }
  | { kind: 'step'; entry: StepEntry }
  | { kind: 'reply'; round: number; reply: JsonValue }
  | { kind: 'reopened'; round: number }

/** Answers, and what they add to the journal. */
type Given = Pick<Extract<Line, { kind: 'round' }>, 'answers' | 'entries'>

const pollMs = 1_000

export class StoreLedger<R extends JsonValue> implements Ledger<R> {
  readonly keepsJournal = true
  readonly #options: StoreLedgerOptions

  constructor(options: StoreLedgerOptions) {
    this.#options = options
  }

  begin(call: string, expiresAt: number): Work<R> {
    return this.#work({ call, round: 0, at: 0, expiresAt })
  }

  async claim(claim: RoundClaim): Promise<Claimed<R>> {
    const { nodes } = this.#options
    const { call, round, answers, entries, expiresAt } = claim
    await nodes.join()
    if (claim.at !== undefined && answers !== undefined) {
      // Whoever holds the handler knows the journal, and where the record stands unless someone was faster.
      const mine = await this.#take(claim, claim.at, { answers, entries })
      if (mine !== undefined) return { ...mine, journal: entries, isMoved: false }
    }
    for (;;) {
      const lines = await this.#read(call)
      const at = lines.at(-1)?.seq ?? 0
      const taken = openRound(lines, round)
      if (taken !== undefined && answers !== undefined && taken.answers !== answers)
        throw new StateRejectedError('other answers were given before')
      const settled = taken && lines.findLast(line => line.kind === 'reply' && line.round === round)
      // Only a ledger can have written it, as a reply.
      if (settled?.kind === 'reply') return { kind: 'repeat', reply: settled.reply as R }
      // What has expired beside the answers is as whoever was first saw it: clocks may disagree.
      const given = taken ?? (answers === undefined ? undefined : { answers, entries })
      if (given === undefined)
        return { kind: 'open', work: this.#work({ call, round: 0, at, expiresAt }), journal: journalOf(lines) }
      const isWorkedOn = taken !== undefined && (await nodes.isAlive(taken.node))
      if (isWorkedOn) await this.#hint(call)
      else {
        const mine = await this.#take(claim, at, given)
        if (mine !== undefined) return { ...mine, journal: journalOf([...lines, mine.line]), isMoved: true }
      }
    }
  }

  forgetBefore(): void {
    // What is in the store expires there.
  }

  /** Writes that this worker has the round, unless the log has moved on. */
  async #take({ call, round, expiresAt }: RoundClaim, after: number, { answers, entries }: Given) {
    const { store, nodes } = this.#options
    const id = randomId()
    const line: Line = { kind: 'round', round, answers, node: nodes.id, claim: id, entries }
    const at = await store.append(logOf(call), [encodeLine(line)], { after, expiresAt: this.#keepUntil(expiresAt) })
    if (at === undefined) return undefined
    return { kind: 'mine' as const, work: this.#work({ call, round, at, expiresAt, claim: id }), line }
  }

  /** Of round 0, which nobody claimed, there is nothing to write but its steps. */
  #work({
    call,
    round,
    expiresAt,
    claim,
    ...start
  }: {
    call: string
    round: number
    at: number
    expiresAt: number
    claim?: string
  }): Work<R> {
    const { store, nodes, clock } = this.#options
    const log = logOf(call)
    let { at } = start
    let isSettled = false
    const write = async (line: Line, until: number): Promise<boolean> => {
      const seq = await store.append(log, [encodeLine(line)], { after: at, expiresAt: this.#keepUntil(until) })
      if (seq === undefined) return false
      at = seq
      return true
    }
    const reopen = async () => {
      // A round that has its reply stays answered, whatever becomes of those who wait for more.
      while (claim !== undefined && !isSettled && !(await write({ kind: 'reopened', round }, expiresAt))) {
        // A line that seemed to fail was written after all, or someone else has the round.
        const lines = await this.#read(call)
        if (openRound(lines, round)?.claim !== claim || hasReply(lines, round)) return
        at = lines.at(-1)?.seq ?? 0
      }
    }
    return {
      get at() {
        return at
      },
      isMine: () => nodes.isFresh || store.read(log, { after: at, limit: 1 }).then(news => news.length === 0),
      step: entry => write({ kind: 'step', entry }, expiresAt),
      settle: async (reply, until) => {
        if (claim === undefined) return true
        try {
          if (!(await write({ kind: 'reply', round, reply }, until))) return false
          isSettled = true
          // A hint for whoever waits for this very reply.
          store.publish(log, clock.now()).catch(() => {})
          return true
        } catch (error) {
          // Nobody was told: the round is for whoever claims it again, once the store can be reached.
          void nodes.untilDone(reopen)
          throw error
        }
      },
      reopen: () => nodes.untilDone(reopen),
    }
  }

  /** Waits for something to happen to a call. A hint may be missed, so not for long. */
  async #hint(call: string): Promise<void> {
    const { store, clock } = this.#options
    const hint = deferred<void>()
    const stopTimer = clock.after(pollMs, hint.resolve)
    const subscribing = store.subscribe(logOf(call), () => hint.resolve())
    try {
      await Promise.race([hint.promise, subscribing.then(() => hint.promise)])
    } finally {
      stopTimer()
      // Also one that comes about only now.
      subscribing.then(unsubscribe => unsubscribe()).catch(() => {})
    }
  }

  async #read(call: string): Promise<(Line & { seq: number })[]> {
    return (await this.#options.store.read(logOf(call))).map(({ seq, value }) => ({ ...decodeLine(value), seq }))
  }

  #keepUntil(expiresAt: number): number {
    return expiresAt + this.#options.retainMs
  }
}

/** Lines are JSON by what they hold; the compiler cannot see that of open records. */
function encodeLine(line: Line): JsonValue {
  return line as unknown as JsonValue
}

function decodeLine(value: JsonValue): Line {
  return value as unknown as Line
}

/**
 * The journal, in the order in which it was learned. A round that is claimed again has the same answers again, unless it
 * was opened again: then what was answered before does not count.
 */
function journalOf(lines: readonly Line[]): Entry[] {
  const claims = new Map<number, Line>()
  for (const line of lines) {
    if (line.kind === 'reopened') claims.delete(line.round)
    else if (line.kind === 'round' && !claims.has(line.round)) claims.set(line.round, line)
  }
  return lines.flatMap(line => {
    if (line.kind === 'step') return [line.entry]
    return line.kind === 'round' && claims.get(line.round) === line ? line.entries : []
  })
}

function hasReply(lines: readonly Line[], round: number): boolean {
  return lines.some(line => line.kind === 'reply' && line.round === round)
}

/** Who has a round; undefined when nobody has it (any more). */
function openRound(lines: readonly Line[], round: number): Extract<Line, { kind: 'round' }> | undefined {
  const last = lines.findLast(line => (line.kind === 'round' || line.kind === 'reopened') && line.round === round)
  return last?.kind === 'round' ? last : undefined
}

function logOf(call: string): string {
  return `call/${call}`
}
