// `node dist/node-fetch.js`: behind a server of your own that has requests as `Request`. Node has none by itself.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createTodos } from './todos.js'

const server = createTodos({ keys: process.env.BECKON_KEY })

const http = createServer(async (incoming, outgoing) => {
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const response = await server.fetch(requestOf(incoming, gone.signal))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  // A client that goes away while it is answered is no failure.
  if (response.body !== null) await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => {})
  else outgoing.end()
})
http.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
})

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', headers, url = '/' } = incoming
  const body = method === 'POST' ? { body: Readable.toWeb(incoming) as never, duplex: 'half' as const } : {}
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: headers as Record<string, string>,
    signal,
    ...body,
  })
}
