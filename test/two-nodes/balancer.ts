// A plain balancer: each request goes to a node at random, whatever it is about; to another one when that is not there. As
// with any proxy, a connection ends with the one behind it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  readonly url: string
  /** How many requests of each HTTP method each node was given. */
  readonly given: ReadonlyMap<string, number>
  /** Cuts every connection on which a response is under way. */
  cut(): void
  close(): Promise<void>
}

export async function startBalancer(nodes: () => readonly string[]): Promise<Balancer> {
  const given = new Map<string, number>()
  const open = new Set<ServerResponse>()

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray())
    const tries = [...nodes()].sort(() => Math.random() - 0.5)
    for (const node of tries) {
      const answer = await ask(node, incoming, body, outgoing)
      if (answer === undefined) continue
      const key = `${incoming.method} ${node}`
      given.set(key, (given.get(key) ?? 0) + 1)
      open.add(outgoing)
      outgoing.on('close', () => open.delete(outgoing))
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
      answer.on('close', () => answer.complete || outgoing.destroy())
      return
    }
    outgoing.writeHead(502).end()
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  }).listen(0, '127.0.0.1')
  // A connection that is closed just as a client uses it again fails a POST, which no client repeats.
  server.keepAliveTimeout = 10 * 60_000
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    given,
    cut() {
      for (const response of open) response.destroy()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The response of a node; undefined when it is not there. Rejects when it is there, and dies of it. */
function ask(
  node: string,
  { method, headers, url }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<IncomingMessage | undefined> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(node)
    const asked = request(new URL(url ?? '/', node), { method, headers: { ...headers, host }, agent: false }, resolve)
    asked.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error),
    )
    outgoing.on('close', () => asked.destroy())
    asked.end(body)
  })
}
