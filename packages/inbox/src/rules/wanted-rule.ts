// "Always allow this": the rule that someone wants of the call in front of them. It is their own, and says as much as it can:
// this server, this tool and, unless they want more, exactly these arguments.
import type { AskEntry } from '@beckon/core/asks'

/** Which of the calls of this tool it is about. */
type RuleScope = 'these-arguments' | 'any-arguments'

/** For how many days it holds; the desk takes 90 at most. */
export const ruleDays = [1, 7, 30, 90] as const
type RuleDays = (typeof ruleDays)[number]

export interface RuleChoice {
  readonly scope: RuleScope
  readonly days: RuleDays
}

/** A rule as the desk takes it, for the person who makes it. */
export interface WantedRule {
  readonly effect: 'allow'
  readonly own: true
  readonly match: {
    readonly server: string
    readonly tool: string
    readonly exactArguments?: unknown
    readonly destructive?: true
  }
  readonly until: string
}

const dayMs = 24 * 60 * 60 * 1000

export function wantedRule({ server, request }: AskEntry, { scope, days }: RuleChoice, now: number): WantedRule {
  const { 'beckon/tool': tool, 'beckon/arguments': given, 'beckon/destructive': destructive } = request._meta ?? {}
  return {
    effect: 'allow',
    own: true,
    match: {
      server,
      tool: String(tool),
      ...(scope === 'these-arguments' && { exactArguments: given ?? {} }),
      ...(destructive === true && { destructive: true }),
    },
    until: new Date(now + days * dayMs).toISOString(),
  }
}
