import { afterEach, describe, expect, it, vi } from 'vitest'
import { github, google, type OAuth, oauth } from '../../src/middleware/oauth/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, identify, serve, textOf } from '../flows/opened.js'
import { leadsTo, Visitor } from '../flows/visitor.js'
import { granted, littleIssuer, type TokenReply } from './little-issuer.js'

vi.setConfig({ testTimeout: 60_000 })
afterEach(() => void vi.unstubAllGlobals())

const publicUrl = 'https://shop.example'

/** Alice signs in with `hub`, at whatever it leads to. */
async function signIn(hub: OAuth, { issuer, clock = new FakeClock() }: { issuer?: string; clock?: FakeClock } = {}) {
  const server = serve({ publicUrl, identify, clock })
  server.tool('token', hub, {}, async (_input, ctx) => {
    const { accessToken, scopes } = await hub.token(ctx)
    return [accessToken, ...scopes].join(' ')
  })
  const alice = new Visitor(server, { 'x-user': 'alice' })
  const there: URL[] = []
  const client = connect(server, {
    principal: 'alice',
    async answer(ask) {
      const url = new URL(leadsTo((await alice.submit(ask.kind === 'url' ? ask.url : '')).text) ?? '')
      there.push(url)
      const { searchParams } = url
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      const answer = { code: 'c', state: searchParams.get('state') ?? '', ...(issuer !== undefined && { iss: issuer }) }
      back.search = `${new URLSearchParams(answer)}`
      await alice.get(back.href)
      return 'accept'
    },
  })
  return { client, there, said: textOf(await client.callTool('token')) }
}

/** Answers whatever is sent to another host. */
function elsewhere(answer: (url: URL, form: URLSearchParams) => TokenReply): URLSearchParams[] {
  const sent: URLSearchParams[] = []
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const form = new URLSearchParams(String(init.body ?? ''))
    sent.push(form)
    const { status, body } = answer(new URL(input), form)
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  })
  return sent
}

describe('oauth', () => {
  it('has a name of its own in the redirect address, words of its own, and more in the request', async () => {
    const { issuer } = await littleIssuer()
    const hub = oauth({
      issuer,
      clientId: 'mcp',
      name: 'wiki',
      message: 'To the wiki!',
      parameters: { prompt: 'login' },
    })
    const { client, there, said } = await signIn(hub, { issuer })
    expect(said).toBe('token-1')
    expect(client.asked[0]?.message).toBe('To the wiki!')
    expect(Object.fromEntries(there[0]?.searchParams ?? [])).toMatchObject({
      prompt: 'login',
      redirect_uri: `${publicUrl}/beckon/wiki/callback`,
    })
  })

  it('lets nothing in the parameters replace what keeps a sign-in safe', async () => {
    const { issuer } = await littleIssuer()
    const parameters = { state: 'known', code_challenge: 'known', redirect_uri: 'https://evil.example', nonce: 'known' }
    const { there } = await signIn(oauth({ issuer, clientId: 'mcp', parameters }), { issuer })
    const query = Object.fromEntries(there[0]?.searchParams ?? [])
    expect([query.state, query.code_challenge]).not.toContain('known')
    expect(query.redirect_uri).toBe(`${publicUrl}/beckon/oauth/callback`)
  })

  it.each([
    ['body', { clientSecret: 's3cret' }, 's3cret'],
    ['header', { clientSecret: 's3cret', secretIn: 'header' as const }, null],
    ['nowhere, for a public client', {}, null],
  ])('sends its secret in the %s', async (_where, options, inBody) => {
    const idp = await littleIssuer()
    const { said } = await signIn(oauth({ issuer: idp.issuer, clientId: 'mcp', ...options }), { issuer: idp.issuer })
    expect(said).toBe('token-1')
    expect(idp.requests[0]?.get('client_secret')).toBe(inBody)
  })

  it('says what was granted, asks nobody twice for what was not, and goes by the last answer', async () => {
    const idp = await littleIssuer()
    const clock = new FakeClock()
    idp.reply = () => granted('one', { scope: 'notes', refresh_token: 'r', expires_in: 60 })
    const hub = oauth({ issuer: idp.issuer, clientId: 'mcp', scopes: ['notes', 'photos'] })
    const { client, said } = await signIn(hub, { issuer: idp.issuer, clock })
    expect(said).toBe('one notes')
    clock.advance(60_000)
    idp.reply = () => granted('two', { refresh_token: 'r', expires_in: 60 })
    expect(textOf(await client.callTool('token'))).toBe('two notes')
    clock.advance(60_000)
    idp.reply = () => granted('three', { scope: 'notes photos' })
    expect(textOf(await client.callTool('token'))).toBe('three notes photos')
    expect(client.asked).toHaveLength(1)
  })

  it('gives a person as much time as it says', async () => {
    const { issuer } = await littleIssuer()
    const clock = new FakeClock()
    const server = serve({ publicUrl, identify, clock })
    server.tool('token', oauth({ issuer, clientId: 'mcp', timeoutMs: 1_000 }), {}, () => 'ran')
    let page = ''
    const client = connect(server, {
      principal: 'alice',
      async answer(ask) {
        clock.advance(1_000)
        page = (await new Visitor(server, { 'x-user': 'alice' }).get(ask.kind === 'url' ? ask.url : '')).title
        return 'decline'
      },
    })
    await client.callTool('token').catch(() => {})
    expect(page).toBe('This link has expired')
  })
})

