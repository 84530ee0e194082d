// The page "Elicitation" of lynq: forms, URLs, callbacks and the middleware of its tables, with the code as it is written there.
import { Hono } from 'hono'
import { expect } from 'vitest'
import { z } from 'zod'
import { AskExpiredError, type BeckonServer } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { oauth } from '../../src/middleware/oauth/index.js'
import { payment } from '../../src/middleware/payment/index.js'
import { urlAction } from '../../src/middleware/url-action/url-action.js'
import { createTestClient, createTestClock, type TestClient } from '../../src/test/index.js'
import { littleIssuer } from '../oauth/little-issuer.js'
import { on, urlWires, wires } from './wires.js'

const text = (result: { content: { text?: unknown }[] }) => result.content[0]?.text

on(wires, 'configure asks for preferences, and a later call finds them', async ({ server, client }) => {
  server.tool('configure', { description: 'Set preferences', task: 'optional' }, async (_args, c) => {
    const result = await c.elicit.form(
      'Choose your preferences',
      z.object({
        theme: z.enum(['light', 'dark']).describe('Color theme'),
        language: z.string().describe('Preferred language'),
      }),
    )

    if (result.action !== 'accept') {
      expect((result as { content?: unknown }).content).toEqual({})
      return c.text('Configuration cancelled.')
    }

    c.session.set('preferences', result.content)
    return c.text(`Theme: ${result.content.theme}, Language: ${result.content.language}`)
  })
  server.tool('preferences', {}, async (_args, c) => ({ found: (await c.session.get('preferences')) ?? null }))
  const preferences = { theme: 'dark', language: 'en' }
  const { callTool } = client('decline', 'cancel', preferences)
  expect(text(await callTool('configure'))).toBe('Configuration cancelled.')
  expect(text(await callTool('configure'))).toBe('Configuration cancelled.')
  expect(text(await callTool('configure'))).toBe('Theme: dark, Language: en')
  expect((await callTool('preferences')).structuredContent).toEqual({ found: preferences })
})

on(urlWires, 'a URL gives what the person did, and no data', async ({ server, client, visitor, wire }) => {
  server.tool('terms', { task: 'optional' }, async (_args, c) => {
    const result = await c.elicit.url('Review the terms of service', 'https://example.com/tos')

    if (result.action !== 'accept') {
      return c.text('You must accept the terms to continue.')
    }
    return c.text(JSON.stringify(result))
  })
  const seen: string[] = []
  expect(text(await visitor(async url => seen.push(url)).callTool('terms'))).toBe('{"action":"accept"}')
  expect(seen).toEqual(['https://example.com/tos'])
  if (wire === 'desk') return
  const { callTool } = client('decline', 'cancel')
  expect(text(await callTool('terms'))).toBe('You must accept the terms to continue.')
  expect(text(await callTool('terms'))).toBe('You must accept the terms to continue.')
})

/** The route that the payment page calls back. */
function callbackOf(mcp: BeckonServer): (url: string) => Promise<string> {
  const app = new Hono()
  app.get('/payment/callback', async ctx => {
    const [sessionId = '', elicitationId = ''] = ctx.req.query('state')?.split(':') ?? []
    mcp.session(sessionId).set('paid', true)
    mcp.completeElicitation(elicitationId)
    return ctx.html('<p>Done! You can close this tab.</p>')
  })
  return async url => (await app.request(`/payment/callback${new URL(url).search}`)).text()
}

on(urlWires, 'waitForCompletion waits for the callback, which may come before the consent', async story => {
  const { server } = story
  const callBack = callbackOf(server)
  server.tool('premium_tool', { task: 'optional' }, async (_args, c) => {
    const elicitationId = crypto.randomUUID()

    const result = await c.elicit.url(
      'Complete payment to continue',
      `https://pay.example.com/checkout?state=${c.sessionId}:${elicitationId}`,
      { waitForCompletion: true, elicitationId, timeout: 300_000 },
    )
    return { ...result, paid: (await c.session.get('paid')) ?? null }
  })
  // As a server does it: a handler that was suspended goes on. A test client replays it on every round otherwise.
  const replay = { replay: 'when-needed' } as const
  const before = story.visitor(url => callBack(url), replay)
  expect((await before.callTool('premium_tool')).structuredContent).toEqual({ action: 'accept', paid: true })
  const after = story.visitor(async url => void setTimeout(() => callBack(url), 20), replay)
  expect((await after.callTool('premium_tool')).structuredContent).toEqual({ action: 'accept', paid: true })
})

