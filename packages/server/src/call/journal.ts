import type { Outcome } from '@beckon/core'
import { sizeOf } from '../runtime/size-of.js'
import { copyJson } from '../store/copy-json.js'
import type { JsonValue } from '../store/index.js'
import { addToJournal } from './journal-codec.js'

/** What came back for an ask. `result` is for requests that are not for a person: sampling and roots. */
export type Reply =
  /**
   * `afterFloor` where it came when a person could have given it, by the clock that says so; `unasked` where it came before anyone
   * was asked, so that its ask took no name on a wire.
   */
  | { kind: 'outcome'; outcome: Outcome<JsonValue>; afterFloor?: true; unasked?: true }
  | { kind: 'result'; result: JsonValue }
  | { kind: 'expired' }
  /** Something came back that no person can have given: it never counts, and what it was is not kept. */
  | { kind: 'discounted' }

/** What identifies an ask within its call, from one run of the handler to the next. */
export interface AskMark {
  /** The author's own name for it. */
  key?: string
  /** Of what the person sees. */
  digest: string
  /** How many asks with this key, or without one and with this digest, the run made before. */
  nth: number
  /** How many asks of any kind the run made before. */
  position: number
}

export interface AskEntry extends AskMark {
  kind: 'ask'
  /** How far into the journal the run had come when the ask was made. */
  from: number
  reply: Reply
}

/** What a step threw: what is left of an error as JSON, or another value. */
export type Thrown =
  | {
      readonly name: string
      readonly message: string
      readonly code?: string | number
      readonly data?: JsonValue
      /** Of an error of ours. */
      readonly kind?: string
    }
  | { readonly value: JsonValue }

export interface StepEntry {
  kind: 'step'
  name: string
  /** How many steps of this name the run made before. */
  nth: number
  from: number
  result: JsonValue
  /** Where it failed. */
  thrown?: Thrown | undefined
}

/** What an earlier run learned, and where in the journal it is. */
export interface Found<E extends Entry> {
  readonly entry: E
  readonly index: number
}

export type Entry = AskEntry | StepEntry

/** The entry for an ask that has its reply. */
export function askEntry({ key, digest, nth, position }: AskMark, from: number, reply: Reply): AskEntry {
  // Written out: on this path a spread costs more than everything else about it.
  return key === undefined
    ? { kind: 'ask', digest, nth, position, from, reply }
    : { kind: 'ask', key, digest, nth, position, from, reply }
}

/** How an ask ended, for the handler to do with as it likes: the journal has its own. */
export function copyOf<E extends Reply | { kind: 'failed' }>(ending: E): E {
  if (ending.kind === 'result') return { ...ending, result: copyJson(ending.result) }
  if (ending.kind !== 'outcome') return ending
  const { outcome } = ending
  const holds = outcome.by !== undefined || (outcome.action === 'accept' && typeof outcome.content === 'object')
  // An outcome is JSON; the compiler cannot see that of its open members.
  return holds ? { ...ending, outcome: copyJson(outcome as unknown as JsonValue) } : ending
}

export function isSameAsk(a: AskMark, b: AskMark): boolean {
  return a.position === b.position && a.nth === b.nth && a.digest === b.digest && a.key === b.key
}

/** An ask that an earlier run made, and that has no answer yet. */
export type UnansweredAsk = Pick<AskEntry, 'digest' | 'from'>

/** The steps that errors are from. */
const causes = new WeakMap<object, StepEntry>()
/** How far an error is followed to what caused it. */
const maxCauses = 10

/** Of every call that has learned nothing yet, and never added to. */
const none: Entry[] = []
const nothingOpen: readonly UnansweredAsk[] = []

/** What a call has learned so far, in the order in which it learned it. */
export class Journal {
  #entries: Entry[]
  readonly #open: readonly UnansweredAsk[]
  /** Those that this run has come to; made when there is one. */
  #used: Set<Entry> | undefined
  #reach = 0
  /** How much of it this run was given. */
  #given = 0
  /** Those that this run came to, also in attempts of the handler before. */
  #met: Set<Entry> | undefined
  #waitsForMissing = true
  #encoded = ''
  #encodedEntries = 0
  #bytes = 0
  #weighedEntries = 0

