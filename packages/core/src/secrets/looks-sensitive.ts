// Threat: the answer to a form passes through the client and the model's host in plain sight, so the protocol forbids
// forms for passwords, keys, tokens and payment data; those go by URL to a page of the server's own. This finds the
// fields that ask for one by their words, so that an author is told before anything is sent.
//
// Deliberately not defended: an author who wants to get around it (`p4ssw0rd`), languages beyond the common ones, and
// what a person types unasked. Personal data (a passport or social security number) is not a credential. In doubt about
// a real credential the answer is yes: an author who knows better names the field in `allow`.

import { POSTAL, type SensitiveKind } from './credential-words.js'
import { findInLabel, findInText, findInTitle } from './find-credential.js'
import { toWords } from './words.js'

/** What is read of a field, where it is a string or a list of choices; any field of a form fits. */
export interface FieldWords {
  type?: unknown
  title?: unknown
  description?: unknown
  format?: unknown
  enum?: unknown
  oneOf?: unknown
  anyOf?: unknown
}

/** Which credential a field seems to ask for, and what gave it away. */
export interface SensitiveMatch {
  kind: SensitiveKind
  where: 'name' | 'format' | 'title' | 'description'
  /** The words that matched, in lower case: `api key`. */
  match: string
}

/**
 * Says whether a field asks for a password, key, token, one-time code or payment data, by its name, format, title or
 * description. A yes or no, and a choice among given options, never do.
 *
 * @example
 * looksSensitive('openaiApiKey') // { kind: 'key', where: 'name', match: 'api key' }
 * looksSensitive('maxTokens') // undefined
 */
export function looksSensitive(name: string, field: FieldWords = {}): SensitiveMatch | undefined {
  const { type, format, title, description } = field
  if (type === 'boolean' || type === 'array' || field.enum || field.oneOf || field.anyOf) return undefined

  for (const [where, text, find] of [
    ['name', name, findInLabel],
    ['format', format, findInLabel],
    ['title', title, findInTitle],
    ['description', description, findInText],
  ] as const) {
    const found = typeof text === 'string' && find(text)
    if (found && !(found.kind === 'pin' && isPostal(name, title, description))) return { ...found, where }
  }
  return undefined
}

function isPostal(...texts: unknown[]): boolean {
  return texts.some(text => typeof text === 'string' && POSTAL.test(toWords(text)))
}
