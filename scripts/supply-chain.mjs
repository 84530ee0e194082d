// What our packages bring along when somebody installs them: an SBOM in `.cache/sbom.json`, their licences, and whether any of it has
// a known vulnerability. A registry that does not say is told of, and is no failure.

import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dependenciesIn, licenceProblems } from './licences.mjs'
import { capture, root } from './run.mjs'

const workspaces = (await readdir(join(root, 'packages'))).flatMap(name => ['--workspace', `packages/${name}`])
const sbom = await json(['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', ...workspaces])
const dependencies = dependenciesIn(sbom?.components ?? [])
if (dependencies.length === 0) fail('The SBOM has nothing in it.')
const file = join(root, '.cache/sbom.json')
await mkdir(join(root, '.cache'), { recursive: true })
await writeFile(file, JSON.stringify(sbom, null, 2))
const problems = licenceProblems(dependencies)
if (problems.length > 0) fail(`Licences that are not on the list in scripts/licences.mjs:\n${problems.join('\n')}`)
const audit = await json(['audit', '--omit', 'dev', ...workspaces])
const vulnerable = Object.values(audit?.vulnerabilities ?? {})
if (vulnerable.length > 0)
  fail(vulnerable.map(({ name, severity, range }) => `${name} ${range}: ${severity}`).join('\n'))
const known =
  audit?.vulnerabilities === undefined
    ? 'the registry does not say whether any is vulnerable'
    : 'none is known to be vulnerable'
console.log(`${dependencies.length} packages in .cache/sbom.json, licences as they should be, ${known}`)

/**
 * What npm prints as JSON, if it does: warnings stand before it.
 * @param {string[]} args
 * @returns {Promise<any>}
 */
async function json(args) {
  const { output } = await capture('npm', [...args, '--json', '--loglevel', 'silent'])
  try {
    return JSON.parse(output.slice(output.indexOf('{')))
  } catch {
    return undefined
  }
}

/** @param {string} reason @returns {never} */
function fail(reason) {
  console.error(reason)
  process.exit(1)
}