on(urlWires, 'an id that is made in a step is the same in every replay', async ({ server, visitor }) => {
  const callBack = callbackOf(server)
  server.tool('premium_tool', { task: 'optional' }, async (_args, c) => {
    const elicitationId = await c.step('id', () => crypto.randomUUID())
    const url = `https://pay.example.com/checkout?state=${c.sessionId}:${elicitationId}`
    return { ...(await c.elicit.url('Complete payment', url, { waitForCompletion: true, elicitationId })) }
  })
  expect((await visitor(callBack).callTool('premium_tool')).structuredContent).toEqual({ action: 'accept' })
})

on(['push 2025-11-25'], 'the wait ends after five minutes where nothing else is said', async ({ server }) => {
  const clock = createTestClock()
  server.tool('pay', {}, async (_args, c) => {
    const error: unknown = await c.elicit
      .url('Pay', 'https://pay.example.com/', { waitForCompletion: true })
      .catch(caught => caught)
    return error instanceof AskExpiredError ? `${error.code}` : 'done'
  })
  const client = createTestClient(server, { wire: 'push', clock, answer: () => 'accept' })
  let said: unknown
  const call = client.callTool('pay').then(result => {
    said = text(result)
  })
  for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
  await clock.advance(299_000)
  expect(said).toBeUndefined()
  await clock.advance(1_000)
  await call
  expect(said).toBe('-32002')
  await client.close()
})

on(urlWires, 'urlAction() sends the person away and waits', async ({ server, visitor }) => {
  const callBack = callbackOf(server)
  const sign = urlAction({
    message: 'Sign the contract first.',
    buildUrl: ({ sessionId, elicitationId }) => `https://sign.example/start?state=${sessionId}:${elicitationId}`,
    timeout: 300_000,
  })
  server.tool('publish', { use: [sign], task: 'optional' }, () => 'Published.')
  const client: TestClient = visitor(async url => callBack((await client.visit(url)).leadsTo ?? ''))
  expect(text(await client.callTool('publish'))).toBe('Published.')
})

on(urlWires, 'payment() sends the person to pay, and goes on once they have', async ({ server, visitor }) => {
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
  server.tool('print', { use: [paid], task: 'optional' }, (_args, c) => `Printed for ${c.var.payment.amount}.`)
  const client: TestClient = visitor(async url => {
    await client.visit(url)
    await client.visit(returnUrl)
  })
  expect(text(await client.callTool('print'))).toBe('Printed for 500.')
})

on(urlWires, 'oauth() redirects the person, takes the callback, and has the token for the handler', async story => {
  const { server, visitor } = story
  const { issuer } = await littleIssuer()
  const hub = oauth({ issuer, clientId: 'mcp', scopes: ['notes'] })
  server.tool('notes', { use: [hub], task: 'optional' }, async (_args, c) => (await hub.token(c)).accessToken)
  const client: TestClient = visitor(async url => {
    const there = new URL((await client.visit(url)).leadsTo ?? '')
    expect(there.origin).toBe(issuer)
    const back = new URL(there.searchParams.get('redirect_uri') ?? '')
    back.search = `${new URLSearchParams({ code: 'a-code', state: there.searchParams.get('state') ?? '', iss: issuer })}`
    expect(await client.visit(back.href)).toMatchObject({ status: 200, title: 'Done' })
  })
  expect(text(await client.callTool('notes'))).toBe('token-1')
})

on(urlWires, 'credentials() asks for username and password, on a page: no form may', async ({ server, visitor }) => {
  const login = credentials({
    message: 'Sign in to the warehouse.',
    schema: z.object({ username: z.string(), password: z.string() }),
    verify: ({ username, password }) => (password === 'correct horse' ? { id: username } : null),
  })
  server.tool('stock', { use: [login], task: 'optional' }, async (_args, c) => ({
    who: await c.session.get('credentials'),
  }))
  const client: TestClient = visitor(url => client.visit(url, { username: 'ada', password: 'correct horse' }))
  expect((await client.callTool('stock')).structuredContent).toEqual({ who: { id: 'ada' } })
  expect(JSON.stringify(client.messages)).not.toContain('correct horse')
})
