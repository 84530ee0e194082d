import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { littleServed } from '../../../test/little-served.js'
import { eventsOf, faces, modernCall, type Raw, serve } from '../../../test/raw-http.js'
import type { Incoming, TaskRequest } from '../../call/incoming.js'

const prefix = 'io.modelcontextprotocol/'
const serverInfo = { [`${prefix}serverInfo`]: { name: 'little', version: '1.2.3' } }

async function json(raw: Raw, init: RequestInit): Promise<{ status: number; type: string | null; body: unknown }> {
  const response = await raw.fetch(init)
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

/** Whether a request was answered without the SDK. */
const wasLean = ({ served }: Raw): boolean => served.links.length === 0 && served.seen.length === 1

describe.each(faces)('a regular request over %s', face => {
  it('is answered without the SDK, with all that a result needs', async () => {
    const raw = await serve(face)
    const { status, type, body } = await json(raw, modernCall({ id: 'a' }))
    const result = { resultType: 'complete', content: [{ type: 'text', text: 'hello' }], _meta: serverInfo }
    expect({ status, type, body }).toEqual({
      status: 200,
      type: 'application/json',
      body: { jsonrpc: '2.0', id: 'a', result },
    })
    expect(wasLean(raw)).toBe(true)
  })

  it('about a task is answered without the SDK, too', async () => {
    const asked: unknown[] = []
    const answerTask = async ({ method, params, principal }: TaskRequest) => {
      asked.push([method, params, principal])
      return { resultType: 'complete', status: 'working' }
    }
    const raw = await serve(face, Object.assign(littleServed(), { answerTask }))
    const init = modernCall({ id: 't', headers: { 'mcp-method': 'tasks/get', 'mcp-name': 'task-1' } })
    const message = JSON.parse(String(init.body))
    const params = { taskId: 'task-1', _meta: message.params._meta }
    const { body } = await json(raw, { ...init, body: JSON.stringify({ ...message, method: 'tasks/get', params }) })
    expect(body).toMatchObject({ id: 't', result: { status: 'working', _meta: serverInfo } })
    expect(asked).toEqual([['tasks/get', { taskId: 'task-1' }, undefined]])
    expect(raw.served.links).toHaveLength(0)
  })

  it('keeps what a result says itself', async () => {
    const { body } = await json(await serve(face), modernCall({ name: 'own' }))
    expect(body).toMatchObject({ result: { resultType: 'task', _meta: { mine: 1, ...serverInfo } } })
  })

  it('says that a resource is not to be cached', async () => {
    const raw = await serve(face)
    const uri = 'note://a'
    const { body: text, ...init } = modernCall({ headers: { 'mcp-method': 'resources/read', 'mcp-name': uri } })
    const message = { ...JSON.parse(String(text)), method: 'resources/read' }
    const body = JSON.stringify({ ...message, params: { uri, _meta: message.params._meta } })
    expect((await json(raw, { ...init, body })).body).toMatchObject({
      result: { ttlMs: 0, cacheScope: 'private', contents: [{}] },
    })
    expect(wasLean(raw)).toBe(true)
  })

  it('takes rounds as they come', async () => {
    const raw = await serve(face)
    const { body } = await json(raw, modernCall({ name: 'ask', params: { arguments: { a: 1 } } }))
    expect(body).toMatchObject({
      result: { resultType: 'input_required', requestState: 'the state', _meta: serverInfo },
    })
    const inputResponses = { name: { action: 'accept' }, wrapped: { method: 'x', result: {} }, wrong: 5 }
    await json(raw, modernCall({ name: 'ask', params: { inputResponses, requestState: 's', other: 1 } }))
    const [, incoming] = raw.served.seen
    expect(incoming).toMatchObject({ requestState: 's', inputResponses: { name: { action: 'accept' } } })
    expect(incoming?.inputResponses).not.toHaveProperty('wrapped')
    expect(incoming?.params).toEqual({ name: 'ask', other: 1 })
    await json(raw, modernCall({ name: 'ask', params: { inputResponses: null } }))
    expect(raw.served.seen[2]?.inputResponses).toEqual({})
    expect(raw.served.links).toHaveLength(0)
  })

  it('keeps a parameter with an odd name as one, and as nothing else', async () => {
    const raw = await serve(face)
    const init = modernCall({ name: 'hello' })
    const body = String(init.body).replace('"params":{', '"params":{"__proto__":{"arguments":{"a":1}},')
    expect((await json(raw, { ...init, body })).status).toBe(200)
    const params = raw.served.seen[0]?.params ?? {}
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
    expect(Object.keys(params)).toContain('__proto__')
    expect(params.arguments).toBeUndefined()
  })

  it('may be named in base64', async () => {
    const raw = await serve(face)
    const header = `=?base64?${btoa('hello')}?=`
    expect((await json(raw, modernCall({ headers: { 'mcp-name': header } }))).status).toBe(200)
    expect(wasLean(raw)).toBe(true)
  })

  it('becomes an event stream with the first message before its result', async () => {
    const raw = await serve(face)
    const meta = { progressToken: 7, [`${prefix}logLevel`]: 'warning' }
    const response = await raw.fetch(modernCall({ name: 'work', meta }))
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const messages = (await eventsOf(response).rest()).map(event => JSON.parse(event.data))
    expect(messages).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
      { method: 'notifications/message', params: { level: 'warning', data: { loud: true }, logger: 'little' } },
      { id: 1, result: { resultType: 'complete', _meta: serverInfo } },
    ])
    expect(wasLean(raw)).toBe(true)
  })

  it.each([undefined, 'info'])('gets no log message that it did not ask for (%s)', async logLevel => {
    const raw = await serve(face)
    const { type } = await json(
      raw,
      modernCall({ name: 'log', meta: logLevel === undefined ? {} : { [`${prefix}logLevel`]: logLevel } }),
    )
    expect(type).toBe('application/json')
    expect(wasLean(raw)).toBe(true)
  })

  it.each([
    ['missing', 400, { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } }],
    ['refused', 200, { code: -32602, message: 'Not like this' }],
    ['broken', 200, { code: -32603, message: 'Internal error' }],
    ['odd', 200, { code: -32603, message: 'Internal error' }],
  ])('that fails as %s gets %i', async (name, status, error) => {
    const got = await json(await serve(face), modernCall({ name, id: 9 }))
    expect(got).toMatchObject({ status, body: { id: 9, error } })
  })

  it('is cancelled when its client goes away, and only then', async () => {
    const raw = await serve(face)
    const aborted = raw.served.aborted('wait')
    const began = raw.served.began('wait')
    const aborter = new AbortController()
    const call = raw.fetch(modernCall({ name: 'wait', signal: aborter.signal })).catch(() => {})
    await began
    aborter.abort()
    expect((await aborted).signal.aborted).toBe(true)
    await call
  })

  it('is cancelled when its client goes away from the stream', async () => {
    const served = littleServed()
    const { answer } = served
    async function tellFirst(incoming: Incoming): ReturnType<typeof answer> {
      incoming.notify('notifications/progress', { progressToken: 1, progress: 1 })
      return answer(incoming)
    }
    const raw = await serve(face, Object.assign(served, { answer: tellFirst }))
    const aborted = served.aborted('wait')
    const events = eventsOf(await raw.fetch(modernCall({ name: 'wait', meta: { progressToken: 1 } })))
    await events.next()
    await events.cancel()
    await aborted
  })
})

