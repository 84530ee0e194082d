import { ABOUT, ASIDE, ASKS, CREDENTIALS, ENDS, GOES_ON, NEGATES, type SensitiveKind } from './credential-words.js'
import { toWords } from './words.js'

/** A credential that a name or a text asks for. */
export interface Credential {
  kind: SensitiveKind
  /** The words that matched, in lower case: `api key`. */
  match: string
}

/** Most fields ask for none, and one look at all the words tells. */
const ANY = new RegExp(CREDENTIALS.map(([, { source }]) => source).join('|'))

/** Finds what a field's name, or another short label, asks for. */
export function findInLabel(label: string): Credential | undefined {
  return find(toWords(label), true)
}

/** Finds what a title asks for: a few words are a label, more are a text. */
export function findInTitle(title: string): Credential | undefined {
  const words = toWords(title)
  return words.split(' ').length < 5 ? find(words, true) : findInText(title)
}

/** Finds what a text asks for, clause by clause: one that only mentions a credential does not count. */
export function findInText(text: string): Credential | undefined {
  for (const clause of text.split(/[.,;:!?()\n。、，！？]+/)) {
    const found = find(toWords(clause), false)
    if (found) return found
  }
  return undefined
}

function find(words: string, isLabel: boolean): Credential | undefined {
  if (!ANY.test(words) || NEGATES.test(words)) return undefined
  for (const [kind, pattern, isEveryday] of CREDENTIALS) {
    for (const { 0: match, index } of words.matchAll(pattern)) {
      // A few words on each side say enough, and keep a long text from costing its square.
      const before = words.slice(Math.max(0, index - 100), index)
      const after = words.slice(index + match.length, index + 100)
      if (isMeant(before, after, isLabel, isEveryday)) return { kind, match }
    }
  }
  return undefined
}

/** Whether a word is the very thing that is asked for, by what stands before and after it. */
function isMeant(before: string, after: string, isLabel: boolean, isEveryday: boolean | undefined): boolean {
  const lead = before.replace(ASKS, '')
  if (/^[a-z]/.test(after) || ASIDE.test(lead)) return false
  if (!isEveryday) return !ABOUT.test(after) && (isLabel || lead.trim().split(' ').length < 4)
  const isAsked = lead !== before
  return isLabel ? ENDS.test(after) : isAsked && (ENDS.test(after) || GOES_ON.test(after))
}
