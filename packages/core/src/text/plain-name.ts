import { visible } from './visible.js'

// Threat: a server that calls itself "beckon-gateway > 1Password", so that a person takes one name for a chain of several, the
// last of which they trust. Anyone who shows several names puts one of these between them, so no name has any, nor what looks like one.
const separators =
  /[<>|\u00ab\u00b7\u00bb\u2022\u2039\u203a\u2190-\u21ff\u2223\u226a\u226b\u22d8\u22d9\u2329\u232a\u23f5\u25b6-\u25bb\u276c-\u2771\u2794-\u27be\u27e8-\u27eb\u27f0-\u27ff\u2900-\u297f\u29fc\u29fd\u2b00-\u2bff\u3008-\u300b\ufe64\ufe65\uff1c\uff1e\uff5c]+/g
const maxChars = 80

/** What something calls itself, as one name: on one line, not too long, with nothing in it that stands between names. */
export function plainName(name: string): string {
  const line = visible(name).replace(separators, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > maxChars ? `${characters.slice(0, maxChars - 1).join('')}…` : line
}
