// A name that nobody reads is a mistake that nobody sees: one letter off, and an ask is for everybody.
import { nearestName } from '@beckon/core'

/** Which name of what was given is not known, and what to write instead; undefined where all are. */
export function unknownName(given: object, known: readonly string[]): string | undefined {
  const name = Object.keys(given).find(key => !known.includes(key))
  if (name === undefined) return undefined
  const meant = nearestName(name, known)
  return `"${name.slice(0, maxChars)}" is not known here. Write ${meant ?? `one of ${known.join(', ')}`}.`
}

/** Of a name that somebody sent, as much is said again. */
const maxChars = 100
