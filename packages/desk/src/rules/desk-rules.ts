// The rules of a desk: those that its owner wrote in a file or in code, those that admins made over REST, and everyone's own.
//
// The threat: a rule that answers for somebody else, or that outlives the right to answer. A person's own rule counts only as their
// own answer, where they are asked by name, or by a group that the directory says they are in now; it lasts for 90 days at
// most; and it never counts against a rule for the whole desk that asks or denies. Not defended: an admin who allows too much.

import { randomUUID } from 'node:crypto'
import { describeRefusal, type Refusal } from '@beckon/core/live'
import type { Clock } from 'beckon'
import type { Store } from 'beckon/store'
import type { Actor } from '../model/events.js'
import type { Policy } from '../model/policy.js'
import type { GroupsOf } from '../people/directory.js'
import { isIn, nobodyInParticular, type Person, type Role } from '../policy/audience.js'
import { appliesTo, type Ruling, rulingOn } from './decide.js'
import { DestructiveTools, whyRefused } from './destructive-tools.js'
import { readRule } from './read-rules.js'
import type { Rule, RuledCall } from './rule.js'
import { RuleFile } from './rule-file.js'
import { StoredRules } from './stored-rules.js'

export interface DeskRulesOptions {
  readonly store: Store
  readonly clock: Clock
  /** A file, or the rules themselves. */
  readonly given?: string | readonly Rule[] | undefined
  readonly groupsOf?: GroupsOf | undefined
  /** What someone may do, as far as the desk itself says. */
  readonly roleOf?: ((person: Person) => Role | undefined) | undefined
  /** Told of rules that are made and removed, for the audit, before that is done: where it rejects, it is not. */
  readonly record: (change: RuleChange) => Promise<void>
  readonly onError: (error: unknown) => void
}

export interface RuleChange {
  readonly event: 'rule-added' | 'rule-removed' | 'rule-refused'
  readonly at: number
  readonly rule: string
  /** Of the call that a rule was refused for. */
  readonly server?: string
  readonly tool?: string
  /** What it says, without its arguments. */
  readonly reason: string
  /** Absent for what a program did. */
  readonly by?: Actor
}

/** A rule, and where it is written: one that is in the store can be removed there. */
export interface KnownRule extends Rule {
  readonly source: 'file' | 'code' | 'store'
}

/** Who makes a rule. */
export interface RuleMaker {
  readonly by?: Actor
  /** Whose own rule it is to be. */
  readonly owner?: string
}

const dayMs = 24 * 60 * 60 * 1000
const usualOwnMs = 30 * dayMs
const maxOwnMs = 90 * dayMs
/** Of one that is not in a file: every node has all of them in memory. */
const maxRuleBytes = 16 * 1024
const maxGeneral = 1_000
const maxOwn = 100
const maxOwnInAll = 10_000
/** People whose own rules are about one call, of whom it is looked whether they are asked. */
const maxOwners = 200
/** Refusals that are told: more than that is a mistake that was told often enough. */
const maxRefused = 1_000

export class DeskRules {
  readonly #options: DeskRulesOptions
  readonly #stored: StoredRules
  readonly #file: RuleFile | undefined
  readonly #given: readonly Rule[]
  readonly #destructive = new DestructiveTools()
  /** Rules that were refused, and for which tools: each is told once. */
  readonly #refused = new Set<string>()

  /** @throws for rules that have mistakes */
  constructor(options: DeskRulesOptions) {
    const { given, clock, onError } = options
    this.#options = options
    const refuses = (rule: Rule) => this.#refusal(rule)
    // The server that asks says what can destroy something: that must not keep the other rules of a file from being read.
    const warns = (rule: Rule) => this.#silence(rule)
    this.#file = typeof given === 'string' ? new RuleFile({ path: given, clock, refuses, warns, onError }) : undefined
    this.#given = typeof given === 'string' ? [] : (given ?? []).map(rule => this.#read(rule))
    this.#stored = new StoredRules(options)
  }

  /** Which groups someone is in, where a directory says. */
  get groupsOf(): GroupsOf | undefined {
    return this.#options.groupsOf
  }

