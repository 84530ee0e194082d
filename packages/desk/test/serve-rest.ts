import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { problem, type Rest, type RestResponse } from '../src/rest/index.js'

const maxBytes = 256 * 1024

/** A REST surface on a real port. Whoever the bearer token names is the visitor; `x-groups` has their groups. */
export async function serveRest(rest: Rest): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((req, res) => void answer(rest, req, res).catch(() => res.destroy()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function answer(rest: Rest, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const response = await responseTo(rest, req)
  res.writeHead(response.status, response.headers)
  if ('body' in response) {
    res.end(response.body)
    return
  }
  res.flushHeaders()
  await pipeline(Readable.from(response.stream), res).catch(() => {})
}

async function responseTo(rest: Rest, req: IncomingMessage): Promise<RestResponse> {
  const { pathname, searchParams: query } = new URL(req.url ?? '/', 'http://desk')
  const header = (name: string) => req.headers[name]?.toString()
  const principal = header('authorization')?.replace('Bearer ', '')
  if (principal === undefined) return problem(401, 'Who are you?')
  let text = ''
  for await (const chunk of req.setEncoding('utf8')) {
    text += chunk
    if (text.length > maxBytes) return problem(413, 'The body is too long.')
  }
  if (text !== '' && header('content-type') !== 'application/json') return problem(415, 'The body is JSON.')
  const path = pathname
  let body: unknown
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    return problem(400, 'The body is not JSON.')
  }
  const request = { method: req.method ?? 'GET', path, query, header, body, lastEventId: header('last-event-id') }
  const groups = header('x-groups')?.split(',') ?? []
  const found = await rest.handle(request, { principal, device: 'script', groups })
  return found ?? problem(404, 'Not of the REST surface.')
}
