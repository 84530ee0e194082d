import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { issuerAt } from '../auth/issuer.js'
import { algorithmsOf } from '../auth/signatures.js'
import { createTestClock } from '../test/test-clock.js'
import { BrowserSessions } from './browser-sessions.js'
import { openIdSignIn, signInNeeds } from './open-id-sign-in.js'
import { systemRandom } from './secret.js'
import { memoryRecords } from './session-records.js'

const pair = generateKeyPair('RS256', { extractable: true })

interface Provider {
  /** What the ID token says beside what every one does. */
  readonly idToken?: object
  /** What is at the userinfo endpoint; none unless given. */
  readonly userInfo?: object
  readonly metadata?: object
  readonly claims?: readonly string[]
  /** How far its clock is ahead of ours. */
  readonly aheadMs?: number
}

/** Signs somebody in at a provider of this machine; gives the claims, if it came to that, and what the operator was told. */
async function signIn({ idToken, userInfo, metadata, claims: wanted, aheadMs = 0 }: Provider) {
  const clock = createTestClock()
  const { privateKey, publicKey } = await pair
  const asked: (string | undefined)[] = []
  let nonce = ''
  const server = createServer(async (request, response) => {
    const { address, port } = server.address() as AddressInfo
    const iss = `http://${address}:${port}`
    const endpoints = { authorization_endpoint: '/authorize', token_endpoint: '/token', jwks_uri: '/jwks' }
    const all = { ...endpoints, ...(userInfo && { userinfo_endpoint: '/me' }) }
    const published = Object.entries(all).map(([name, path]) => [name, `${iss}${path}`])
    const send = (value: unknown) => response.end(JSON.stringify(value))
    if (request.url === '/jwks') return send({ keys: [{ ...(await exportJWK(publicKey)), kid: '1', alg: 'RS256' }] })
    if (request.url === '/me') {
      asked.push(request.headers.authorization)
      return send(userInfo)
    }
    if (request.url !== '/token') return send({ issuer: iss, ...Object.fromEntries(published), ...metadata })
    const iat = Math.floor((clock.now() + aheadMs) / 1000)
    const payload = { iss, aud: 'desk', sub: 'alice', iat, exp: iat + 300, nonce, ...idToken }
    const token = await new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: '1' }).sign(privateKey)
    return send({ id_token: token, access_token: 'a-token-of-alice' })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const told: string[] = []
  const publicOrigin = 'http://127.0.0.1'
  const cookie = { kind: 'sign-in', publicOrigin }
  const sessions = new BrowserSessions<object>({
    clock,
    random: systemRandom,
    records: memoryRecords(clock),
    idleMs: 60_000,
    maxMs: 60_000,
    cookie: { kind: 'session', publicOrigin },
    isForeign: () => false,
  })
  const found: object[] = []
  const { leave, comeBack } = openIdSignIn<object, { location?: string; cookie?: string; status?: number }>({
    client: {
      issuer: issuerAt(issuer, { clock, needs: signInNeeds }),
      clientId: 'desk',
      clientSecret: undefined,
      redirectUri: `${publicOrigin}/callback`,
      algorithms: algorithmsOf(),
      clock,
    },
    scopes: ['profile'],
    claims: wanted,
    random: systemRandom,
    sessions,
    cookie,
    paths: { signIn: '/in', signOut: '/out' },
    personOf({ iss, aud, iat, exp, nonce: _, ...claims }) {
      found.push(claims)
      return claims
    },
    respond: {
      redirect: (location, headers = []) => ({ location, cookie: headers[0]?.[1] ?? '' }),
      failed: (_request, status) => ({ status }),
      wrongMethod: () => ({ status: 405 }),
      tooMany: () => ({ status: 429 }),
    },
    onError: error => told.push((error as Error).message),
  })
  async function signInOnce(): Promise<void> {
    const from = { method: 'GET', path: '/in', query: '', remoteAddress: '127.0.0.1' }
    const left = await leave({ ...from, header: () => undefined })
    const params = new URL(left.location ?? '').searchParams
    nonce = params.get('nonce') ?? ''
    const query = `code=1&state=${params.get('state')}`
    const kept = left.cookie?.split(';')[0]
    await comeBack({ ...from, path: '/callback', query, header: name => (name === 'cookie' ? kept : undefined) })
  }
  await signInOnce()
  return { found, told, asked, again: signInOnce }
}

it('has what the ID token lacks from the userinfo endpoint of the provider', async () => {
  const { found, told, asked } = await signIn({ userInfo: { sub: 'alice', groups: ['release'], name: 'Alice' } })
  expect(found).toEqual([{ sub: 'alice', groups: ['release'], name: 'Alice' }])
  expect([told, asked]).toEqual([[], ['Bearer a-token-of-alice']])
})

it('counts what the ID token says, and takes an address as verified only where that was said of it', async () => {
  const userInfo = { sub: 'alice', groups: ['admins'], email: 'other@id.example', email_verified: true }
  const own = await signIn({ idToken: { groups: ['release'], email: 'alice@id.example' }, userInfo })
  expect(own.found).toEqual([{ sub: 'alice', groups: ['release'], email: 'alice@id.example' }])
  const elsewhere = await signIn({
    idToken: { email_verified: true },
    userInfo: { sub: 'alice', email: 'a@id.example' },
  })
  expect(elsewhere.found).toEqual([{ sub: 'alice', email: 'a@id.example' }])
})

it('takes nothing that is about somebody else', async () => {
  const { found, told } = await signIn({ userInfo: { sub: 'mallory', groups: ['admins'] } })
  expect(found).toEqual([{ sub: 'alice' }])
  expect(told).toEqual([expect.stringContaining('somebody else than the ID token')])
})

it('sends the token nowhere without encryption', async () => {
  const metadata = { userinfo_endpoint: 'http://id.example/me' }
  const { found, told } = await signIn({ userInfo: {}, metadata })
  expect([found, told]).toEqual([[{ sub: 'alice' }], [expect.stringContaining('userinfo_endpoint')]])
})

it('asks for nothing where the ID token has what is needed', async () => {
  const userInfo = { sub: 'alice', name: 'Alice' }
  const { asked, found } = await signIn({ idToken: { groups: [] }, userInfo, claims: ['sub', 'groups'] })
  expect([asked, found]).toEqual([[], [{ sub: 'alice', groups: [] }]])
})

it('says once that a claim which is needed is nowhere', async () => {
  const { again, told, found } = await signIn({ userInfo: { sub: 'alice' }, claims: ['groups'] })
  await again()
  expect(told).toEqual([expect.stringContaining('no claim "groups"')])
  expect(found).toHaveLength(2)
})

it.each([-600_000, 600_000])(
  'tells the operator that clocks may disagree, where that of the provider is %d ms off',
  async aheadMs => {
    const { found, told } = await signIn({ aheadMs })
    expect(found).toEqual([])
    expect(told).toEqual([expect.stringContaining("The clock of this machine and the provider's may disagree")])
  },
)
