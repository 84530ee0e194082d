import { describe, expect, it, vi } from 'vitest'
import { createServer } from '../server/create-server.js'

vi.setConfig({ testTimeout: 60_000 })

const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const version = 'io.modelcontextprotocol/protocolVersion'
const info = 'io.modelcontextprotocol/clientInfo'

function request(who: string, method: string, params: Record<string, unknown> = {}): Request {
  const _meta = { [capabilities]: {}, [version]: '2026-07-28', [info]: { name: 'c', version: '1' } }
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: who,
      'Mcp-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
}

/** The events of a stream, as methods, one at a time. */
function eventsOf(response: Response): () => Promise<string | undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async function next() {
    for (;;) {
      const found = /data: (.*)\n\n/.exec(text)
      if (found?.[1] !== undefined) {
        text = text.slice(found.index + found[0].length)
        return JSON.parse(found[1]).method
      }
      const chunk = await reader?.read()
      if (chunk === undefined || chunk.done) return undefined
      text += chunk.value
    }
  }
}

describe('streams of changes on 2026-07-28 over HTTP', () => {
  it('tell a change of one person’s list to that person alone', async () => {
    const server = createServer({
      name: 's',
      version: '1.0.0',
      identify: ({ headers }) => headers.get('authorization') ?? undefined,
    })
    let alices = ''
    server.tool('hidden', { listed: ({ session }) => session.isAuthorized('gate') }, async () => 'ran')
    server.tool('who', { listed: () => true }, async (_input, ctx) => {
      alices = ctx.sessionId
      return 'you'
    })
    const listen = async (who: string) => {
      const params = { notifications: { toolsListChanged: true } }
      const next = eventsOf(await server.fetch(request(who, 'subscriptions/listen', params)))
      expect(await next()).toBe('notifications/subscriptions/acknowledged')
      return next
    }
    const [alice, bob] = [await listen('alice'), await listen('bob')]
    const listed = async (who: string) => JSON.stringify(await (await server.fetch(request(who, 'tools/list'))).json())
    expect(await listed('alice')).not.toContain('hidden')
    await server.fetch(request('alice', 'tools/call', { name: 'who', arguments: {} }))
    await server.session(alices).authorize('gate')
    expect(await alice()).toBe('notifications/tools/list_changed')
    expect(await listed('alice')).toContain('hidden')
    expect(await listed('alice')).toContain('"cacheScope":"private"')
    expect(await listed('bob')).not.toContain('hidden')
    // What everyone is told comes to Bob as the first thing.
    server.prompt('p', {}, async () => 'p')
    server.changed('tools')
    expect(await bob()).toBe('notifications/tools/list_changed')
    const rest = bob()
    await server.close()
    expect(await rest).toBeUndefined()
  })

  it('cut a client off that reads nothing', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('t', {}, async () => 't')
    const params = { notifications: { toolsListChanged: true } }
    const response = await server.fetch(request('ada', 'subscriptions/listen', params))
    for (let time = 0; time < 10_000; time++) server.changed('tools')
    const read = async () => {
      const next = eventsOf(response)
      while ((await next()) !== undefined);
    }
    await expect(read()).rejects.toThrow('cut off')
    await server.close()
  })

  it('are so many for strangers, so many for each person, and lock nobody else out', async () => {
    const server = createServer({
      name: 's',
      version: '1.0.0',
      identify: ({ headers }) => headers.get('authorization')?.replace('stranger', '') || undefined,
    })
    server.tool('t', {}, () => 'ran')
    const params = { notifications: { toolsListChanged: true } }
    const listen = (who: string) => server.fetch(request(who, 'subscriptions/listen', params))
    const refusals = async (who: string, times: number) => {
      const all = await Promise.all(Array.from({ length: times }, () => listen(who)))
      const refused = all.filter(({ headers }) => headers.get('content-type')?.startsWith('application/json'))
      return Promise.all(refused.map(async response => (await response.json()).error.message))
    }
    expect(await refusals('stranger', 1_001)).toEqual(['There are 1000 such streams already. Try again later.'])
    expect(await refusals('ana', 101)).toEqual(['A caller has at most 100 such streams.'])
    expect(await refusals('ben', 1)).toEqual([])
    await server.close()
  })
})
