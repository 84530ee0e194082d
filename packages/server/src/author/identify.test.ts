import { describe, expect, it, vi } from 'vitest'
import { modernCall } from '../../test/raw-http.js'
import type { ServerOptions } from '../server/beckon-server.js'
import { createServer } from '../server/create-server.js'
import { normalizePrincipal } from './identify.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

// What JavaScript lets an author return.
const returning = (value: unknown) => (() => value) as unknown as NonNullable<ServerOptions['identify']>

describe('who a request is for', () => {
  it.each([undefined, null, ''])('is nobody where an author says %j', async value => {
    expect(await normalizePrincipal(returning(value))(new Request('http://localhost'))).toBeUndefined()
  })

  it.each([5, {}, true, ['ada']])('is no %j', async value => {
    await expect(normalizePrincipal(returning(value))(new Request('http://localhost'))).rejects.toThrow(
      'must return a string or undefined',
    )
  })

  it.each([null, ''])('is not the same person for everybody who is %j', async value => {
    const server = createServer({ name: 's', version: '1', identify: returning(value) })
    server.tool('count', {}, async (_input, ctx) => {
      const count = ((await ctx.session.get<number>('count')) ?? 0) + 1
      await ctx.session.set('count', count)
      return `${count} ${ctx.principal}`
    })
    const call = async () =>
      (await server.fetch(new Request('http://localhost/mcp', modernCall({ name: 'count' })))).text()
    expect(await call()).toContain('1 undefined')
    expect(await call()).toContain('1 undefined')
    await server.close()
  })

  it('is whom the server says, whatever a client claims', async () => {
    const server = createServer({ name: 's', version: '1', identify: returning('ada') })
    server.tool('who', {}, (_input, ctx) => `It is ${ctx.principal}.`)
    const claims = { principal: 'eve', sub: 'eve', user: 'eve' }
    const meta = { ...claims, 'io.modelcontextprotocol/clientInfo': { name: 'eve', version: '1', ...claims } }
    const headers = { 'x-user': 'eve', 'x-principal': 'eve', 'x-forwarded-user': 'eve' }
    const call = modernCall({ name: 'who', meta, headers, params: { arguments: claims, ...claims } })
    const response = await server.fetch(new Request('http://localhost/mcp', call))
    expect(await response.text()).toContain('It is ada.')
    await server.close()
  })

  it('is refused where it cannot be said', async () => {
    const server = createServer({ name: 's', version: '1', identify: returning(5) })
    server.tool('t', {}, () => 'x')
    const response = await server.fetch(new Request('http://localhost/mcp', modernCall({ name: 't' })))
    expect(response.status).toBe(401)
    await server.close()
  })

  it('opens no page for somebody that nobody is', async () => {
    const publicUrl = 'https://tools.example'
    const server = createServer({ name: 's', version: '1', identify: returning(null), publicUrl })
    server.tool('pay', {}, async (_input, ctx) => (await ctx.elicit.url('Pay', 'https://pay.example')).action)
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } }
    const response = await server.fetch(
      new Request('http://localhost/mcp', modernCall({ name: 'pay', meta, headers: { host: 'tools.example' } })),
    )
    const text = await response.text()
    expect(text).toContain('https://pay.example')
    expect(text).not.toContain('/beckon/go/')
    await server.close()
  })
})
