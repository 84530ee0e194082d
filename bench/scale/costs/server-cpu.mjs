import { readdirSync, readFileSync } from 'node:fs'

/** Of the kernel, which counts CPU time in these. */
const ticksPerSecond = 100

/**
 * The CPU time that a server and the processes that it started have used so far, in milliseconds. Linux only, else NaN.
 * @param {number | undefined} pid
 */
export function serverCpuMs(pid) {
  if (process.platform !== 'linux') return Number.NaN
  if (pid === undefined) return 0
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = statOf(name)
    // Those that have ended are counted with the one that started them.
    if (stat?.pid === pid) ticks += stat.own + stat.ended
    else if (stat?.parent === pid) ticks += stat.own
  }
  return (ticks * 1000) / ticksPerSecond
}

/** @param {string} pid */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in brackets, and may have spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(at => fields[at])
    return { pid: Number(pid), parent, own: user + system, ended: endedUser + endedSystem }
  } catch {
    return undefined // It has ended meanwhile.
  }
}
