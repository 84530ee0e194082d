// A name that nobody reads is a mistake that nobody sees: one letter off, and an ask is for everybody.

/** Which name of what was given is not known, and what to write instead; undefined where all are. */
export function unknownName(given: object, known: readonly string[]): string | undefined {
  const name = Object.keys(given).find(key => !known.includes(key))
  if (name === undefined) return undefined
  const meant = nearest(name, known)
  return `"${name.slice(0, maxChars)}" is not known here. Write ${meant ?? `one of ${known.join(', ')}`}.`
}

/** Of a name that somebody sent, as much is said again. */
const maxChars = 100

/** The name that was probably meant: no more than a third of it is other letters. */
function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length > maxChars) return undefined
  const wanted = name.toLowerCase()
  const [best] = names
    .map(known => ({ known, distance: distanceOf(wanted, known.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
  if (best === undefined) return undefined
  return best.distance <= Math.max(1, Math.floor(Math.max(name.length, best.known.length) / 3)) ? best.known : undefined
}

/** How many letters have to be put in, taken out or replaced to make one text of the other. */
function distanceOf(one: string, other: string): number {
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [row, letter] of [...one].entries()) {
    const next = [row + 1]
    for (const [column, wanted] of [...other].entries())
      next.push(
        Math.min(
          (last[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
          (last[column] ?? 0) + (letter === wanted ? 0 : 1),
        ),
      )
    last = next
  }
  return last.at(-1) ?? 0
}
