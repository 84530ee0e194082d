import { setImmediate } from 'node:timers/promises'

/** @type {Record<string, () => Promise<unknown>>} */
const commands = {
  async usage() {
    return { cpu: process.cpuUsage() }
  },
  async heap() {
    // Once is not enough: what a finalizer lets go of is there until the next time.
    for (let time = 0; time < 4; time++) {
      globalThis.gc?.()
      await setImmediate()
    }
    const { heapUsed, external } = process.memoryUsage()
    return { bytes: heapUsed + external }
  },
}

/** Answers what the process is asked that measures this one, and ends with it. */
export function answerCommands() {
  process.on('message', async command => {
    const said = await commands[String(command)]?.()
    if (said) process.send?.(said)
  })
  process.on('disconnect', () => process.exit())
}
