// Without types an option is easily misspelt, and one that nobody reads is a mistake that nobody sees.

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
  const meant = Object.hasOwn(words, name) ? words[name] : nearest(name, names)
  return new TypeError(`${taker} "${name}" that nobody reads. Write ${meant ?? `one of ${names.join(', ')}`}.`)
}

/** The name that was probably meant: no more than a third of it is other letters. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  const best = names
    .map(known => ({ known, distance: distanceOf(wanted, known.toLowerCase()) }))
    .reduce((least, one) => (one.distance < least.distance ? one : least))
  return best.distance <= Math.max(1, Math.floor(Math.max(name.length, best.known.length) / 3)) ? best.known : undefined
}

/** How many letters have to be put in, taken out or replaced to make one text of the other; two that changed places count as one. */
function distanceOf(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}
