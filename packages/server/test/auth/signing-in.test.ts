// A page that is for one person, opened in a browser of somebody who is not signed in.
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createServer, type ServerOptions } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { type OidcOptions, oidc } from '../../src/sign-in/oidc.js'
import { createTestClient } from '../../src/test/index.js'
import { hiddenFields } from '../flows/visitor.js'
import { type IdentityProvider, identityProvider } from './identity-provider.js'
import { Person } from './person.js'

const client = { client_id: 'pages', client_secret: 'a secret of the pages' }

interface Setup {
  readonly server?: (idp: IdentityProvider) => Partial<ServerOptions>
  readonly oidc?: (idp: IdentityProvider) => Partial<OidcOptions>
}

/** A server with a page to type something in, and the link that Alice was sent. */
async function setUp({ server: more, oidc: settings }: Setup = {}) {
  const idp = await identityProvider()
  const errors: unknown[] = []
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    signIn: oidc({ clientId: client.client_id, clientSecret: client.client_secret, ...settings?.(idp) }),
    onError: error => errors.push(error),
    ...(more === undefined ? { auth: { issuer: idp.issuer } } : more(idp)),
  })
  onTestFinished(() => server.close())
  const gate = credentials({
    message: 'Sign in to the shop.',
    schema: z.object({ number: z.string() }),
    verify: ({ number }) => ({ id: number }),
  })
  server.tool('gated', gate, {}, () => 'passed')
  const base = new URL((await server.listen({ port: 0 })).url).origin
  idp.knows({ ...client, redirect_uris: [`${base}/beckon/sign-in/callback`] })
  /** Has a principal's client call the tool, and does something with the link that they are sent. */
  async function call(principal: string, visit: (link: string) => Promise<unknown>): Promise<string> {
    const testClient = createTestClient(server, {
      principal,
      answer: async ask => {
        if (ask.kind !== 'url') throw new Error('There is no link.')
        return (await visit(ask.url)) === 'decline' ? 'decline' : 'accept'
      },
    })
    const { content } = await testClient.callTool('gated')
    return content[0]?.text ?? ''
  }
  return { idp, base, server, errors, call }
}

async function submit(person: Person, link: string, fields: Record<string, string>): Promise<Response> {
  const page = await (await person.visit(link)).text()
  const body = new URLSearchParams({ ...hiddenFields(page), ...fields })
  return person.visit(link, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } })
}

describe('a page of the server’s own', () => {
  it('is for the person of the token, who signs in by the browser and comes back to that very page', async () => {
    const { idp, call } = await setUp()
    const alice = new Person('alice')
    const told = await call(`${idp.issuer}#alice`, async link => {
      expect((await alice.visit(link)).status).toBe(303)
      expect((await alice.open(link, link)).href).toBe(link)
      expect((await submit(alice, link, { 'field-number': '7' })).status).toBeLessThan(400)
    })
    expect(told).toBe('passed')
  })

  it('is not for somebody else who signs in', async () => {
    const { idp, call } = await setUp()
    const bob = new Person('bob')
    await call(`${idp.issuer}#alice`, async link => {
      await bob.open(link, link)
      const page = await bob.visit(link)
      expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('This link is not yours')])
      return 'decline'
    })
  })

  it('is for people whom an `identify` of the author’s own names, by a claim', async () => {
    const identify = () => {
      throw new Response(null, { status: 401 })
    }
    const { call, base } = await setUp({
      server: () => ({ identify }),
      oidc: ({ issuer }) => ({ principalClaim: 'sub', issuer }),
    })
    const alice = new Person('alice')
    const told = await call('alice', async link => {
      expect((await alice.open(link, link)).origin).toBe(base)
      await submit(alice, link, { 'field-number': '7' })
    })
    expect(told).toBe('passed')
  })
})
