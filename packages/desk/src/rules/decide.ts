import { matches, specificity } from './matches.js'
import type { Rule, RuledCall } from './rule.js'

const strictest = { deny: 2, ask: 1, allow: 0 } as const

/** What rules say of a call: one that is for the whole desk decides, or else what people have said for themselves. */
export type Ruling = { readonly general: Rule } | { readonly own: readonly Rule[] }

/**
 * What decides about a call; undefined when nothing does, and it is as if there were no rules.
 * Of the rules for the whole desk the most specific decides, and of those that say as much the strictest. Where that asks or
 * denies, nobody's own rule counts. Else those of the people who would be asked do, each person's strongest: one that denies
 * beats all, also an allow for the whole desk.
 */
export function rulingOn(applying: readonly Rule[]): Ruling | undefined {
  const general = strongest(applying.filter(({ owner }) => owner === undefined))
  if (general !== undefined && general.effect !== 'allow') return { general }
  const owners = new Set(applying.flatMap(({ owner }) => owner ?? []))
  const own = [...owners].flatMap(who => strongest(applying.filter(({ owner }) => owner === who)) ?? [])
  const denied = own.filter(({ effect }) => effect === 'deny')
  if (denied.length > 0) return { own: denied.slice(0, 1) }
  if (general !== undefined) return { general }
  const allowed = own.filter(({ effect }) => effect === 'allow')
  return allowed.length > 0 ? { own: allowed } : undefined
}

/** Whether a rule is about a call, now; one that would allow what can destroy something, and does not say so, is refused. */
export function appliesTo(rule: Rule, call: RuledCall, now: number): boolean | 'refused' {
  const { match, from = 0, until = Number.POSITIVE_INFINITY } = rule
  if (now < from || now >= until || !matches(match, call)) return false
  return allowsSilently(rule, call) ? 'refused' : true
}

/** A rule that allows what can destroy something has said so. */
export function allowsSilently({ effect, match }: Rule, { destructive }: RuledCall): boolean {
  return effect === 'allow' && destructive === true && match.destructive !== true
}

function strongest(rules: readonly Rule[]): Rule | undefined {
  const weight = ({ match, effect }: Rule) => specificity(match) * 3 + strictest[effect]
  return rules.reduce<Rule | undefined>((best, rule) => (best && weight(best) >= weight(rule) ? best : rule), undefined)
}
