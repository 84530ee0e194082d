// Ends servers whose owner is gone. A process that starts servers may be killed in a way that leaves it no time for
// anything, so a second process, `reaper-process.mjs`, holds the end of a pipe: when the pipe closes, its owner is dead, and
// whatever is still on the list is ended and its folder removed.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** @typedef {{ pid?: number | undefined, folder?: string | undefined }} Reaped */

/** @type {import('node:stream').Writable | undefined} */
let pipe

/**
 * Leaves these to the reaper, under a name; with nothing of a kind, takes the name off the list.
 * @param {string} name
 * @param {Reaped} reaped
 */
export function reap(name, reaped) {
  pipe ??= startReaper()
  pipe.write(`${JSON.stringify({ name, ...reaped })}\n`)
}

function startReaper() {
  const program = fileURLToPath(new URL('reaper-process.mjs', import.meta.url))
  // In a group of its own: what a terminal sends to ours must not end it before its work is done.
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  child.unref()
  // A pipe to a child is a socket; it must not keep this process alive.
  const stdin = /** @type {import('node:net').Socket} */ (/** @type {unknown} */ (child.stdin))
  stdin.unref()
  stdin.on('error', () => {})
  return stdin
}
