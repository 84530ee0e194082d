// Threat: a caller who is nobody and is taken for somebody. What says so is an author's function, and plain JavaScript has
// more words for nobody than its type: a header that is not there is `null`, and a cookie that is empty is ''. Everybody
// without one would be the same person, with one session, and could go on with the others' calls.

/** Says whom something is for; undefined for nobody. */
export type Identify<From> = (from: From) => Promise<string | undefined> | string | undefined

/** The same, and whatever is not somebody is nobody. @throws TypeError for any other value */
export function normalizePrincipal<From>(identify: Identify<From>): (from: From) => Promise<string | undefined> {
  return async function normalizePrincipal(from) {
    const principal: unknown = await identify(from)
    if (principal === undefined || principal === null || principal === '') return undefined
    if (typeof principal === 'string') return principal
    throw new TypeError(`\`identify\` must return a string or undefined; got ${typeof principal}.`)
  }
}
