// Rules that are kept in the store: those that admins make over REST, and everyone's own. They are one log, so that what is new
// costs one read, however many there are. A node that knows of a rule reads the log again before the rule decides anything:
// what was removed on another node decides nothing, whether or not a hint came.
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import { WatchedLog } from '../watched-log/watched-log.js'
import type { Rule } from './rule.js'

export interface StoredRulesOptions {
  readonly store: Store
  readonly clock: Clock
}

type RuleEvent = { readonly type: 'added'; readonly rule: Rule } | { readonly type: 'removed'; readonly id: string }

type RuleMap = ReadonlyMap<string, Rule>

const pieceRules = 20

export class StoredRules {
  readonly #clock: Clock
  readonly #log: WatchedLog<RuleMap, RuleEvent, Rule>

  constructor({ store, clock }: StoredRulesOptions) {
    this.#clock = clock
    this.#log = new WatchedLog({
      store,
      name: 'rules',
      clock,
      empty: new Map(),
      reduce,
      itemsOf: rules => [...rules.values()],
      fromItems: rules => new Map(rules.map(rule => [rule.id, rule])),
      pieceItems: pieceRules,
    })
  }

  /** As far as they are known here. Rejects when nothing is, and the store is away. */
  async known(): Promise<RuleMap> {
    return this.#log.known()
  }

  /** As they are in the store now. */
  read(): Promise<RuleMap> {
    return this.#log.read()
  }

  /** The same, without people's own that are over. */
  async readGood(): Promise<readonly Rule[]> {
    return [...(await this.read()).values()].filter(rule => !this.#isOver(rule))
  }

  /**
   * Adds a rule, unless `refuse` gives a reason not to; it may be called more than once, and is not told of people's own rules
   * that are over: those go.
   */
  add<R>(rule: Rule, refuse: (rules: readonly Rule[]) => R | undefined): Promise<R | undefined> {
    return this.#log.write<R | undefined>(rules => {
      const all = [...rules.values()]
      const result = refuse(all.filter(one => !this.#isOver(one)))
      if (result !== undefined) return { events: [], result }
      const gone = all.filter(one => this.#isOver(one)).map(({ id }): RuleEvent => ({ type: 'removed', id }))
      return { events: [...gone, { type: 'added', rule }], result }
    })
  }

  /** Removes a rule; undefined when there is none that may be. */
  remove(id: string, mayRemove: (rule: Rule) => boolean): Promise<Rule | undefined> {
    return this.#log.write<Rule | undefined>(rules => {
      const rule = rules.get(id)
      const result = rule && mayRemove(rule) ? rule : undefined
      return { events: result ? [{ type: 'removed', id }] : [], result }
    })
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  #isOver({ owner, until = Number.POSITIVE_INFINITY }: Rule): boolean {
    return owner !== undefined && until <= this.#clock.now()
  }
}

function reduce(rules: RuleMap, event: RuleEvent): RuleMap {
  const next = new Map(rules)
  if (event.type === 'added') return next.set(event.rule.id, event.rule)
  return next.delete(event.id) ? next : rules
}
