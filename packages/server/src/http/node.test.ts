import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { littleServed } from '../../test/little-served.js'
import { legacyPost, modernCall, openSession, serve } from '../../test/raw-http.js'
import { toNode } from './node.js'

let stop = async (): Promise<void> => {}
afterEach(() => stop())

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stop = () =>
    new Promise(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/any/path?query`
}

/** What `express.json()` does to a request. */
function parseFirst(listener: RequestListener): RequestListener {
  return async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const parsed: IncomingMessage = Object.assign(request, { body: text === '' ? {} : JSON.parse(text) })
    listener(parsed as typeof request, response)
  }
}

describe('a server of node:http that someone else runs', () => {
  it.each([
    ['reads the body', (listener: RequestListener) => listener],
    ['takes a body that was parsed already', parseFirst],
  ])('%s', async (_, wrap) => {
    const raw = await serve('fetch')
    const url = await listening(wrap(toNode(raw.serving)))
    const request = (init: RequestInit): Promise<Response> => fetch(url, init)
    expect(await (await request(modernCall())).json()).toMatchObject({ result: { content: [{ text: 'hello' }] } })
    expect(await (await request(modernCall({ name: 'nobody' }))).json()).toMatchObject({ error: { code: -32602 } })
    const session = await openSession({ ...raw, fetch: request })
    expect(await (await session.call('hello')).json()).toMatchObject({ result: { content: [{ text: 'hello' }] } })
    const deep = {
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`),
    }
    expect((await request(legacyPost(deep))).status).toBe(400)
  })
})

describe('what no client would send', () => {
  const identify = (): string => 'ada'

  /** The status line that a server answers raw text with. */
  async function answerTo(url: string, text: string): Promise<string> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(text)
    const [chunk] = await once(socket, 'data')
    socket.destroy()
    return String(chunk).split('\r\n', 1)[0] ?? ''
  }

  it.each([
    ['TRACE /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n', '405'],
    ['POST /mcp HTTP/1.1\r\nHost: a:b@c\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n', '415'],
    ['POST /mcp HTTP/1.1\r\nHost: a b\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n', '415'],
    ['POST http://a:b@c/mcp HTTP/1.1\r\nHost: c\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n', '415'],
    ['POST //// HTTP/1.1\r\nHost: c\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n', '415'],
    ['TRACE /beckon/go/x HTTP/1.1\r\nHost: a:b@c\r\n\r\n', '405'],
    ['GET /beckon/go/x HTTP/1.1\r\nHost: a:b@c\r\n\r\n', '404'],
  ])('does no harm: %j', async (text, status) => {
    const { serving } = await serve('fetch', littleServed({ identify, page: async () => undefined }))
    const url = await listening(toNode(serving))
    expect(await answerTo(url, text)).toContain(` ${status} `)
  })

  it('stays silent where a framework has replied already', async () => {
    const raw = await serve('fetch')
    const began = raw.served.began('hold')
    const url = await listening((request, response) => {
      toNode(raw.serving)(request, response)
      began.then(() => {
        response.writeHead(503).end()
        raw.served.release()
      })
    })
    expect((await fetch(url, modernCall({ name: 'hold' }))).status).toBe(503)
    expect(raw.served.errors).toEqual([])
  })

  it('gets 503 once the server is closed', async () => {
    const raw = await serve('fetch')
    await raw.serving.close()
    expect((await raw.fetch(modernCall())).status).toBe(503)
  })
})

describe('listening', () => {
  it('serves /mcp and our own pages, and nothing else', async () => {
    const page = async (request: Request): Promise<Response | undefined> => {
      const { pathname } = new URL(request.url)
      if (pathname === '/beckon/fails/x') throw new Error('broken')
      return pathname === '/beckon/go/x' ? new Response(`page ${request.method} ${await request.text()}`) : undefined
    }
    const served = littleServed({ page })
    const raw = await serve('listen', served)
    const at = (path: string, init?: RequestInit): Promise<Response> => fetch(new URL(path, raw.url), init)
    expect(await (await at('/beckon/go/x')).text()).toBe('page GET ')
    expect(await (await at('/beckon/go/x?a=b', { method: 'POST', body: 'x=1' })).text()).toBe('page POST x=1')
    expect((await at('/beckon/other/x')).status).toBe(404)
    expect((await at('/beckon/fails/x')).status).toBe(500)
    expect(served.errors).toHaveLength(1)
    expect((await at('/beckon/go/x', { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(413)
    expect((await at('/')).status).toBe(404)
    expect((await at('/mcp/', modernCall())).status).toBe(404)
    expect((await at('/mcp?a=b', modernCall())).status).toBe(200)
    expect(await (await raw.serving.fetch(new Request('http://localhost/beckon/go/x'))).text()).toBe('page GET ')
  })

  it('has no pages unless there are some', async () => {
    const raw = await serve('listen')
    expect((await fetch(new URL('/beckon/go/x', raw.url))).status).toBe(404)
  })

  it('takes a port that is free, and says so when one is not', async () => {
    const raw = await serve('listen')
    const port = Number(new URL(raw.url).port)
    expect(port).toBeGreaterThan(0)
    await expect(raw.serving.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('is reached at the address that it names, also on IPv6', async () => {
    const raw = await serve('fetch')
    const listened = await raw.serving.listen({ host: '::1' }).catch(() => undefined)
    if (listened === undefined) return
    expect(listened.url).toMatch(/^http:\/\/\[::1\]:\d+\/mcp$/)
    expect((await fetch(listened.url, modernCall())).status).toBe(200)
    await listened.close()
  })

  it('lets a call that runs finish before it closes', async () => {
    const raw = await serve('listen')
    const began = raw.served.began('hold')
    const call = fetch(raw.url, modernCall({ name: 'hold' }))
    await began
    const closed = raw.serving.close()
    raw.served.release()
    expect(await (await call).json()).toMatchObject({ result: { content: [{ text: 'held' }] } })
    await closed
  })
})
