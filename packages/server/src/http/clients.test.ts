import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { littleServed } from '../../test/little-served.js'
import { type HttpServing, serveHttp } from './serve-http.js'

const servings: HttpServing[] = []
const clients: Client[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()))
  await Promise.all(servings.splice(0).map(serving => serving.close()))
})

type Face = 'listen' | 'fetch'
const eras = [
  ['2025-06-18', 'listen'],
  ['2025-11-25', 'listen'],
  ['2026-07-28', 'listen'],
  ['2025-06-18', 'fetch'],
  ['2025-11-25', 'fetch'],
  ['2026-07-28', 'fetch'],
] as const satisfies [string, Face][]

async function connect(version: string, face: Face, served = littleServed()) {
  const serving = serveHttp(served)
  servings.push(serving)
  const isModern = version === '2026-07-28'
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: isModern ? { pin: version } : 'legacy' },
      ...(!isModern && { supportedProtocolVersions: [version] }),
    },
  )
  clients.push(client)
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }))
  const url = face === 'listen' ? (await serving.listen()).url : 'http://localhost/mcp'
  const fetch = (input: string | URL, init?: RequestInit) => serving.fetch(new Request(input, init))
  const transport = new StreamableHTTPClientTransport(new URL(url), face === 'fetch' ? { fetch } : {})
  await client.connect(transport)
  return { client, served, serving, transport }
}

describe.each(eras)('the official client on %s over %s', (version, face) => {
  const isModern = version === '2026-07-28'

  it('answers an ask', async () => {
    const { client, served } = await connect(version, face)
    const result = await client.callTool({ name: 'ask', arguments: { a: 1 } })
    expect(JSON.stringify(result.content)).toContain('Ada')
    const incoming = served.seen.at(-1)
    expect(incoming).toMatchObject({
      revision: version,
      client: { name: 'test' },
      params: { name: 'ask', arguments: { a: 1 } },
    })
    expect(incoming?.capabilities.elicitation).toEqual({ form: {} })
    expect(typeof incoming?.sessionId).toBe(isModern ? 'undefined' : 'string')
    expect(incoming?.params).not.toHaveProperty('_meta')
  })

  it('answers many asks at once', async () => {
    const { client } = await connect(version, face)
    const results = await Promise.all(Array.from({ length: 20 }, () => client.callTool({ name: 'ask' })))
    expect(results.every(result => JSON.stringify(result.content).includes('Ada'))).toBe(true)
  })

  it('gets progress and log messages', async () => {
    const { client } = await connect(version, face)
    const got: unknown[] = []
    client.setNotificationHandler('notifications/message', ({ params }) => void got.push(params.data))
    if (!isModern) await client.setLoggingLevel('info')
    const _meta = isModern ? { 'io.modelcontextprotocol/logLevel': 'info' } : undefined
    const result = await client.callTool(
      { name: 'work', ...(_meta && { _meta }) },
      { onprogress: ({ progress }) => got.push(progress) },
    )
    expect(result.content).toMatchObject([{ text: 'worked' }])
    expect(got).toEqual([1, { loud: true }])
  })

  it('cancels a call', async () => {
    const { client, served } = await connect(version, face)
    const began = served.began('wait')
    const aborted = served.aborted('wait')
    const aborter = new AbortController()
    const call = client.callTool({ name: 'wait' }, { signal: aborter.signal })
    const incoming = await began
    aborter.abort('changed my mind')
    await expect(call).rejects.toThrow()
    await aborted
    expect(incoming.signal.aborted).toBe(true)
  })

  it('never aborts because the reply was sent', async () => {
    const { client, served } = await connect(version, face)
    await client.callTool({ name: 'hello' })
    await client.callTool({ name: 'ask' })
    expect(served.seen.every(incoming => !incoming.signal.aborted)).toBe(true)
  })

  it('gets prompts, resources and lists', async () => {
    const { client } = await connect(version, face)
    expect(await client.getPrompt({ name: 'p' })).toHaveProperty('messages')
    expect(await client.readResource({ uri: 'note://a' })).toHaveProperty('contents')
    expect((await client.listTools()).tools).toHaveLength(1)
  })

  it('gets the errors that were thrown, and no others', async () => {
    const { client, served } = await connect(version, face)
    await expect(client.callTool({ name: 'refused' })).rejects.toMatchObject({ code: -32602, message: 'Not like this' })
    await expect(client.callTool({ name: 'nobody' })).rejects.toMatchObject({ code: -32602 })
    if (!isModern) return
    await expect(client.callTool({ name: 'missing' })).rejects.toMatchObject({ code: -32021 })
    await expect(client.callTool({ name: 'broken' })).rejects.toMatchObject({ code: -32603, message: 'Internal error' })
    await expect(client.callTool({ name: 'odd' })).rejects.toMatchObject({ code: -32603 })
    expect(served.errors).toHaveLength(2)
  })

  it('hears of changes', async () => {
    const { client, serving } = await connect(version, face)
    const changed = new Promise<void>(resolve =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    )
    if (isModern) await client.listen({ toolsListChanged: true })
    serving.notify.toolsChanged()
    await changed
  })
})
