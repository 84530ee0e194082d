// `PORT=3000 npm run conformance:server`: the server that the suite is run against, in this very process, at /mcp.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

if ((await ensureInstalled()) && (await ensureBuilt())) {
  await import(new URL('../conformance/dist/server.js', import.meta.url).href)
} else {
  process.exitCode = 1
}
