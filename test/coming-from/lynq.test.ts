// What lynq's page "Elicitation" claims: forms, URLs, callbacks and the middleware of its tables.
import { AskExpiredError } from 'beckon'
import { credentials } from 'beckon/credentials'
import { oauth } from 'beckon/oauth'
import { payment } from 'beckon/payment'
import { createTestClock, type TestClient } from 'beckon/test'
import { urlAction } from 'beckon/url-action'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { littleIssuer } from '../../packages/server/test/oauth/little-issuer.js'
import { callbackOf } from './documents/lynq.js'
import { transports, urlTransports } from './official-client.js'
import { on, urlWires, wires } from './story.js'

const text = (result: { content: { text?: unknown }[] }) => result.content[0]?.text

on(
  'lynq',
  [...wires, ...transports],
  'configure asks, and a later call finds what was chosen',
  async ({ client, wire }) => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const preferences = { theme: 'dark', language: 'en' }
    const { callTool } = client('decline', 'cancel', preferences)
    expect(text(await callTool('configure'))).toBe('Configuration cancelled.')
    expect(text(await callTool('configure'))).toBe('Configuration cancelled.')
    expect(text(await callTool('configure'))).toBe('Theme: dark, Language: en')
    // There is no session on 2026-07-28 over HTTP, and this server does not say who calls.
    const isForgotten = wire === 'http 2026-07-28'
    expect((await callTool('preferences')).structuredContent).toEqual({ found: isForgotten ? null : preferences })
    expect(warned.mock.calls.filter(([said]) => /for this call alone/.test(said))).toHaveLength(isForgotten ? 1 : 0)
    warned.mockRestore()
  },
)

on('lynq', wires, 'content is an empty object where the person did not accept', async ({ server, client }) => {
  server.tool('look', {}, async (_args, c) => ({ ...(await c.elicit.form('Which?', ['a', 'b'])) }))
  const { callTool } = client('decline', 'cancel')
  for (const action of ['decline', 'cancel'])
    expect((await callTool('look')).structuredContent).toEqual({ action, content: {} })
})

on(
  'lynq',
  [...urlWires, ...urlTransports],
  'a URL gives what the person did, and no data',
  async ({ client, visitor }) => {
    const seen: string[] = []
    expect(text(await visitor(async url => seen.push(url)).callTool('terms'))).toBe('{"action":"accept"}')
    expect(seen).toEqual(['https://example.com/tos'])
    const { callTool } = client('decline', 'cancel')
    expect(text(await callTool('terms'))).toBe('You must accept the terms to continue.')
    expect(text(await callTool('terms'))).toBe('You must accept the terms to continue.')
  },
)

on(
  'lynq',
  [...urlWires, ...urlTransports],
  'waitForCompletion waits for the callback, which may come before the consent',
  async ({ server, visitor }) => {
    const callBack = callbackOf(server)
    // As a server does it: a handler that was suspended goes on. A test client replays it on every round otherwise.
    const replay = { replay: 'when-needed' } as const
    const before = visitor(url => callBack(url), replay)
    expect((await before.callTool('premium_tool')).structuredContent).toEqual({ action: 'accept', paid: true })
    const after = visitor(async url => void setTimeout(() => callBack(url), 20), replay)
    expect((await after.callTool('premium_tool')).structuredContent).toEqual({ action: 'accept', paid: true })
  },
)

on('lynq', urlWires, 'an id that is made in a step is the same in every replay', async ({ server, visitor }) => {
  const callBack = callbackOf(server)
  server.tool('premium', {}, async (_args, c) => {
    const elicitationId = await c.step('id', () => crypto.randomUUID())
    const url = `https://pay.example.com/checkout?state=${c.sessionId}:${elicitationId}`
    return { ...(await c.elicit.url('Complete payment', url, { waitForCompletion: true, elicitationId })) }
  })
  expect((await visitor(callBack).callTool('premium')).structuredContent).toEqual({ action: 'accept' })
})

