import type { Entry } from '../call/journal.js'

/** What a replay did not come back to, in words for the author. */
export function describeMiss(target: string, unreached: Entry[]): string {
  const [first] = unreached
  const what =
    first?.kind === 'step'
      ? `the step "${first.name}"`
      : first?.key === undefined
        ? `ask ${(first?.position ?? 0) + 1}`
        : `the ask "${first.key}"`
  return `"${target}" was run again several times and did not come back to ${what}, which was answered before`
}
