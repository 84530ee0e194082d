// `npm start`: the inbox and an example server, in this very process, so that the terminal and its signals are its own.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

if ((await ensureInstalled()) && (await ensureBuilt())) {
  const { run } = await import(new URL('../packages/cli/dist/index.js', import.meta.url).href)
  process.exitCode = await run(['demo', ...process.argv.slice(2)])
} else {
  process.exitCode = 1
}
