// `npm run verify`: everything that has to hold before a change is merged; stops at the first step that fails.
// `npm run verify -- --skip tests` leaves steps out, by name.

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './install.mjs'
import { capture, root } from './run.mjs'

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} commands
 * @property {() => Promise<void>} [before]
 * @property {(output: string) => string} [note] a remark on what the commands printed
 */

const { values } = parseArgs({ options: { skip: { type: 'string', multiple: true, default: [] } } })

if (!(await ensureInstalled())) process.exit(1)

const published = await publishedPackages()

/** @type {Step[]} */
const steps = [
  { name: 'format', commands: ['biome format .'] },
  { name: 'lint', commands: ['biome check --formatter-enabled=false --error-on-warnings .'] },
  { name: 'types', commands: ['tsc -p tsconfig.test.json --pretty'] },
  // From nothing, so that no file of a deleted source is packed.
  { name: 'build', before: removeBuilds, commands: ['node scripts/build.mjs'] },
  { name: 'api', commands: ['node scripts/api-report.mjs --check'], note: lastLine },
  { name: 'tests', commands: ['npm test --silent'], note: lastLine },
  { name: 'publint', commands: published.map(path => `publint run ${path} --strict`) },
  { name: 'attw', commands: published.map(path => `attw --pack ${path} --profile esm-only`) },
  { name: 'packed', commands: ['node scripts/packed/packed.mjs'], note: lastLine },
  { name: 'knip', commands: ['knip'] },
  { name: 'supply', commands: ['node scripts/supply-chain.mjs'], note: lastLine },
  { name: 'size', commands: ['size-limit'], note: sizes },
]

const began = performance.now()
for (const step of steps.filter(({ name }) => !values.skip.includes(name))) await take(step)
console.log(`all of it    ${seconds(began)}`)

/** @param {Step} step */
async function take({ name, before, commands, note }) {
  const began = performance.now()
  await before?.()
  let printed = ''
  for (const [program = '', ...args] of commands.map(command => command.split(' '))) {
    const { code, output } = await capture(program, args)
    if (code !== 0) {
      console.error(output)
      console.error(`✗ ${name.padEnd(10)} ${seconds(began)}`)
      process.exit(1)
    }
    printed += output
  }
  console.log(`✓ ${name.padEnd(10)} ${seconds(began)}  ${note?.(printed) ?? ''}`.trimEnd())
}

async function publishedPackages() {
  const paths = (await readdir(join(root, 'packages'))).map(name => `packages/${name}`)
  const manifests = await Promise.all(paths.map(path => readFile(join(root, path, 'package.json'), 'utf8')))
  return paths.filter((_, index) => !JSON.parse(manifests[index] ?? '').private)
}

async function removeBuilds() {
  const folders = ['conformance']
  for (const folder of ['packages', 'examples'])
    folders.push(...(await readdir(join(root, folder))).map(name => join(folder, name)))
  await Promise.all(folders.map(folder => rm(join(root, folder, 'dist'), { recursive: true, force: true })))
}

/** @param {number} began */
function seconds(began) {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`.padStart(7)
}

/** @param {string} output */
function lastLine(output) {
  return output.trimEnd().split('\n').at(-1) ?? ''
}

/** @param {string} output */
function sizes(output) {
  return [...output.matchAll(/Size:\s+(.+)/g)].map(match => match[1]).join(', ')
}
