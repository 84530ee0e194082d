// A server on standard input and output, with a tool that people sign in for.
import { createServer } from 'beckon'
import { credentials } from 'beckon/credentials'
import { z } from 'zod'

const server = createServer({ name: 'warehouse', version: '1.0.0' })

server.tool(
  'stock',
  credentials({
    message: 'Sign in to the warehouse.',
    schema: z.object({ username: z.string(), password: z.string() }),
    verify: ({ username, password }) => (password === 'correct horse' ? { id: username } : null),
  }),
  {},
  async (_input, ctx) => ctx.json(await ctx.session.get('credentials')),
)

await server.listen()