describe.each(faces)('a request that is not quite regular over %s', face => {
  it.each<[string, Parameters<typeof modernCall>[0], number, number]>([
    ['another name in the header', { headers: { 'mcp-name': 'ask' } }, 400, -32020],
    ['a malformed name in the header', { headers: { 'mcp-name': '=?base64?*?=' } }, 400, -32020],
    ['another method in the header', { headers: { 'mcp-method': 'tools/list' } }, 400, -32020],
    ['another version in the header', { headers: { 'mcp-protocol-version': '2025-11-25' } }, 400, -32020],
    [
      'an unknown version',
      { headers: { 'mcp-protocol-version': '2099-01-01' }, meta: { [`${prefix}protocolVersion`]: '2099-01-01' } },
      400,
      -32022,
    ],
    ['no capabilities', { meta: { [`${prefix}clientCapabilities`]: undefined } }, 400, -32602],
    ['odd capabilities', { meta: { [`${prefix}clientCapabilities`]: { elicitation: 5 } } }, 400, -32602],
    ['an odd client', { meta: { [`${prefix}clientInfo`]: { name: 5 } } }, 400, -32602],
    ['an odd log level', { meta: { [`${prefix}logLevel`]: 'shout' } }, 400, -32602],
    ['an odd progress token', { meta: { progressToken: {} } }, 400, -32600],
    ['an odd state', { name: 'ask', params: { requestState: 5 } }, 200, -32602],
    ['odd arguments', { params: { arguments: [] } }, 200, -32602],
    ['an odd id', { id: null }, 400, -32600],
    ['an unknown tool', { name: 'nobody' }, 200, -32602],
    ['a tool from Object.prototype', { name: 'toString' }, 200, -32602],
  ])('%s: says what is wrong', async (_, call, status, code) => {
    const raw = await serve(face)
    const got = await json(raw, modernCall(call))
    expect(got).toMatchObject({ status, body: { jsonrpc: '2.0', error: { code } } })
  })

  it('repeats in a header what the tool wants there', async () => {
    const raw = await serve(face)
    const call = (region: unknown, headers = {}) =>
      json(raw, modernCall({ name: 'routed', params: { arguments: { region } }, headers }))
    expect(await call('eu')).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32020, data: { mismatch: { header: 'Mcp-Param-Region' } } } },
    })
    expect(await call('eu', { 'mcp-param-region': 'us' })).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    })
    expect(await call('eu', { 'mcp-param-region': 'eu' })).toMatchObject({ status: 200 })
    expect(await call('é', { 'mcp-param-region': '=?base64?w6k=?=' })).toMatchObject({ status: 200 })
    expect(await call(null)).toMatchObject({ status: 200 })
  })

  it('has no GET and no DELETE', async () => {
    const raw = await serve(face)
    const headers = { accept: 'text/event-stream', 'mcp-protocol-version': '2026-07-28' }
    const statuses = ['GET', 'DELETE', 'PUT', 'OPTIONS'].map(
      async method => (await raw.fetch({ method, headers })).status,
    )
    expect(await Promise.all(statuses)).toEqual([405, 405, 405, 405])
  })
})

