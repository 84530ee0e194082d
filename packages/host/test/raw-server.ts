// A server that sends what a test says, as it stands.
import { InMemoryTransport, Server, type ServerContext } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

type Answer = (params: Record<string, unknown>, ctx: ServerContext, server: Server) => unknown

/** The SDK would add to what a tool returns. */
class BareServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>): typeof handler {
    return method === 'tools/call' ? handler : super._wrapHandler(method, handler)
  }
}

/** The client's end of a connection to it. Without a name it does not say who it is. */
export function rawServer(
  answers: Readonly<Record<string, Answer>>,
  info = { name: 'raw', title: 'A raw server' },
): InMemoryTransport {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const extensions = { 'io.modelcontextprotocol/tasks': {} }
  serveStdio(
    () => {
      const server = new BareServer(
        { ...info, version: '1.0.0' },
        { capabilities: { tools: {}, extensions }, inputRequired: { legacyShim: false } },
      )
      for (const [method, answer] of Object.entries(answers)) {
        server.setRequestHandler(
          method,
          { params: z.looseObject({}) },
          async (params, ctx) => (await answer(params, ctx, server)) as never,
        )
      }
      return server
    },
    { transport: there },
  )
  return here
}
