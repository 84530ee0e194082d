// One person twice: by the access token that their client brings, and by the browser in which they open what it shows them. The
// client is the official one, the provider a real one, and both name the same principal.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { file, files } from '../../src/files/index.js'
import { createServer, type ServerOptions } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { oidc } from '../../src/sign-in/oidc.js'
import { hiddenFields, leadsTo } from '../flows/visitor.js'
import { accessToken, tokenClient } from './access-token.js'
import { type IdentityProvider, identityProvider } from './identity-provider.js'
import { Person } from './person.js'

const pages = { client_id: 'pages', client_secret: 'a secret of the pages' }
const target = 'https://sign.example/contract?id=7'

interface Way {
  readonly by: string
  readonly options: (idp: IdentityProvider) => Pick<ServerOptions, 'auth' | 'identify' | 'signIn'>
  readonly principalOf: (idp: IdentityProvider) => string
}

const client = { clientId: pages.client_id, clientSecret: pages.client_secret }
const ways: readonly Way[] = [
  {
    by: '`auth`',
    options: ({ issuer }) => ({ auth: { issuer, scopes: ['notes:read'] }, signIn: oidc(client) }),
    principalOf: ({ issuer }) => `${issuer}#alice`,
  },
  {
    by: 'an `identify` that reads JWTs',
    options({ issuer }) {
      const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
      return {
        async identify(request) {
          const token = request.headers.get('authorization')?.replace('Bearer ', '')
          return token === undefined ? undefined : (await jwtVerify(token, keys, { issuer })).payload.sub
        },
        signIn: oidc({ ...client, issuer, principalClaim: 'sub' }),
      }
    },
    principalOf: () => 'alice',
  },
]
const versions = ['2025-11-25', '2026-07-28']

async function setUp(version: string, { options, principalOf }: Way) {
  const idp = await identityProvider()
  const folder = await mkdtemp(join(tmpdir(), 'beckon-notary-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const server = createServer({ name: 'notary', version: '1.0.0', files: files({ to: folder }), ...options(idp) })
  onTestFinished(() => server.close())
  server.tool('sign', {}, async (_input, ctx) => {
    const { action } = await ctx.elicit.url('Sign the contract', target)
    return `${action} by ${ctx.principal}`
  })
  const gate = credentials({
    message: 'Your customer number, please.',
    schema: z.object({ number: z.string() }),
    verify: ({ number }) => ({ id: number }),
  })
  server.tool('orders', gate, {}, (_input, ctx) => `Orders of ${ctx.principal}`)
  server.tool('claim', {}, async (_input, ctx) => {
    const report = await ctx.elicit({ question: 'The report, please.', schema: file({ maxBytes: 1_000 }) })
    return `${report?.name} of ${ctx.principal}: ${report?.size} bytes`
  })
  const { url } = await server.listen({ port: 0 })
  const base = new URL(url).origin
  idp.knows({ ...pages, redirect_uris: [`${base}/beckon/sign-in/callback`] })
  idp.knows({ ...tokenClient, redirect_uris: [...tokenClient.redirect_uris] })

  const tokenOf = (name: string) => accessToken(idp, new Person(name), { resource: url, scope: 'notes:read' })

  /** Calls a tool with a token of Alice's, and does something with the link that her client shows. */
  async function call(name: string, visit: (link: string) => Promise<'accept' | 'decline'>): Promise<unknown> {
    const token = await tokenOf('alice')
    const mode = version === '2025-11-25' ? 'legacy' : { pin: version }
    const official = new Client(
      { name: 'official', version: '1' },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode } },
    )
    official.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('There is no link.')
      return { action: await visit(params.url) }
    })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await official.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
    onTestFinished(() => official.close())
    const { content } = await official.callTool({ name })
    return content[0]?.type === 'text' && content[0].text
  }
  return { base, call, tokenOf, principal: principalOf(idp) }
}

