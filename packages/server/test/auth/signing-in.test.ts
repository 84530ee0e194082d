// A page that is for one person, opened in a browser of somebody who is not signed in.
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createServer, type ServerOptions, systemClock } from '../../src/index.js'
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

/** Begins to sign in for a link, and stops where the provider sends the browser back. */
async function leave(person: Person, link: string, base: string): Promise<URL> {
  return person.open(link, `${base}/beckon/sign-in/callback`)
}

describe('coming back from the provider', () => {
  /** Alice's link while her call waits, and what an attack got. */
  async function attack(run: (scene: Scene) => Promise<void>): Promise<void> {
    const { idp, base, call } = await setUp()
    let isRun = false
    await call(`${idp.issuer}#alice`, async link => {
      await run({ idp, base, link, alice: new Person('alice'), mallory: new Person('mallory') })
      isRun = true
      return 'decline'
    })
    expect(isRun).toBe(true)
  }
  interface Scene {
    readonly idp: IdentityProvider
    readonly base: string
    readonly link: string
    readonly alice: Person
    readonly mallory: Person
  }

  it('counts once', () =>
    attack(async ({ alice, link, base }) => {
      const back = await leave(alice, link, base)
      const attempt = new Map(alice.cookiesOf(new URL(base).host))
      expect((await alice.visit(back)).headers.get('location')).toBe(new URL(link).pathname)
      const again = new Person('alice')
      for (const [name, value] of attempt) again.cookiesOf(new URL(base).host).set(name, value)
      expect((await again.visit(back)).status).toBe(400)
      expect((await again.visit(link)).status).toBe(303)
    }))

  it('counts in the browser that left, alone: nobody is signed in as somebody else (login CSRF)', () =>
    attack(async ({ alice, mallory, link, base }) => {
      const hers = await leave(mallory, link, base)
      expect((await alice.visit(hers)).status).toBe(400)
      await leave(alice, link, base)
      expect((await alice.visit(hers)).status).toBe(400)
      expect((await alice.visit(link)).status).toBe(303)
    }))

  it('counts with the code of that very attempt: PKCE has the provider refuse another one', () =>
    attack(async ({ alice, mallory, link, base }) => {
      const stolen = (await leave(alice, link, base)).searchParams.get('code') ?? ''
      const own = await leave(mallory, link, base)
      own.searchParams.set('code', stolen)
      expect((await mallory.visit(own)).status).toBe(403)
      expect((await mallory.visit(link)).status).toBe(303)
    }))

  it.each([
    ['of another issuer', 'https://evil.example'],
    ['that does not say whose it is', undefined],
  ])('does not count with an answer %s (mix-up)', (_name, iss) =>
    attack(async ({ alice, link, base }) => {
      const back = await leave(alice, link, base)
      if (iss === undefined) back.searchParams.delete('iss')
      else back.searchParams.set('iss', iss)
      const page = await alice.visit(back)
      expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('not from the provider')])
    }),
  )

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/%09/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/beckon/sign-in/start?next=//evil.example',
  ])('leads to a page of ours, and not to %s', next =>
    attack(async ({ alice, base }) => {
      const start = `${base}/beckon/sign-in/start?next=${encodeURIComponent(next)}`
      const back = await leave(alice, start, base)
      const location = (await alice.visit(back)).headers.get('location') ?? ''
      expect(new URL(location, base).origin).toBe(base)
      expect(location).toMatch(/^\/(?![/\\])/)
      expect(location).not.toContain('/beckon/sign-in')
    }),
  )

  it.each([
    ['55 seconds behind', -55, true],
    ['55 seconds ahead', 55, true],
    ['75 seconds behind', -75, false],
    // An ID token lives for ten minutes here, and is not older than ten minutes anywhere.
    ['12 minutes ahead', 12 * 60, false],
  ])('with a server whose clock is %s of the provider’s', async (_name, seconds, counts) => {
    const { idp, base, call, errors } = await setUp({
      server: ({ issuer }) => ({
        auth: { issuer },
        clock: { ...systemClock, now: () => Date.now() + seconds * 1000 },
      }),
    })
    await call(`${idp.issuer}#alice`, async link => {
      const alice = new Person('alice')
      const back = await alice.visit(await leave(alice, link, base))
      if (counts) expect(back.headers.get('location')).toBe(new URL(link).pathname)
      else {
        expect([back.status, await back.text()]).toEqual([403, expect.stringContaining('proves nothing')])
        expect(errors.map(String)).toEqual([expect.stringMatching(/"(iat|exp)" claim/)])
      }
      expect((await alice.visit(link)).status).toBe(counts ? 200 : 303)
      return 'decline'
    })
  })

  it('says so when the provider is away, with a page, and works again when it is back', async () => {
    let at = Date.now()
    const { idp, base, call, errors } = await setUp({
      server: ({ issuer }) => ({ auth: { issuer }, clock: { ...systemClock, now: () => at } }),
    })
    await call(`${idp.issuer}#alice`, async link => {
      const alice = new Person('alice')
      idp.isAway = true
      const begun = await alice.visit(link)
      expect((await alice.visit(new URL(begun.headers.get('location') ?? '', base))).status).toBe(503)
      expect(errors.length).toBeGreaterThan(0)
      idp.isAway = false
      at += 1_000
      expect((await alice.open(link, link)).href).toBe(link)
      return 'decline'
    })
  })
})

describe('someone who is signed in', () => {
  it('can sign out, on our own page alone', async () => {
    const { idp, base, call } = await setUp()
    await call(`${idp.issuer}#alice`, async link => {
      const alice = new Person('alice')
      await alice.open(link, link)
      const out = `${base}/beckon/sign-in/out`
      const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
      await alice.visit(out, { method: 'POST', headers: foreign })
      expect((await alice.visit(link)).status).toBe(200)
      expect(await (await alice.visit(out)).text()).toContain('Sign out?')
      await alice.visit(out, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
      expect((await alice.visit(link)).status).toBe(303)
      return 'decline'
    })
  })

  it('is not somebody for a page that another site fetches', async () => {
    const { idp, call } = await setUp()
    await call(`${idp.issuer}#alice`, async link => {
      const alice = new Person('alice')
      await alice.open(link, link)
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
      expect((await alice.visit(link, { headers })).status).toBe(303)
      return 'decline'
    })
  })
})

describe('settings by which nobody would be who they are', () => {
  const make = (options: Partial<ServerOptions>) => () => createServer({ name: 's', version: '1.0.0', ...options })
  const auth = { issuer: 'https://id.example' }
  it.each<[string, Partial<ServerOptions>, string]>([
    ['two issuers', { auth, signIn: oidc({ issuer: 'https://other.example', clientId: 'c' }) }, 'the same issuer'],
    ['two claims', { auth, signIn: oidc({ principalClaim: 'email', clientId: 'c' }) }, 'the same principalClaim'],
    ['no issuer', { identify: () => 'x', signIn: oidc({ clientId: 'c' }) }, 'needs an `issuer`'],
    ['nobody to be', { signIn: oidc({ ...auth, clientId: 'c' }) }, '`auth` or `identify`'],
  ])('%s are refused at once', (_name, options, message) => {
    expect(make(options)).toThrow(message)
  })
})
