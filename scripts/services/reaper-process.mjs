// See reaper.mjs. Each line says what is under a name from now on.

import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

const graceMs = 5_000

/** @type {Map<string, import('./reaper.mjs').Reaped>} */
const list = new Map()

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => {})

for await (const line of createInterface({ input: process.stdin })) {
  const { name, ...reaped } = JSON.parse(line)
  list.set(name, reaped)
}

// Postgres and Redis both take this for an order to end now, in good order.
const pids = [...list.values()]
  .flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  .filter(pid => send(pid, 'SIGINT'))
for (let waited = 0; waited < graceMs && pids.some(pid => send(pid, 0)); waited += 50) await setTimeout(50)
for (const pid of pids) send(pid, 'SIGKILL')
for (const { folder } of list.values()) if (folder) rmSync(folder, { recursive: true, force: true })

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal
 */
function send(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
