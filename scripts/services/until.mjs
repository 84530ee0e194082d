import { setTimeout } from 'node:timers/promises'

const pollMs = 50
/** For a machine that has other things to do. */
const maxMs = 180_000

/**
 * Resolves once something is so; a server that does not answer says that it is not.
 * @param {string} what for whoever reads that it never was
 * @param {() => Promise<boolean>} isSo
 */
export async function until(what, isSo) {
  const last = performance.now() + maxMs
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > last) throw new Error(`It took longer than ${maxMs} ms until ${what}.`)
    await setTimeout(pollMs)
  }
}
