import { type BeckonServer, createServer, type ServerOptions } from 'beckon'
import { credentials } from 'beckon/credentials'
import { urlAction } from 'beckon/url-action'
import { z } from 'zod'

/** A server whose tools have a flow before them: the middleware asks, the handlers do not. */
export function createWarehouse({ desk }: Pick<ServerOptions, 'desk'>): BeckonServer {
  const server = createServer({ name: 'warehouse', version: '1.0.0', desk })

  server.tool(
    'stock',
    credentials({
      message: 'Sign in to the warehouse.',
      schema: z.object({ username: z.string(), password: z.string() }),
      verify: ({ username, password }) => (password === 'correct horse' ? { id: username } : null),
    }),
    { description: 'What is in stock', task: 'optional' },
    async (_args, c) => c.text(`Stock for ${(await c.session.get<{ id: string }>('credentials'))?.id}`),
  )

  server.tool(
    'sign_contract',
    urlAction({
      message: 'Sign the contract first.',
      url: ({ sessionId, elicitationId }) => `https://sign.example.com/start?state=${sessionId}:${elicitationId}`,
      done: async c => (await c.session.get('signed')) === true,
    }),
    { description: 'Needs a signature', task: 'optional' },
    (_args, c) => c.text('Signed and sent.'),
  )
  return server
}
