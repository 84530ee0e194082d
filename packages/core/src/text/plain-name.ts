import { visible } from './visible.js'

// Threat: a server that calls itself "beckon-gateway > 1Password", so that a person takes one name for a chain of several, the
// last of which they trust. Whoever shows several names puts one of these between them, so no name has any.
const separators = /[<>\u00ab\u00bb\u2039\u203a\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f\u00b7\u2022|]+/g
const maxChars = 80

/** What something calls itself, as one name: on one line, not too long, with nothing in it that stands between names. */
export function plainName(name: string): string {
  const line = visible(name).replace(separators, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > maxChars ? `${characters.slice(0, maxChars - 1).join('')}…` : line
}