/** What a page’s script does with a file that someone chose. */
async function upload(person: Person, link: string, content: string): Promise<Response> {
  const { beckon = '' } = hiddenFields(await (await person.visit(link)).text())
  const headers = { 'sec-fetch-site': 'same-origin', 'x-beckon-form': beckon, 'x-file-name': 'report.txt' }
  return person.visit(`${link.replace('/go/', '/files/')}?field=file`, { method: 'POST', body: content, headers })
}

async function submit(person: Person, link: string, fields: Record<string, string> = {}): Promise<Response> {
  const page = await (await person.visit(link)).text()
  const body = new URLSearchParams({ ...hiddenFields(page), ...fields })
  return person.visit(link, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } })
}

describe.each(versions.flatMap(version => ways.map(way => ({ version, way, by: way.by }))))(
  'a caller with a token, by $by, on $version',
  ({ version, way }) => {
    it('is sent by ctx.elicit.url to a page, which signs them in and goes on for them, and for nobody else', async () => {
      const { base, call, principal } = await setUp(version, way)
      const told = await call('sign', async link => {
        expect(link.startsWith(`${base}/beckon/go/`)).toBe(true)
        const bob = new Person('bob')
        await bob.open(link, link)
        const refused = await bob.visit(link)
        expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('This link is not yours')])

        // A browser that nobody is signed in with, and a link with something after it.
        const alice = new Person('alice')
        const deep = `${link}?from=mail&x=%2F`
        expect((await alice.visit(deep)).status).toBe(303)
        expect((await alice.open(deep, link)).href).toBe(deep)
        const page = await alice.visit(deep)
        expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('sign.example')])
        expect(leadsTo(await (await submit(alice, link)).text())).toBe(target)
        return 'accept'
      })
      expect(told).toBe(`accept by ${principal}`)
    })

    it('types their credentials as the principal of the token', async () => {
      const { call, principal } = await setUp(version, way)
      const told = await call('orders', async link => {
        const alice = new Person('alice')
        expect((await alice.open(link, link)).href).toBe(link)
        expect((await submit(alice, link, { 'field-number': '7' })).status).toBeLessThan(400)
        return 'accept'
      })
      expect(told).toBe(`Orders of ${principal}`)
    })

    it('uploads a file as the principal of the token, and nobody else does in their place', async () => {
      const { call, principal } = await setUp(version, way)
      const told = await call('claim', async link => {
        const [alice, bob] = [new Person('alice'), new Person('bob')]
        await bob.open(link, link)
        expect((await upload(bob, link, 'forged')).status).toBe(403)
        expect((await alice.open(link, link)).href).toBe(link)
        expect((await upload(alice, link, 'the report')).status).toBe(200)
        expect(await (await submit(alice, link, { do: 'send' })).text()).toContain('Done')
        return 'accept'
      })
      expect(told).toBe(`report.txt of ${principal}: 10 bytes`)
    })

    it('opens a page with the token itself, which counts there as it does for a call', async () => {
      const { call, tokenOf, principal } = await setUp(version, way)
      const told = await call('orders', async link => {
        const [alices, bobs] = [await tokenOf('alice'), await tokenOf('bob')]
        /** A program in the person's place, without a cookie of a sign-in. */
        const open = (token: string, init: RequestInit = {}, person = new Person('program')) =>
          person.visit(link, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
        const refused = await open(bobs)
        expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('This link is not yours')])
        // A token that is not good is none: what is left is to sign in.
        expect((await open(`${alices.slice(0, -8)}AAAAAAAA`)).status).toBe(303)
        const program = new Person('program')
        const page = await open(alices, {}, program)
        expect(page.status).toBe(200)
        const body = new URLSearchParams({ ...hiddenFields(await page.text()), 'field-number': '7' })
        expect((await open(alices, { method: 'POST', body }, program)).status).toBeLessThan(400)
        return 'accept'
      })
      expect(told).toBe(`Orders of ${principal}`)
    })
  },
)
