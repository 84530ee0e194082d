// Rules that are kept in the store: those that admins make over REST, and everyone's own. They are one log, so that what is new
// costs one read, however many there are. A node that knows of a rule reads the log again before the rule decides anything:
// what was removed on another node decides nothing, whether or not a hint came. Hints, and a look now and then, bring what is
// new.
import type { Clock } from 'beckon'
import type { JsonValue, Store } from 'beckon/store'
import { EventLog } from 'beckon/store/handles'
import type { Rule } from './rule.js'

export interface StoredRulesOptions {
  readonly store: Store
  readonly name: string
  readonly clock: Clock
}

type RuleEvent = { readonly type: 'added'; readonly rule: Rule } | { readonly type: 'removed'; readonly id: string }

type RuleMap = ReadonlyMap<string, Rule>

const snapshotEvery = 200
const pieceRules = 20
/** Hints may be lost. */
const lookEveryMs = 30_000

export class StoredRules {
  readonly #options: StoredRulesOptions
  readonly #log: EventLog<RuleMap, RuleEvent>
  readonly #unsubscribe: Promise<() => Promise<void>>
  #stopTimer: () => void

  constructor(options: StoredRulesOptions) {
    const { store, name } = options
    this.#options = options
    this.#log = new EventLog<RuleMap, RuleEvent>({
      store,
      name: `${name}/rules`,
      empty: new Map(),
      reduce,
      snapshots: { every: snapshotEvery, encode, decode },
    })
    // Without hints, the next look finds out.
    this.#unsubscribe = store.subscribe(this.#topic, () => this.#readSoon()).catch(() => async () => {})
    this.#stopTimer = this.#lookLater()
  }

  /** As far as they are known here. Rejects when nothing is, and the store is away. */
  async known(): Promise<RuleMap> {
    return this.#log.isLoaded ? this.#log.state : this.#log.read()
  }

  /** As they are in the store now. */
  read(): Promise<RuleMap> {
    return this.#log.read()
  }

  /**
   * Adds a rule, unless `refuse` gives a reason not to; it may be called more than once, and is not told of people's own rules
   * that are over: those go.
   */
  async add<R>(rule: Rule, refuse: (rules: readonly Rule[]) => R | undefined): Promise<R | undefined> {
    const now = this.#options.clock.now()
    const isOver = ({ owner, until = now + 1 }: Rule) => owner !== undefined && until <= now
    const refused = await this.#log.write<R | undefined>(rules => {
      const all = [...rules.values()]
      const result = refuse(all.filter(one => !isOver(one)))
      if (result !== undefined) return { events: [], result, isDoubtful: true }
      const gone = all.filter(isOver).map(({ id }): RuleEvent => ({ type: 'removed', id }))
      return { events: [...gone, { type: 'added', rule }], result }
    })
    if (refused === undefined) this.#tell()
    return refused
  }

  /** Removes a rule; undefined when there is none that may be. */
  async remove(id: string, mayRemove: (rule: Rule) => boolean): Promise<Rule | undefined> {
    const removed = await this.#log.write<Rule | undefined>(rules => {
      const rule = rules.get(id)
      const result = rule && mayRemove(rule) ? rule : undefined
      return { events: result ? [{ type: 'removed', id }] : [], result, isDoubtful: true }
    })
    if (removed !== undefined) this.#tell()
    return removed
  }

  async close(): Promise<void> {
    this.#stopTimer()
    const unsubscribe = await this.#unsubscribe
    await unsubscribe().catch(() => {})
  }

  get #topic(): string {
    return `${this.#options.name}/rules-changed`
  }

  #tell(): void {
    this.#options.store.publish(this.#topic, null).catch(() => {})
  }

  #readSoon(): void {
    // A node that never needed them reads them when it does.
    if (this.#log.isLoaded) this.#log.read().catch(() => {})
  }

  #lookLater(): () => void {
    return this.#options.clock.after(lookEveryMs, () => {
      this.#stopTimer = this.#lookLater()
      this.#readSoon()
    })
  }
}

function reduce(rules: RuleMap, event: RuleEvent): RuleMap {
  const next = new Map(rules)
  if (event.type === 'added') return next.set(event.rule.id, event.rule)
  return next.delete(event.id) ? next : rules
}

function encode(rules: RuleMap): readonly JsonValue[] {
  const all = [...rules.values()]
  const pieces = ['[]']
  for (let from = 0; from < all.length; from += pieceRules)
    pieces.push(JSON.stringify(all.slice(from, from + pieceRules)))
  return pieces
}

function decode(pieces: readonly JsonValue[]): RuleMap {
  const rules = pieces.flatMap(piece => JSON.parse(String(piece)) as Rule[])
  return new Map(rules.map(rule => [rule.id, rule]))
}
