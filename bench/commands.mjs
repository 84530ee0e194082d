import { setImmediate } from 'node:timers/promises'

/** What a process that is measured can be told, by name. @typedef {Record<string, (argument: any) => unknown>} Commands */

/** @type {Commands} */
const common = {
  usage: () => ({ cpu: process.cpuUsage() }),
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

/**
 * Does what the process says that measures this one, and ends with it. A command is a name, or a name and an argument.
 * @param {Commands} [own]
 */
export function answerCommands(own = {}) {
  const commands = { ...common, ...own }
  process.on('message', async (/** @type {string | [name: string, argument: unknown]} */ message) => {
    const [name, argument] = typeof message === 'string' ? [message, undefined] : message
    try {
      process.send?.((await commands[name]?.(argument)) ?? {})
    } catch (error) {
      process.send?.({ failed: error instanceof Error ? error.stack : String(error) })
    }
  })
  process.on('disconnect', () => process.exit())
  // With its profile written, where it was told to make one.
  process.on('SIGTERM', () => process.exit())
}
