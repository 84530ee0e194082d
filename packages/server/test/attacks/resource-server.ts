// A server with `auth`, and tokens that are not for it. The issuer is a real one, and so is its key.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import { type ServerOptions, systemClock } from '../../src/index.js'
import { guard } from '../../src/middleware/guard/guard.js'
import { oidc } from '../../src/sign-in/oidc.js'
import { type IdentityProvider, identityProvider } from '../auth/identity-provider.js'
import { Person } from '../auth/person.js'
import { serve } from '../flows/opened.js'
import type { Family } from './attack.js'
import { type OverHttp, overHttp, type Reply } from './over-http.js'

interface Scene extends OverHttp {
  readonly idp: IdentityProvider
  /** Calls the tool with a token, as the issuer would sign it but for what is given. */
  call(claims: Record<string, unknown>, how?: Signing): Promise<Reply>
  /** That token. */
  token(claims: Record<string, unknown>, how?: Signing): Promise<string>
}

interface Signing {
  readonly key?: JWK
  readonly header?: Partial<JWTHeaderParameters>
}

async function scene(options: Partial<ServerOptions> = {}): Promise<Scene> {
  const idp = await identityProvider()
  const served = await overHttp(
    server => {
      server.tool('t', {}, () => 'passed')
      server.tool('admin', { use: [guard({ scopes: ['admin'] })] }, () => 'passed')
    },
    { identify: undefined, auth: { issuer: idp.issuer, scopes: ['read'] }, onError: () => {}, ...options },
  )
  const token: Scene['token'] = async (claims, { key = idp.key, header = {} } = {}) => {
    const seconds = Math.floor(Date.now() / 1000)
    const regular = { iss: idp.issuer, aud: served.url, sub: 'alice', scope: 'read', exp: seconds + 300 }
    return new SignJWT({ ...regular, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: idp.key.kid, ...header })
      .sign(await importJWK(key, 'RS256'))
  }
  return {
    ...served,
    idp,
    token,
    async call({ tool = 't', ...claims }, how) {
      return served.modern({ name: tool }, { headers: { authorization: `Bearer ${await token(claims, how)}` } })
    },
  }
}

/** What the client is told, which has to be the same for each. */
function refusedAs(...replies: Omit<Reply, 'message'>[]): string {
  const told = replies.map(({ status, headers, text }) => {
    if (text.includes('passed')) throw new Error('It passed.')
    return `${status}, ${/error="\w+"(, error_description="[^"]+")?/.exec(String(headers['www-authenticate']))?.[0]}`
  })
  return [...new Set(told)].join('; ')
}

export const resourceServer: Family = {
  family: '`auth`',
  attacks: [
    {
      attack: 'a token of the issuer that another server was given, and passes on',
      async run() {
        const { call, url } = await scene()
        const audiences = ['https://other.example/mcp', `${url}/more`, new URL(url).origin, undefined]
        return refusedAs(...(await Promise.all(audiences.map(aud => call({ aud })))))
      },
    },
    {
      attack: 'a token that another issuer signed: under its own name, or under that of ours',
      async run() {
        const { call, idp } = await scene()
        const { privateKey } = await generateKeyPair('RS256', { extractable: true })
        const key = await exportJWK(privateKey)
        return refusedAs(await call({ iss: 'https://evil.example' }, { key }), await call({ iss: idp.issuer }, { key }))
      },
    },
    {
      attack: 'a token that expired two minutes ago',
      run: async () => refusedAs(await (await scene()).call({ exp: Math.floor(Date.now() / 1000) - 120 })),
    },
    {
      attack: 'a token whose `sub` is empty, blank, an object, a list, a number, or not there',
      async run() {
        const { call } = await scene()
        const subjects = ['', ' ', { id: 'alice' }, ['alice'], 7, null, undefined]
        return refusedAs(...(await Promise.all(subjects.map(sub => call({ sub })))))
      },
    },
    {
      attack: 'a stolen token that is bound to a key which the thief does not have (`cnf`)',
      run: async () => refusedAs(await (await scene()).call({ cnf: { jkt: 'x' } })),
    },
    {
      attack: 'something else that the issuer signed: a logout token',
      run: async () => refusedAs(await (await scene()).call({}, { header: { typ: 'logout+jwt' } })),
    },
    {
      attack: 'a good token, for a tool that needs more than it allows',
      run: async () => refusedAs(await (await scene()).call({ tool: 'admin' })),
    },
    {
      attack: 'who listens for changes goes on with it, after the token has expired',
      async run() {
        let at = Date.now()
        const { url, token } = await scene({ keepAliveMs: 5, clock: { ...systemClock, now: () => at } })
        const params = { notifications: { toolsListChanged: true }, _meta }
        const stream = await fetch(url, {
          method: 'POST',
          headers: headersOf(await token({}), 'subscriptions/listen'),
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
        })
        if (stream.status !== 200) throw new Error(await stream.text())
        at += 400_000
        return stream.text().then(
          () => 'the stream ended',
          () => 'cut off, within a minute',
        )
      },
    },
    {
      attack: 'a call that begins with a good token, and ends after that has expired',
      async run() {
        let at = Date.now()
        const { url, token, call } = await scene({ clock: { ...systemClock, now: () => at } })
        const outgoing = request(url, {
          method: 'POST',
          headers: { ...headersOf(await token({}), 'tools/call'), 'mcp-name': 't', expect: '100-continue' },
        })
        const params = { name: 't', arguments: {}, _meta }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        outgoing.flushHeaders()
        await once(outgoing, 'continue')
        outgoing.write(body.slice(0, 20))
        // What was sent is there, and its sender was let in, once another has been answered.
        for (let others = 0; others < 2; others++) await call({})
        at += 400_000
        outgoing.end(body.slice(20))
        const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
        const text = Buffer.concat(await response.toArray()).toString()
        return refusedAs({ status: response.statusCode ?? 0, headers: response.headers, text })
      },
    },
    {
      attack: 'tokens with 50 made-up key ids, to have the server ask the issuer for each',
      async run() {
        const { call, idp } = await scene()
        for (let guess = 0; guess < 50; guess++) await call({}, { header: { kid: `guess ${guess}` } })
        return `the issuer was asked ${idp.seen.filter(path => path === 'GET /jwks').length} time`
      },
    },
  ],
}

