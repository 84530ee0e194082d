// `npm start`: the first example, in this very process, so that the terminal and its signals are the example's own.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

if ((await ensureInstalled()) && (await ensureBuilt())) {
  await import(new URL('../examples/first-ask/dist/main.js', import.meta.url).href)
} else {
  process.exitCode = 1
}