describe('people', () => {
  const identify = (request: Request): string | undefined => {
    const token = request.headers.get('authorization')
    if (token === 'Bearer bad') throw new Error('no')
    if (token === 'Bearer worse') throw new Response('go away', { status: 403 })
    return token ?? undefined
  }

  it.each(faces)('are told apart over %s', async face => {
    const raw = await serve(face, littleServed({ identify }))
    const status = async (authorization: string) => (await raw.fetch(modernCall({ headers: { authorization } }))).status
    expect([await status('Bearer ada'), await status('Bearer bad'), await status('Bearer worse')]).toEqual([
      200, 401, 403,
    ])
    expect(raw.served.seen.map(({ principal }) => principal)).toEqual(['Bearer ada'])
    await raw.fetch(modernCall({ name: 'nobody', headers: { authorization: 'Bearer bob' } }))
    expect(raw.served.links).toMatchObject([
      { principal: 'Bearer bob', codec: { hasSessions: false }, sessionId: undefined },
    ])
  })
})

describe('a slow or silent time', () => {
  it('keeps an open stream alive', async () => {
    const served = littleServed()
    const { answer } = served
    async function tellFirst(incoming: Incoming): ReturnType<typeof answer> {
      incoming.notify('notifications/progress', { progressToken: 1, progress: 1 })
      return answer(incoming)
    }
    const raw = await serve('listen', Object.assign(served, { answer: tellFirst }), { keepAliveMs: 5 })
    const response = await raw.fetch(modernCall({ name: 'hold', meta: { progressToken: 1 } }))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes(': still here')) text += (await reader?.read())?.value ?? ''
    served.release()
    while (!text.includes('"result"')) text += (await reader?.read())?.value ?? ''
  })

  it('holds little for a client that does not read', async () => {
    const raw = await serve('listen')
    const socket = connect({ port: Number(new URL(raw.url).port), host: '127.0.0.1' })
    socket.pause()
    await once(socket, 'connect')
    const { headers, body } = modernCall({ name: 'flood', meta: { [`${prefix}logLevel`]: 'debug' } })
    const lines = Object.entries({ ...(headers as object), host: 'localhost', 'content-length': String(body).length })
    const began = raw.served.began('flood')
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
    await began
    let bytes = 0
    let end = ''
    socket.on('data', chunk => {
      bytes += chunk.length
      end = (end + chunk.toString('latin1')).slice(-500)
      if (end.includes('flooded')) socket.destroy()
    })
    socket.resume()
    await once(socket, 'close')
    expect(end).toContain('flooded')
    expect(bytes).toBeLessThan(10_000_000)
  })
})
