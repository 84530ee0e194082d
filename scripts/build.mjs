import { capture } from './run.mjs'

/**
 * Compiles what changed since the last build.
 * @returns {Promise<boolean>} whether it compiles; when not, the compiler's words have been printed
 */
export async function ensureBuilt() {
  const { code, output } = await capture('tsc', ['-b', '--pretty'])
  if (code !== 0) console.error(output)
  return code === 0
}
