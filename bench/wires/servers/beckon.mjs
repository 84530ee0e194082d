import { createServer } from 'beckon'
import { z } from 'zod'
import { ready } from '../load/ready.mjs'

const server = createServer({ name: 'bench', version: '1.0.0' })
const schema = z.object({ name: z.string() })
server.tool('ask', { description: 'asks', input: z.object({ topic: z.string() }) }, async (_input, ctx) => {
  const answer = await ctx.elicit({ question: 'Your name?', schema })
  return ctx.text(`hello ${answer?.name}`)
})

const { url } = await server.listen({ port: 0 })
ready(url)
