/** How a rule fared. */
type Verdict = 'pass' | 'fail' | 'not tested'

/** One rule, and how the server fares with it. */
export interface Check {
  readonly id: string
  /** A broken MUST fails the examination; a SHOULD is advice. */
  readonly level: 'MUST' | 'SHOULD'
  readonly rule: string
  readonly verdict: Verdict
  /** What was seen. */
  readonly seen?: string
  /** What to do about a failure. */
  readonly remedy?: string
}

export interface Rule {
  readonly id: string
  readonly level: Check['level']
  readonly rule: string
  readonly remedy: string
}

/** A check from everything that was found to break its rule; nothing to look at leaves it not tested. */
export function judge(rule: Rule, looked: boolean, broken: readonly string[]): Check {
  const { remedy, ...about } = rule
  if (broken.length > 0) return { ...about, verdict: 'fail', seen: [...new Set(broken)].join('; '), remedy }
  return { ...about, verdict: looked ? 'pass' : 'not tested' }
}