const client = { client_id: 'pages', client_secret: 'a secret of the pages' }

/** A server that people sign in to, and where its provider sends a browser back to. */
async function pages(): Promise<{ base: string; leave(person: Person, next?: string): Promise<URL> }> {
  const idp = await identityProvider()
  const signIn = oidc({ clientId: client.client_id, clientSecret: client.client_secret })
  const server = serve({ auth: { issuer: idp.issuer }, signIn, onError: () => {} })
  const base = new URL((await server.listen({ port: 0 })).url).origin
  idp.knows({ ...client, redirect_uris: [`${base}/beckon/sign-in/callback`] })
  return {
    base,
    leave: (person, next = '/beckon/go/x') =>
      person.open(`${base}/beckon/sign-in/start?next=${encodeURIComponent(next)}`, `${base}/beckon/sign-in/callback`),
  }
}

async function turnedAway(response: Response): Promise<string> {
  if (response.headers.get('location') !== null) throw new Error('It counted.')
  return `${response.status}, “${/<h1>(.*?)<\/h1>/.exec(await response.text())?.[1]}”`
}

export const pageSignIn: Family = {
  family: '`signIn`',
  attacks: [
    {
      attack: 'Mallory has Alice’s browser finish a sign-in that Mallory began (login CSRF)',
      async run() {
        const { leave } = await pages()
        const back = await leave(new Person('mallory'))
        return turnedAway(await new Person('alice').visit(back))
      },
    },
    {
      attack: 'a code that was caught on its way to Alice’s browser, in a sign-in of Mallory’s own (PKCE)',
      async run() {
        const { leave } = await pages()
        const mallory = new Person('mallory')
        const own = await leave(mallory)
        own.searchParams.set('code', (await leave(new Person('alice'))).searchParams.get('code') ?? '')
        return turnedAway(await mallory.visit(own))
      },
    },
    {
      attack: 'the same way back a second time, with the same cookies',
      async run() {
        const { leave, base } = await pages()
        const alice = new Person('alice')
        const back = await leave(alice)
        const kept = new Map(alice.cookiesOf(new URL(base).host))
        await alice.visit(back)
        const again = new Person('alice')
        for (const [name, value] of kept) again.cookiesOf(new URL(base).host).set(name, value)
        return turnedAway(await again.visit(back))
      },
    },
    {
      attack: 'an answer that another provider sent (mix-up)',
      async run() {
        const { leave } = await pages()
        const alice = new Person('alice')
        const back = await leave(alice)
        back.searchParams.set('iss', 'https://evil.example')
        return turnedAway(await alice.visit(back))
      },
    },
    {
      attack: 'a link to our sign-in that leads to another site afterwards (open redirect, seven ways)',
      async run() {
        const { leave, base } = await pages()
        const ways = ['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example']
        for (const next of [...ways, '/.//evil.example', 'javascript:alert(1)', '/beckon/sign-in/start?next=//evil']) {
          const alice = new Person('alice')
          const to = (await alice.visit(await leave(alice, next))).headers.get('location') ?? ''
          if (new URL(to, base).origin !== base || /^\/[/\\]/.test(to)) throw new Error(`It leads to ${to}.`)
        }
        return 'leads to a page of ours'
      },
    },
  ],
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The headers of a request of 2026-07-28. */
function headersOf(token: string, method: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
  }
}
