import { describe, expect, it, vi } from 'vitest'
import { every, except, some } from '../../src/middleware/combine/index.js'
import { guard } from '../../src/middleware/guard/guard.js'
import { oauth } from '../../src/middleware/oauth/index.js'
import { payment } from '../../src/middleware/payment/index.js'
import { connect, identify, serve, textOf } from '../flows/opened.js'
import { leadsTo, Visitor } from '../flows/visitor.js'
import { littleIssuer } from './little-issuer.js'

vi.setConfig({ testTimeout: 60_000 })

const publicUrl = 'https://shop.example'
/** What a client declares that shows forms, and opens no pages. */
const formsOnly = { elicitation: { form: {} } }

async function signIn(who: Visitor, link: string): Promise<string> {
  const there = new URL(leadsTo((await who.submit(link)).text) ?? '')
  const query = { code: 'c', state: there.searchParams.get('state') ?? '', iss: there.origin }
  return (await who.get(`${publicUrl}/beckon/oauth/callback?${new URLSearchParams(query)}`)).title
}

const linkIn = (text: string) => /https:\/\/shop\.example\/beckon\/go\/[\w-]+/.exec(text)?.[0] ?? ''

describe.each(['push', 'rounds'] as const)('a client that opens no pages, on %s', wire => {
  it('gets the link to sign in at in the result, and goes on when it calls again', async () => {
    const idp = await littleIssuer()
    const server = serve({ publicUrl, identify })
    const hub = oauth({ issuer: idp.issuer, clientId: 'mcp' })
    server.tool('token', hub, {}, async (_input, ctx) => (await hub.token(ctx)).accessToken)
    const client = connect(server, { wire, principal: 'alice', capabilities: formsOnly })
    const first = textOf(await client.callTool('token'))
    expect(linkIn(textOf(await client.callTool('token')))).toBe(linkIn(first))
    expect(await signIn(new Visitor(server, { 'x-user': 'bob' }), linkIn(first)).catch(() => 'nowhere')).toBe('nowhere')
    expect(await signIn(new Visitor(server, { 'x-user': 'alice' }), linkIn(first))).toBe('Done')
    expect(textOf(await client.callTool('token'))).toBe('token-1')
  })

  it('gets the link to pay at in the result, and pays once', async () => {
    const paid = new Set<string>()
    const checkouts: string[] = []
    const server = serve({ publicUrl, identify })
    const price = { amount: 100, currency: 'eur', description: 'A page' }
    const gate = payment({
      price,
      checkout: ({ elicitationId: reference }) => {
        checkouts.push(reference)
        return { url: `https://bank.example/${reference}`, reference }
      },
      verify: reference => ({ ...price, reference, status: paid.has(reference) ? 'paid' : 'open' }),
    })
    server.tool('print', gate, {}, () => 'printed')
    const client = connect(server, { wire, principal: 'alice', capabilities: formsOnly })
    const link = linkIn(textOf(await client.callTool('print')))
    const alice = new Visitor(server, { 'x-user': 'alice' })
    expect(leadsTo((await alice.submit(link)).text)).toBe(`https://bank.example/${checkouts[0]}`)
    expect(linkIn(textOf(await client.callTool('print')))).toBe(link)
    paid.add(checkouts[0] ?? '')
    expect(textOf(await client.callTool('print'))).toBe('printed')
    expect(linkIn(textOf(await client.callTool('print')))).not.toBe(link)
    expect(checkouts).toHaveLength(2)
  })
})

describe('a flow within other middleware', () => {
  it('has its pages served, and is asked for only where it is needed', async () => {
    const idp = await littleIssuer()
    const server = serve({ publicUrl, identify })
    const hub = oauth({ issuer: idp.issuer, clientId: 'mcp' })
    server.use(except('open', every(some(guard(), hub))))
    server.tool('open', {}, () => 'open').tool('closed', {}, () => 'closed')
    server.tool('grant', {}, async (_input, ctx) => {
      await ctx.session.authorize('guard')
      return 'granted'
    })
    const alice = new Visitor(server, { 'x-user': 'alice' })
    const client = connect(server, {
      principal: 'alice',
      answer: async ask => {
        expect(await signIn(alice, ask.kind === 'url' ? ask.url : '')).toBe('Done')
        return 'accept'
      },
    })
    expect(textOf(await client.callTool('open'))).toBe('open')
    expect(client.asked).toHaveLength(0)
    expect(textOf(await client.callTool('closed'))).toBe('closed')
    expect(textOf(await client.callTool('grant'))).toBe('granted')
    expect(client.asked).toHaveLength(1)
    const bob = connect(server, { principal: 'bob', answer: ['decline'] })
    expect(await bob.callTool('closed')).toMatchObject({ isError: true })
  })
})
