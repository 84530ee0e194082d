// `npm run bench -- <name>`: builds, then runs every file of bench/<name>/, each in a process of its own so that none
// warms up or slows down another. Ends non-zero when one of them does, which is when it misses its goal.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root, show } from './run.mjs'

const entries = await readdir(join(root, 'bench'), { withFileTypes: true })
const names = entries.filter(entry => entry.isDirectory()).map(entry => entry.name)
const name = process.argv[2] ?? ''

if (!names.includes(name)) {
  console.error(`Say which benchmark: npm run bench -- ${names.join(' | ')}`)
  process.exitCode = 1
} else if ((await ensureInstalled()) && (await ensureBuilt())) {
  const files = (await readdir(join(root, 'bench', name))).filter(file => file.endsWith('.mjs')).sort()
  for (const file of files) if (await show('node', [join('bench', name, file)])) process.exitCode = 1
} else {
  process.exitCode = 1
}
