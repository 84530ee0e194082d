import {
  ABOUT,
  ASIDE,
  ASKS,
  CREDENTIALS,
  ENDS,
  EVERYDAY,
  GOES_ON,
  NEGATES,
  type SensitiveKind,
} from './credential-words.js'
import { toWords } from './words.js'

/** A credential that a name or a text asks for. */
export interface Credential {
  kind: SensitiveKind
  /** The words that matched, in lower case: `api key`. */
  match: string
}

/** Finds what a field's name, or a label of a few words, asks for. */
export function findInLabel(label: string): Credential | undefined {
  const words = toWords(label)
  return (
    find(CREDENTIALS, words, (_lead, after) => !ABOUT.test(after)) ??
    find(EVERYDAY, words, (_lead, after) => ENDS.test(after))
  )
}

/** Finds what a text asks for, clause by clause: one that only mentions a credential does not count. */
export function findInText(text: string): Credential | undefined {
  for (const clause of text.split(/[.,;:!?()\n。、，！？]+/)) {
    const words = toWords(clause)
    const found =
      find(CREDENTIALS, words, (lead, after) => !ABOUT.test(after) && lead.trim().split(' ').length < 4) ??
      find(EVERYDAY, words, (_lead, after, isAsked) => isAsked && (ENDS.test(after) || GOES_ON.test(after)))
    if (found) return found
  }
  return undefined
}

function find(
  credentials: typeof CREDENTIALS,
  words: string,
  counts: (lead: string, after: string, isAsked: boolean) => boolean,
): Credential | undefined {
  if (NEGATES.test(words)) return undefined
  for (const [kind, pattern] of credentials) {
    for (const { 0: match, index } of words.matchAll(pattern)) {
      // A few words on each side say enough, and keep a long text from costing its square.
      const before = words.slice(Math.max(0, index - 100), index)
      const after = words.slice(index + match.length, index + 100)
      const lead = before.replace(ASKS, '')
      const isWhole = !/^[a-z]/.test(after)
      if (isWhole && !ASIDE.test(lead) && counts(lead, after, lead !== before)) return { kind, match }
    }
  }
  return undefined
}
