// A server whose heap can be looked at: `node --expose-gc holding.mjs '{"limits": {...}, "tools": 100}'`.
// It serves `ask`, which asks once, `ask_often`, which asks 21 times, and as many other tools as it is told to.

import { createServer } from 'beckon'
import { z } from 'zod'
import { answerCommands } from '../../commands.mjs'

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

answerCommands({
  async drop() {
    await server.close()
    return { dropped: true }
  },
})
const { url } = await server.listen({ port: 0 })
process.send?.({ url })
