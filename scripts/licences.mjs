// Which licences what we publish may depend on, read off an SBOM.

/**
 * @typedef {object} Component of CycloneDX, as npm writes it
 * @property {string} name
 * @property {string} version
 * @property {{ license?: { id?: string, name?: string }, expression?: string }[]} [licenses]
 * @property {{ alg: string, content: string }[]} [hashes] of what came from a registry
 */

/**
 * Those that ask for no more than their notice; and one, by name, whose terms hold for its own files alone.
 * @type {ReadonlySet<string>}
 */
const allowed = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0'])
const exceptions = new Map([['web-push', 'MPL-2.0']])

/** What an SBOM has that came from a registry, and is not ours. @param {readonly Component[]} components */
export function dependenciesIn(components) {
  return components.filter(({ hashes = [] }) => hashes.length > 0)
}

/**
 * @param {readonly Component[]} components
 * @returns {string[]} what is under a licence that is not allowed, or under none
 */
export function licenceProblems(components) {
  return components.flatMap(({ name, version, licenses = [] }) => {
    const found = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '')
    const isAllowed =
      found.length > 0 && found.every(licence => allowed.has(licence) || exceptions.get(name) === licence)
    return isAllowed ? [] : [`${name} ${version}: ${found.join(', ') || 'no licence'}`]
  })
}