on('lynq', urlWires, 'the wait ends after five minutes, or when it says', async ({ server, visitor }) => {
  const waiting = (name: string, options: { timeout?: number }) =>
    server.tool(name, {}, async (_args, c) => {
      const url = 'https://pay.example.com/'
      const error: unknown = await c.elicit
        .url('Pay', url, { waitForCompletion: true, ...options })
        .catch(caught => caught)
      return error instanceof AskExpiredError ? `${error.code}` : 'done'
    })
  waiting('pay', {}).tool('look', {}, () => 'Looked.')
  waiting('hurry', { timeout: 60_000 })
  const clock = createTestClock(Date.now()) // as the desk has it
  let opened = 0
  const { callTool } = visitor(async () => void opened++, { clock })
  for (const [name, timeoutMs] of [
    ['hurry', 60_000],
    ['pay', 300_000],
  ] as const) {
    const before = opened
    let said: unknown
    const call = callTool(name).then(result => {
      said = text(result)
    })
    await vi.waitFor(() => expect(opened).toBe(before + 1))
    await clock.advance(timeoutMs - 1_000)
    expect(text(await callTool('look'))).toBe('Looked.')
    expect(said).toBeUndefined()
    // A client that polls looks a little later.
    for (let seconds = 0; seconds < 10 && said === undefined; seconds++) await clock.advance(1_000)
    await call
    expect(said).toBe('-32002')
  }
})

on('lynq', urlWires, 'urlAction() sends the person away and waits', async ({ server, visitor }) => {
  const callBack = callbackOf(server)
  const sign = urlAction({
    message: 'Sign the contract first.',
    buildUrl: ({ sessionId, elicitationId }) => `https://sign.example/start?state=${sessionId}:${elicitationId}`,
    timeout: 300_000,
  })
  server.tool('publish', { use: [sign] }, () => 'Published.')
  const client: TestClient = visitor(async url => callBack((await client.visit(url)).leadsTo ?? ''))
  expect(text(await client.callTool('publish'))).toBe('Published.')
})

on('lynq', urlWires, 'payment() sends the person to pay, and goes on once they have', async ({ server, visitor }) => {
  const price = { amount: 500, currency: 'EUR', description: 'A printed report' }
  let returnUrl = ''
  const paid = payment({
    price,
    checkout(request) {
      returnUrl = request.returnUrl
      return { url: 'https://pay.example/', reference: 'p1' }
    },
    verify: reference => ({ reference, status: 'paid', amount: price.amount, currency: price.currency }),
  })
  server.tool('print', { use: [paid] }, (_args, c) => `Printed for ${c.var.payment.amount}.`)
  const client: TestClient = visitor(async url => {
    await client.visit(url)
    await client.visit(returnUrl)
  })
  expect(text(await client.callTool('print'))).toBe('Printed for 500.')
})

on(
  'lynq',
  urlWires,
  'oauth() redirects the person, takes the callback, and has the token for the handler',
  async story => {
    const { server, visitor } = story
    const { issuer } = await littleIssuer()
    const hub = oauth({ issuer, clientId: 'mcp', scopes: ['notes'] })
    server.tool('notes', { use: [hub] }, async (_args, c) => (await hub.token(c)).accessToken)
    const client: TestClient = visitor(async url => {
      const there = new URL((await client.visit(url)).leadsTo ?? '')
      expect(there.origin).toBe(issuer)
      const back = new URL(there.searchParams.get('redirect_uri') ?? '')
      back.search = `${new URLSearchParams({ code: 'a-code', state: there.searchParams.get('state') ?? '', iss: issuer })}`
      expect(await client.visit(back.href)).toMatchObject({ status: 200, title: 'Done' })
    })
    expect(text(await client.callTool('notes'))).toBe('token-1')
  },
)

on(
  'lynq',
  urlWires,
  'credentials() asks for username and password, on a page: no form may',
  async ({ server, visitor }) => {
    const login = credentials({
      message: 'Sign in to the warehouse.',
      schema: z.object({ username: z.string(), password: z.string() }),
      verify: ({ username, password }) => (password === 'correct horse' ? { id: username } : null),
    })
    server.tool('stock', { use: [login] }, async (_args, c) => ({
      who: await c.session.get('credentials'),
    }))
    const client: TestClient = visitor(url => client.visit(url, { username: 'ada', password: 'correct horse' }))
    expect((await client.callTool('stock')).structuredContent).toEqual({ who: { id: 'ada' } })
    expect(JSON.stringify(client.messages)).not.toContain('correct horse')
  },
)
