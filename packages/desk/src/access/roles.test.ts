// What someone may do on a desk, by each of the ways in which its access says so: over HTTP, and on a socket.
import { systemClock } from 'beckon'
import { createTestClock } from 'beckon/test'
import { expect, it, onTestFinished } from 'vitest'
import { serveAuthorization } from '../../test/authorization-server.js'
import { LiveClient } from '../../test/live-client.js'
import { createDesk, type DeskOptions } from '../create-desk.js'
import { bearerAccess, jwtAccess } from './index.js'

const tokens = {
  'a-token-of-ines': { principal: 'ines' },
  'a-token-of-ivo': { principal: 'ivo', groups: ['it'] },
  'a-token-of-ada': { principal: 'ada', role: 'auditor' },
} as const
const audience = 'https://desk.example'

async function start(options: DeskOptions) {
  const desk = createDesk(options)
  onTestFinished(() => desk.close())
  const { url } = await desk.listen()
  const clock = options.clock ?? systemClock
  const subject = { server: 'bank', call: 'c', tool: 'pay', principal: 'alice' }
  await desk.open(subject, { id: '1', message: 'Pay?' }, { expiresAt: clock.now() + 60_000 })
  /** What someone's token lets them do with what is not for them. */
  return async (token: string): Promise<'member' | 'auditor' | 'admin'> => {
    const headers = { authorization: `Bearer ${token}` }
    const shown = await (await fetch(new URL('/api/asks/call-c/c.1', url), { headers })).text()
    const { ticket } = await (await fetch(new URL('/ticket', url), { method: 'POST', headers })).json()
    const socket = `${url.replace('http', 'ws')}live?ticket=${ticket}`
    const client = new LiveClient({ url: socket, dialect: '1.0', clientId: token.slice(-20), now: () => Date.now() })
    await client.dial()
    onTestFinished(() => client.drop())
    await client.initialize()
    if (!shown.includes('Pay?')) {
      expect(await client.failure('subscribe', { channel: 'ahp-session:/call-c' })).toMatchObject({ code: -32001 })
      return 'member'
    }
    await client.subscribe('ahp-session:/call-c')
    const renamed = { type: 'session/titleChanged', title: `By ${token.slice(-4)}` }
    return (await client.reasonFor(renamed, 'ahp-session:/call-c')) === undefined ? 'admin' : 'auditor'
  }
}

it('is what lists say, by name and by group', async () => {
  const roleOf = await start({
    access: bearerAccess({ tokens }),
    roles: { admin: { groups: ['it'] }, auditor: { principals: ['ines'] } },
  })
  expect(await roleOf('a-token-of-ines')).toBe('auditor')
  expect(await roleOf('a-token-of-ivo')).toBe('admin')
})

it('is what a token has, or else what a function says', async () => {
  const roleOf = await start({
    access: bearerAccess({ tokens }),
    roles: ({ principal }) => (principal === 'ines' ? undefined : 'admin'),
  })
  expect(await roleOf('a-token-of-ada')).toBe('auditor')
  expect(await roleOf('a-token-of-ivo')).toBe('admin')
  expect(await roleOf('a-token-of-ines')).toBe('member')
})

it('ends with the right to it, also over a socket and a feed that are open', async () => {
  const admins = new Set(['ivo'])
  const desk = createDesk({
    access: bearerAccess({ tokens }),
    roles: ({ principal }) => (admins.has(principal) ? 'admin' : undefined),
  })
  onTestFinished(() => desk.close())
  const { url } = await desk.listen()
  const headers = { authorization: 'Bearer a-token-of-ivo' }
  const { ticket } = await (await fetch(new URL('/ticket', url), { method: 'POST', headers })).json()
  const socket = `${url.replace('http', 'ws')}live?ticket=${ticket}`
  const client = new LiveClient({ url: socket, dialect: '1.0', clientId: 'ivo', now: () => Date.now() })
  await client.dial()
  onTestFinished(() => client.drop())
  await client.initialize()
  const feed = await fetch(new URL('/api/events', url), { headers })
  admins.clear()
  desk.recheck()
  expect(await client.closed).toEqual({ code: 1008 })
  await expect(feed.text()).rejects.toThrow()
})

it('is what a claim says, where it is a role', async () => {
  const clock = createTestClock()
  const issuer = await serveAuthorization(() => clock.now())
  const roleOf = await start({
    clock,
    access: jwtAccess({
      issuer: issuer.issuer,
      audience,
      jwksUri: `${issuer.issuer}/jwks`,
      roleClaim: 'desk_role',
      clock,
    }),
  })
  const exp = clock.now() / 1000 + 300
  const token = (desk_role: unknown) => issuer.sign({ iss: issuer.issuer, aud: audience, sub: 'x', exp, desk_role })
  expect(await roleOf(await token('auditor'))).toBe('auditor')
  expect(await roleOf(await token('admin'))).toBe('admin')
  for (const wrong of ['root', 'ADMIN', ['admin'], { admin: true }, undefined])
    expect(await roleOf(await token(wrong))).toBe('member')
})