  /** What rules say of a call that a person is asked about, and whom `policy` says that is. */
  async rulingOn(call: RuledCall, policy: Policy): Promise<Ruling | undefined> {
    this.#destructive.note(call)
    await this.#file?.look()
    const known = await this.#decide(call, policy, await this.#stored.known())
    // What was removed elsewhere decides nothing.
    return known && this.#decide(call, policy, await this.#stored.read())
  }

  /** All of them; with `owner`, those that are that person's own. */
  async list({ owner }: { readonly owner?: string | undefined } = {}): Promise<KnownRule[]> {
    await this.#file?.look()
    const all = [
      ...(this.#file?.rules ?? []).map((rule): KnownRule => ({ ...rule, source: 'file' })),
      ...this.#given.map((rule): KnownRule => ({ ...rule, source: 'code' })),
      ...[...(await this.#stored.read()).values()].map((rule): KnownRule => ({ ...rule, source: 'store' })),
    ]
    return owner === undefined ? all : all.filter(rule => rule.owner === owner)
  }

  /** Reads a rule that somebody wants, as it would be kept; or says what is wrong with it. */
  draft(value: unknown, { owner }: Pick<RuleMaker, 'owner'> = {}): Rule | Refusal {
    const fields = typeof value === 'object' && value !== null ? value : {}
    if (owner !== undefined && 'id' in fields) return invalid('"id": the desk names the rules of people.')
    const rule = readRule({ id: newId(owner), ...(typeof value === 'object' ? value : { value }) })
    if (typeof rule === 'string') return invalid(rule)
    if (Buffer.byteLength(JSON.stringify(rule)) > maxRuleBytes)
      return invalid(`A rule has at most ${maxRuleBytes} bytes.`)
    const refused = this.#refusal(rule)
    if (refused !== undefined) return invalid(refused)
    return owner === undefined ? rule : this.#own(rule, owner)
  }

  /** Keeps a rule for the whole desk or, with `owner`, a person's own. */
  async add(value: unknown, { by, owner }: RuleMaker = {}): Promise<KnownRule | Refusal> {
    const rule = this.draft(value, { ...(owner !== undefined && { owner }) })
    if ('code' in rule) return rule
    const fixed = [...(this.#file?.rules ?? []), ...this.#given]
    const refuse = (rules: readonly Rule[]) => tooMuch(rule, [...fixed, ...rules])
    const early = refuse(await this.#stored.readGood())
    if (early !== undefined) return early
    await this.#record('rule-added', rule, by)
    const refused = await this.#stored.add(rule, refuse)
    return refused ?? { ...rule, source: 'store' }
  }

  /** Removes a rule from the store; false when it is not there, or not that person's own. */
  async remove(id: string, { by, owner }: RuleMaker = {}): Promise<boolean> {
    const mayRemove = (one: Rule) => owner === undefined || one.owner === owner
    const rule = (await this.#stored.read()).get(id)
    if (rule === undefined || !mayRemove(rule)) return false
    await this.#record('rule-removed', rule, by)
    return (await this.#stored.remove(id, mayRemove)) !== undefined
  }

  async close(): Promise<void> {
    this.#file?.close()
    await this.#stored.close()
  }

  async #decide(call: RuledCall, policy: Policy, stored: ReadonlyMap<string, Rule>): Promise<Ruling | undefined> {
    const { clock, groupsOf } = this.#options
    const rules = [...(this.#file?.rules ?? []), ...this.#given, ...stored.values()]
    if (rules.length === 0) return undefined
    const takesGroups = call.principal !== undefined && rules.some(({ match }) => match.group !== undefined)
    const groups = takesGroups ? await groupsOf?.(call.principal ?? '') : undefined
    const now = clock.now()
    // As a person sees the arguments, and as they are written in a rule.
    const input = call.input === undefined ? undefined : JSON.parse(JSON.stringify(call.input))
    const applying = rules.filter(rule => {
      const verdict = appliesTo(rule, { ...call, input, groups }, now)
      if (verdict === 'refused') this.#refuse(rule, call)
      return verdict === true
    })
    const asked = new Set<string>()
    const owners = [...new Set(applying.flatMap(({ owner }) => owner ?? []))].slice(0, maxOwners)
    for (const owner of owners) if (await this.#isAsked(owner, policy)) asked.add(owner)
    return rulingOn(applying.filter(({ owner }) => owner === undefined || asked.has(owner)))
  }

  /** Only those are asked who are named, or who are in a group now, and do not only look on: somebody on this desk is nobody in particular. */
  async #isAsked(principal: string, { audience, owner }: Policy): Promise<boolean> {
    if (audience === undefined || owner !== undefined) return false
    const { groupsOf, roleOf } = this.#options
    const { groups: wanted = [] } = audience
    const groups = wanted.length === 0 && roleOf === undefined ? undefined : await groupsOf?.(principal)
    const person = { principal, ...(groups && { groups }) }
    return isIn(audience, person) && roleOf?.(person) !== 'auditor'
  }

  #own(rule: Rule, owner: string): Rule | Refusal {
    if (owner === nobodyInParticular) return notKnown
    const { effect, audience, quorum, until } = rule
    if (audience !== undefined || quorum !== undefined) return invalid('Whom to ask is for admins to say.')
    if (effect === 'ask') return { ...rule, owner }
    const now = this.#options.clock.now()
    if (until !== undefined && until > now + maxOwnMs) return invalid('"until": a rule of your own lasts for 90 days.')
    return { ...rule, until: until ?? now + usualOwnMs, owner }
  }

  /** Why a rule cannot be used on this desk. */
  #refusal({ match }: Rule): string | undefined {
    return match.group !== undefined && this.#options.groupsOf === undefined
      ? '"match.group": nobody says who is in a group. Give the desk a directory.'
      : undefined
  }

  /** Which tool that was called here, and can destroy something, a rule would allow without saying so. */
  #silence(rule: Rule): string | undefined {
    const silent = this.#destructive.allowedSilently(rule)
    return silent && whyRefused(silent)
  }

  /** Says of a rule that is in force what it would have allowed, in the log and in the audit. The call goes on as if it were not there. */
  #refuse(rule: Rule, { server, tool = '' }: RuledCall): void {
    const { clock, record, onError } = this.#options
    const known = JSON.stringify([rule, server, tool])
    if (this.#refused.has(known) || this.#refused.size >= maxRefused) return
    this.#refused.add(known)
    const reason = whyRefused({ server, tool })
    onError(new Error(`The rule "${rule.id}" was refused. ${reason}`))
    record({ event: 'rule-refused', at: clock.now(), rule: rule.id, server, tool, reason }).catch(onError)
  }

  #read(given: Rule): Rule {
    const rule = this.draft(given)
    if ('code' in rule) throw new TypeError(`The rule "${given.id}" cannot be used. ${describeRefusal(rule)}`)
    return rule
  }

  #record(event: RuleChange['event'], rule: Rule, by: Actor | undefined): Promise<void> {
    const { id, effect, match } = rule
    const reason = `${effect} ${match.tool ?? '*'} of ${match.server ?? '*'}`
    return this.#options.record({ event, at: this.#options.clock.now(), rule: id, reason, ...(by && { by }) })
  }
}

const notKnown: Refusal = { code: 'person-unknown' }

function invalid(detail: string): Refusal {
  return { code: 'rule-invalid', params: { detail } }
}

/** Names of people's own rules say nothing of them: they are in outcomes and receipts. */
function newId(owner: string | undefined): string {
  return `${owner === undefined ? 'rule' : 'own'}-${randomUUID()}`
}

function tooMuch({ id, owner }: Rule, rules: readonly Rule[]): Refusal | undefined {
  if (rules.some(rule => rule.id === id)) return { code: 'rule-exists', params: { id } }
  const own = rules.filter(rule => rule.owner !== undefined)
  if (owner === undefined) return rules.length - own.length >= maxGeneral ? full('desk', maxGeneral) : undefined
  if (own.filter(rule => rule.owner === owner).length >= maxOwn) return full('person', maxOwn)
  return own.length >= maxOwnInAll ? full('people', maxOwnInAll) : undefined
}

function full(of: 'desk' | 'person' | 'people', max: number): Refusal {
  return { code: 'too-many-rules', params: { of, max } }
}
