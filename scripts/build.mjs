// `npm run build`, and what the other scripts build with.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensurePage } from './page.mjs'
import { capture, root } from './run.mjs'

/**
 * Compiles what changed since the last build, and builds the page of the inbox.
 * @returns {Promise<boolean>} whether it compiles; when not, the compiler's words have been printed
 */
export async function ensureBuilt() {
  if (!existsSync(join(root, 'packages/core/dist'))) console.log('Building, which takes a minute the first time ...')
  const { code, output } = await capture('tsc', ['-b', '--pretty'])
  if (code !== 0) console.error(output)
  return code === 0 && ensurePage()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = (await ensureBuilt()) ? 0 : 1
