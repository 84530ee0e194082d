import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { littleServed } from '../../test/little-served.js'
import { faces, modernCall, serve } from '../../test/raw-http.js'
import { isLoopback } from '../runtime/loopback.js'

/** The status for a regular request with a Host header of its own, which `fetch` does not allow. */
async function statusFor(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const { method = 'POST', body, headers: regular } = modernCall()
  const request = httpRequest(url, { method, headers: { ...(regular as Record<string, string>), ...headers } })
  request.end(body)
  const [response] = await once(request, 'response')
  response.resume()
  return response.statusCode
}

describe('Host and Origin', () => {
  it.each([
    ['127.0.0.1', 200],
    ['localhost:1', 200],
    ['[::1]:1', 200],
    ['LOCALHOST', 200],
    ['evil.example', 403],
    ['evil.example:80', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['evil.example@127.0.0.1', 403],
  ])('answers Host "%s" with %i when only this machine can reach it', async (host, status) => {
    const { url } = await serve('listen')
    expect(await statusFor(url, { host })).toBe(status)
  })

  it.each([
    ['http://localhost:3000', 200],
    ['http://127.0.0.1', 200],
    ['https://app.example', 200],
    ['https://by-name.example:8443', 200],
    ['http://app.example', 403],
    ['https://evil.example', 403],
    ['null', 403],
    ['file://', 403],
    ['nonsense', 403],
  ])('answers Origin "%s" with %i', async (origin, status) => {
    const allowedOrigins = ['https://app.example', 'by-name.example']
    const { url } = await serve('listen', littleServed(), { allowedOrigins })
    expect(await statusFor(url, { origin })).toBe(status)
  })

  it('takes the hosts that it is told', async () => {
    const { url } = await serve('listen', littleServed(), { allowedHosts: ['mcp.example', 'with-port.example:8080'] })
    const hosts = ['mcp.example', 'mcp.example:443', 'with-port.example:8080', 'with-port.example', 'localhost']
    expect(await Promise.all(hosts.map(host => statusFor(url, { host })))).toEqual([200, 200, 200, 403, 403])
  })

  it('lets no foreign page in through fetch, whatever host it is for', async () => {
    const { fetch } = await serve('fetch')
    expect((await fetch(modernCall({ headers: { host: 'evil.example', origin: 'http://evil.example' } }))).status).toBe(
      403,
    )
    expect((await fetch(modernCall({ headers: { host: 'evil.example', origin: 'http://localhost' } }))).status).toBe(
      403,
    )
    expect((await fetch(modernCall({ headers: { host: 'public.example' } }))).status).toBe(200)
  })

  it('knows what is this machine', () => {
    expect(['127.0.0.1', '127.1.2.3', '::1', '[::1]', 'localhost'].every(isLoopback)).toBe(true)
    expect(['0.0.0.0', '::', '10.0.0.1', 'localhost.example', '127.0.0.1.example'].some(isLoopback)).toBe(false)
  })
})

describe.each(faces)('a body over %s', face => {
  it('is refused when it is too large and says so', async () => {
    const { fetch, served } = await serve(face, littleServed(), { maxBodyBytes: 1000 })
    const response = await fetch({ ...modernCall(), body: `{"a":"${'x'.repeat(1000)}"}` })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: { code: -32000 }, id: null })
    expect(served.seen).toHaveLength(0)
  })

  it('is refused when it is too large and does not say so', async () => {
    const { fetch } = await serve(face, littleServed(), { maxBodyBytes: 1000 })
    const body = new ReadableStream({
      start(stream) {
        for (let sent = 0; sent < 3; sent += 1) stream.enqueue(new Uint8Array(500))
        stream.close()
      },
    })
    const init = { ...modernCall(), body, duplex: 'half' } as RequestInit
    expect((await fetch(init)).status).toBe(413)
  })

  it.each([
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
  ])('of type %s gets %i', async (type, status) => {
    const { fetch } = await serve(face)
    expect((await fetch(modernCall({ headers: { 'content-type': type } }))).status).toBe(status)
  })

  it('is refused when it has more values than it may, before anything walks them', async () => {
    const { fetch, served } = await serve(face)
    const many = Array.from({ length: 100_001 }, (_, index) => [`k${index}`, 0])
    for (const body of [Object.fromEntries(many), { a: many.map(() => 0) }, { a: many.map(() => []) }, many]) {
      const response = await fetch({ ...modernCall(), body: JSON.stringify(body) })
      expect(response.status).toBe(413)
      expect(await response.json()).toMatchObject({
        error: { code: -32600, message: 'Payload Too Large: more than 100000 values in one message' },
        id: null,
      })
    }
    expect(served.seen).toHaveLength(0)
  })

  it('may have as many values as it is told', async () => {
    const { params, ...rest } = JSON.parse(String(modernCall().body))
    const more = ['a,b,c', 'd\\",[e', '\\', {}]
    const text = JSON.stringify({ ...rest, params: { ...params, _meta: { ...params._meta, more } } })
    const amount = text.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/[^,[{]/g, '').length
    const status = async (maxValues: number) =>
      (await (await serve(face, littleServed(), { maxValues })).fetch({ ...modernCall(), body: text })).status
    expect([await status(amount), await status(amount - 1)]).toEqual([200, 413])
  })

  it('is refused when it is compressed', async () => {
    const { fetch } = await serve(face)
    expect((await fetch(modernCall({ headers: { 'content-encoding': 'gzip' } }))).status).toBe(415)
  })

  it.each(['', '{', 'undefined', `${'['.repeat(100_000)}`, `${'['.repeat(100_000)}${']'.repeat(100_000)}`])(
    'that is no message is -32700 (%#)',
    async body => {
      const { fetch } = await serve(face)
      const response = await fetch({ ...modernCall(), body })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } })
    },
  )

  it.each([
    '5',
    'null',
    '"text"',
    '{}',
    '[]',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '[{"jsonrpc":"2.0","method":5}]',
  ])('that is JSON and no message is -32600: %s', async body => {
    const { fetch } = await serve(face)
    const response = await fetch({ ...modernCall(), body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32600 } })
  })
})

it('reads no more of an endless body than it may', async () => {
  const { url } = await serve('listen')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  let sent = 0
  let answer = ''
  socket.setEncoding('latin1').on('data', text => {
    answer += text
  })
  while (sent < 50_000_000 && !socket.destroyed && answer === '') {
    sent += chunk.length
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close'), once(socket, 'data')])
  }
  expect(answer).toMatch(/^HTTP\/1.1 413 .*connection: close/is)
  expect(sent).toBeLessThan(20_000_000)
  socket.destroy()
})
