import { isDeepStrictEqual } from 'node:util'
import { isLike } from './like.js'
import type { Condition, RuledCall, RuleMatch } from './rule.js'

/** Whether a call is one that a rule is about. */
export function matches(match: RuleMatch, call: RuledCall): boolean {
  const { server, tool, destructive, readOnly, principal, group, exactArguments } = match
  if (server !== undefined && !isLike(call.server, server)) return false
  if (tool !== undefined && !(call.tool !== undefined && isLike(call.tool, tool))) return false
  if (destructive !== undefined && destructive !== (call.destructive === true)) return false
  if (readOnly !== undefined && readOnly !== (call.readOnly === true)) return false
  if (principal !== undefined && principal !== call.principal) return false
  if (group !== undefined && !call.groups?.includes(group)) return false
  const { input = {} } = call
  if (exactArguments !== undefined && !isDeepStrictEqual(exactArguments, input)) return false
  return Object.entries(match.arguments ?? {}).every(([name, condition]) => meets(valueAt(call.input, name), condition))
}

/** How much a rule says: the one that says most about a call decides. */
export function specificity(match: RuleMatch): number {
  const { server, tool, destructive, readOnly, principal, group, exactArguments } = match
  const said = [destructive, readOnly, group].filter(value => value !== undefined).length
  const whole = exactArguments === undefined ? 0 : 1_000
  const inside = Object.values(match.arguments ?? {}).reduce<number>((sum, one) => sum + weightOf(one), 0)
  return said + nameWeight(server) + nameWeight(tool) + (principal === undefined ? 0 : 2) + whole + inside
}

function nameWeight(name: string | undefined): number {
  if (name === undefined || /^\*+$/.test(name)) return 0
  return name.includes('*') ? 1 : 2
}

function weightOf(condition: Condition): number {
  return typeof condition === 'object' && condition !== null ? 1 : 2
}

function meets(value: unknown, condition: Condition): boolean {
  if (typeof condition !== 'object' || condition === null) return value === condition
  if ('oneOf' in condition) return condition.oneOf.some(one => one === value)
  if ('prefix' in condition) return typeof value === 'string' && value.startsWith(condition.prefix)
  if ('like' in condition) return typeof value === 'string' && isLike(value, condition.like)
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = condition
  return typeof value === 'number' && value >= min && value <= max
}

/** What an argument is, by its name or by a JSON Pointer (RFC 6901). */
function valueAt(input: unknown, name: string): unknown {
  const steps = name.startsWith('/') ? name.slice(1).split('/').map(unescaped) : [name]
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string, unknown>)[step]
        : undefined,
    input,
  )
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
