// Without types an option is easily misspelt, and one that nobody reads is a mistake that nobody sees.
import { nearestName } from '@beckon/core'

/**
 * Refuses an option that nobody reads.
 * @param known what there is, by name
 * @param taker what takes the options, and `has` what: `The tool "t" has an option`
 * @param words what others call what has another name here
 * @throws TypeError with what to write instead
 */
export function checkKnown(
  given: object,
  known: object,
  taker: string,
  words?: Readonly<Record<string, string>>,
): void {
  for (const name in given) if (!Object.hasOwn(known, name)) throw unknownOption(name, known, taker, words)
}

/** What is wrong with an option that is not known, and what to write instead. */
export function unknownOption(
  name: string,
  known: object,
  taker: string,
  words: Readonly<Record<string, string>> = {},
): TypeError {
  const names = Object.keys(known)
  const meant = Object.hasOwn(words, name) ? words[name] : nearestName(name, names)
  return new TypeError(`${taker} "${name}" that nobody reads. Write ${meant ?? `one of ${names.join(', ')}`}.`)
}
