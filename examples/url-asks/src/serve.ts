import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Hono } from 'hono'

/** Serves a web application on this machine. */
export async function serve(app: Hono): Promise<{ origin: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const body =
      method === 'GET' ? {} : { body: Readable.toWeb(request) as globalThis.ReadableStream, duplex: 'half' as const }
    const answer = await app.fetch(
      new Request(new URL(url, `http://${headers.host}`), {
        method,
        headers: Object.entries(headers).flatMap(pairs),
        ...body,
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body === null) response.end()
    else Readable.fromWeb(answer.body as ReadableStream).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function pairs([name, value]: [string, string | string[] | undefined]): [string, string][] {
  return value === undefined ? [] : [[name, String(value)]]
}
