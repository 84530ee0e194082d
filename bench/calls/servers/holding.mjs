// A server whose heap can be looked at: `node --expose-gc holding.mjs '{"limits": {...}, "tools": 100}'`.
// It serves `ask`, which asks once, `ask_often`, which asks 21 times, and as many other tools as it is told to.

import { setImmediate } from 'node:timers/promises'
import { createServer } from 'beckon'
import { z } from 'zod'

const { limits, tools = 0 } = JSON.parse(process.argv[2] ?? '{}')
const server = createServer({ name: 'holding', version: '1.0.0', limits })
const schema = z.object({ name: z.string() })
const input = z.object({ topic: z.string() })

for (let index = 0; index < tools; index++) {
  server.tool(`other_${index}`, { description: 'Does nothing.', input }, async () => 'nothing')
}
server.tool('ask', { description: 'Asks once.', input }, async (_input, ctx) => {
  const answer = await ctx.elicit({ question: 'Your name?', schema })
  return `hello ${answer?.name}`
})
server.tool('ask_often', { description: 'Asks again and again.', input }, async (_input, ctx) => {
  let last = ''
  for (let index = 1; index <= 21; index++) {
    const answer = await ctx.elicit({ question: `Your name, for time ${index}?`, schema })
    last = answer?.name ?? ''
  }
  return `hello ${last}`
})

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
  async drop() {
    await server.close()
    return { dropped: true }
  },
}
process.on('message', async command => {
  const said = await commands[String(command)]?.()
  if (said) process.send?.(said)
})
process.on('disconnect', () => process.exit())
const { url } = await server.listen({ port: 0 })
process.send?.({ url })
