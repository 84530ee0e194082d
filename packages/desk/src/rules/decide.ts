import { matches, specificity } from './matches.js'
import type { Rule, RuledCall } from './rule.js'

const strictest = { deny: 2, ask: 1, allow: 0 } as const

/**
 * Which rule decides about a call; undefined when none does, and it is as if there were no rules.
 * Of an admin's rules the most specific decides, and of those that say as much the strictest. What a person allowed or denied
 * for their own calls counts where no admin's rule asks or denies.
 */
export function ruleFor(rules: readonly Rule[], call: RuledCall, now: number): Rule | undefined {
  const applying = rules.filter(rule => applies(rule, call, now))
  const general = strongest(applying.filter(({ owner }) => owner === undefined))
  if (general?.effect === 'ask' || general?.effect === 'deny') return general
  return strongest(applying.filter(({ owner }) => owner !== undefined)) ?? general
}

/** Whether a rule is about a call, now. */
export function applies(rule: Rule, call: RuledCall, now: number): boolean {
  const { effect, match, from = 0, until = Number.POSITIVE_INFINITY, owner } = rule
  if (now < from || now >= until) return false
  if (owner !== undefined && owner !== call.principal) return false
  // Whoever allows what can destroy something has said so.
  if (effect === 'allow' && call.destructive === true && match.destructive !== true) return false
  return matches(match, call)
}

function strongest(rules: readonly Rule[]): Rule | undefined {
  const weight = ({ match, effect }: Rule) => specificity(match) * 3 + strictest[effect]
  return rules.reduce<Rule | undefined>((best, rule) => (best && weight(best) >= weight(rule) ? best : rule), undefined)
}