  /** @param open What earlier runs asked, and nobody has answered. */
  constructor(entries: Entry[] = none, open: readonly UnansweredAsk[] = nothingOpen) {
    this.#entries = entries
    this.#open = open
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** How far this run has come: what it makes now comes after everything before that. */
  get reach(): number {
    return this.#reach
  }

  /** All of it, as a state carries it. What was encoded for an earlier round is not encoded again. */
  get encoded(): string {
    const added = this.entries.slice(this.#encodedEntries)
    this.#encodedEntries = this.entries.length
    this.#encoded = addToJournal(this.#encoded, added)
    return this.#encoded
  }

  /** About how much it takes in memory. */
  get bytes(): number {
    for (; this.#weighedEntries < this.#entries.length; this.#weighedEntries++)
      this.#bytes += sizeOf(this.#entries[this.#weighedEntries])
    return this.#bytes
  }

  record(entry: Entry): void {
    if (this.#entries === none) this.#entries = [entry]
    else this.#entries.push(entry)
    this.#use(entry)
  }

  /** Where an entry that was recorded is; undefined where it was not. */
  indexOf(entry: Entry): number | undefined {
    const index = this.#entries.lastIndexOf(entry)
    return index < 0 ? undefined : index
  }

  /** The run was given an entry. */
  given(index: number): void {
    this.#given++
    this.#reach = Math.max(this.#reach, index + 1)
  }

  /** Whether something was learned before an entry that this run could have come to by what it was given, and has not. */
  isMissing(index: number): boolean {
    if (!this.#waitsForMissing) return false
    for (let before = 0; before < index; before++) {
      const entry = this.#entries[before]
      // A step that outlasted its round being opened again comes after what now stands behind it.
      const isOutOfPlace = entry === undefined || entry.from > before
      if (!isOutOfPlace && entry.from <= this.#given && !this.#met?.has(entry)) return true
    }
    return false
  }

  /** Nothing is missing from here on. */
  waitNoMore(): void {
    this.#waitsForMissing = false
  }

  /**
   * The reply to an ask that an earlier run made: by the author's key; else by what the person saw; else by its place, when
   * something that came after it is recorded, since the handler had gone on with that answer, and its place is certain.
   */
  findReply(mark: AskMark): Found<AskEntry> | undefined {
    if (this.entries.length === (this.#used?.size ?? 0)) return undefined
    const asks = this.entries.filter(entry => entry.kind === 'ask' && !this.#used?.has(entry)) as AskEntry[]
    const found =
      (mark.key !== undefined && asks.find(entry => entry.key === mark.key && entry.nth === mark.nth)) ||
      asks.find(
        entry =>
          entry.key === undefined && mark.key === undefined && entry.digest === mark.digest && entry.nth === mark.nth,
      ) ||
      asks.find(entry => entry.key === mark.key && entry.position === mark.position && this.#isInPlaceOf(entry, mark))
    return found ? this.#take(found) : undefined
  }

  /** What an earlier run recorded of a step; of an earlier attempt, only what it finished. */
  findStep(name: string, nth: number): Found<StepEntry> | undefined {
    if (this.entries.length === (this.#used?.size ?? 0)) return undefined
    const found = this.entries.find(
      (entry): entry is StepEntry =>
        entry.kind === 'step' && entry.name === name && entry.nth === nth && !this.#used?.has(entry),
    )
    return found && this.#take(found)
  }

  /**
   * Remembers what this run has come to. The result takes it back there; nothing that was recorded is lost. A step is tried again
   * that failed with this error, or was the last thing that came of the run.
   */
  checkpoint(): (error?: unknown) => void {
    const used = new Set(this.#used)
    const reach = this.#reach
    const given = this.#given
    return error => {
      const last = this.#entries.findLast(entry => this.#used?.has(entry))
      for (const entry of this.#used ?? [])
        if (entry.kind === 'step' && entry.thrown !== undefined && (entry === last || this.#isBehind(entry, error)))
          used.add(entry)
      this.#used = new Set(used)
      this.#reach = reach
      this.#given = given
    }
  }

  /** A step failed with an error, here or in an earlier run. */
  failed(entry: StepEntry, error: unknown): void {
    if (typeof error === 'object' && error !== null) causes.set(error, entry)
  }

  #isBehind(entry: StepEntry, error: unknown): boolean {
    let cause = error
    for (let depth = 0; depth < maxCauses && typeof cause === 'object' && cause !== null; depth++) {
      if (causes.get(cause) === entry) return true
      cause = 'cause' in cause ? cause.cause : undefined
    }
    return false
  }

  /** What earlier runs recorded and this run has not reached. */
  unreached(): Entry[] {
    if (this.entries.length === (this.#met?.size ?? 0)) return []
    return this.entries.filter(entry => !this.#met?.has(entry))
  }

  #take<E extends Entry>(entry: E): Found<E> {
    this.#use(entry)
    return { entry, index: this.entries.indexOf(entry) }
  }

  #use(entry: Entry): void {
    this.#used ??= new Set()
    this.#used.add(entry)
    this.#met ??= new Set()
    this.#met.add(entry)
  }

  /**
   * Whether an answer is for an ask that has its place and other words. Not where asks were open together, since they may come in
   * another order, nor for words that were asked elsewhere.
   */
  #isInPlaceOf(entry: AskEntry, { digest }: AskMark): boolean {
    const index = this.entries.indexOf(entry)
    if (!this.entries.some(other => other.from > index)) return false
    const isRival = (other: UnansweredAsk, answeredAt: number): boolean =>
      other.digest === digest || (other.from <= index && entry.from <= answeredAt)
    return !(
      this.#open.some(other => isRival(other, Number.POSITIVE_INFINITY)) ||
      this.entries.some((other, at) => other.kind === 'ask' && other !== entry && isRival(other, at))
    )
  }
}