describe('github', () => {
  const hub = github({ clientId: 'app', clientSecret: 's3cret', scopes: ['repo'] })

  it('signs in at GitHub, and reads its scopes', async () => {
    const sent = elsewhere(() => granted('gho_1', { scope: 'repo,user' }))
    const { there, said } = await signIn(hub)
    expect(`${there[0]?.origin}${there[0]?.pathname}`).toBe('https://github.com/login/oauth/authorize')
    expect(there[0]?.searchParams.get('redirect_uri')).toBe(`${publicUrl}/beckon/github/callback`)
    expect(said).toBe('gho_1 repo user')
    expect(sent[0]?.get('client_secret')).toBe('s3cret')
  })

  it('has errors that come as a success, and asks again when the refresh token was revoked', async () => {
    const clock = new FakeClock()
    const replies = [
      granted('ghu_1', { refresh_token: 'ghr_1', expires_in: 28_800 }),
      { status: 200, body: { error: 'bad_refresh_token' } },
      granted('ghu_2'),
      { status: 200, body: { error: 'bad_verification_code' } },
    ]
    elsewhere(() => replies.shift() ?? granted('nothing'))
    const { client } = await signIn(hub, { clock })
    clock.advance(28_800_000)
    expect(textOf(await client.callTool('token'))).toBe('ghu_2 repo')
    expect(client.asked).toHaveLength(2)
    expect((await signIn(hub)).said).toContain('github.com refused the sign-in (bad_verification_code).')
  })
})

describe('google', () => {
  it('finds Google, and asks for a refresh token', async () => {
    const issuer = 'https://accounts.google.com'
    const endpoints = { authorization_endpoint: `${issuer}/o/oauth2/v2/auth`, token_endpoint: 'https://oauth2.example' }
    elsewhere(url =>
      url.host === 'accounts.google.com' ? { status: 200, body: { issuer, ...endpoints } } : granted('ya29'),
    )
    const drive = google({
      clientId: 'app',
      clientSecret: 's3cret',
      scopes: ['drive'],
      parameters: { hd: 'x.example' },
    })
    const { there, said } = await signIn(drive)
    expect(said).toBe('ya29 drive')
    expect(Object.fromEntries(there[0]?.searchParams ?? [])).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      hd: 'x.example',
      redirect_uri: `${publicUrl}/beckon/google/callback`,
    })
  })
})
