// `npm run bench -- <name> [options]`: builds, then runs every .mjs file of bench/<name>/, each in a process of its own so
// that none warms up or slows down another. What those import is in folders below. Options are theirs. Ends non-zero when
// one of them does, which is when it misses its goal.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { asDeployed } from '../bench/as-deployed.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root, show } from './run.mjs'

const [name = '', ...options] = process.argv.slice(2)
const benchmarks = await findBenchmarks()
const files = benchmarks.get(name)

if (files === undefined) {
  console.error(`Say which benchmark: npm run bench -- ${[...benchmarks.keys()].join(' | ')}`)
  process.exitCode = 1
} else if ((await ensureInstalled()) && (await ensureBuilt())) {
  for (const file of files) if (await show('node', [...asDeployed, file, ...options])) process.exitCode = 1
} else {
  process.exitCode = 1
}

/** @returns {Promise<Map<string, string[]>>} the files of each folder that has some to run */
async function findBenchmarks() {
  const found = new Map()
  for (const entry of await readdir(join(root, 'bench'), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const own = (await readdir(join(root, 'bench', entry.name))).filter(file => file.endsWith('.mjs')).sort()
    if (own.length > 0)
      found.set(
        entry.name,
        own.map(file => join('bench', entry.name, file)),
      )
  }
  return found
}
