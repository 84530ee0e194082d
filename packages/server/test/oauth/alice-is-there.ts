import { type OAuthOptions, oauth } from '../../src/middleware/oauth/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, identify, serve } from '../flows/opened.js'
import { leadsTo, Visitor } from '../flows/visitor.js'
import type { UrlWire } from '../flows/wires.js'
import { littleIssuer } from './little-issuer.js'

export const publicUrl = 'https://shop.example/app'
export const callback = `${publicUrl}/beckon/oauth/callback`

/** Alice was asked to sign in, went on from our page, and is at the authorization server. */
export async function aliceIsThere(options: Partial<OAuthOptions> = {}, wire: UrlWire = 'rounds') {
  const idp = await littleIssuer()
  const clock = new FakeClock()
  const server = serve({ publicUrl, identify, clock })
  const hub = oauth({ issuer: idp.issuer, clientId: 'mcp', scopes: ['notes'], ...options })
  server.tool('token', hub, {}, async (_input, ctx) => (await hub.token(ctx)).accessToken)
  let link = ''
  let tell = () => {}
  const isAsked = new Promise<void>(resolve => {
    tell = resolve
  })
  const client = connect(server, {
    wire,
    principal: 'alice',
    answer(ask) {
      link = ask.kind === 'url' ? ask.url : ''
      tell()
      return 'accept'
    },
  })
  const result = client.callTool('token')
  await Promise.race([isAsked, result])
  const as = (user: string) => new Visitor(server, { 'x-user': user })
  const alice = as('alice')
  const there = link === '' ? undefined : new URL(leadsTo((await alice.submit(link)).text) ?? '')
  const back = (change: Record<string, string | undefined> = {}) => {
    const url = new URL(callback)
    const { searchParams } = there ?? new URL(callback)
    const answer = { code: 'a-code', state: searchParams.get('state') ?? '', iss: idp.issuer, ...change }
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value)
    return url.href
  }
  return { idp, clock, server, client, result, link, there, alice, as, back }
}

/** As above, with endpoints instead of an issuer, and no clock but that of the machine. */
export async function aliceWith(options: Pick<OAuthOptions, 'endpoints' | 'answerMs'>) {
  const server = serve({ publicUrl, identify })
  const hub = oauth({ clientId: 'mcp', scopes: ['notes'], ...options })
  server.tool('token', hub, {}, async (_input, ctx) => {
    const { accessToken, scopes } = await hub.token(ctx)
    return `${accessToken} ${scopes.join(' ')}`
  })
  const alice = new Visitor(server, { 'x-user': 'alice' })
  let asked = (_url: string) => {}
  const link = new Promise<string>(resolve => {
    asked = resolve
  })
  const client = connect(server, {
    principal: 'alice',
    answer(ask) {
      if (ask.kind === 'url') asked(ask.url)
      return 'accept'
    },
  })
  const result = client.callTool('token')
  const there = new URL(leadsTo((await alice.submit(await link)).text) ?? '')
  const back = `${callback}?code=a-code&state=${there.searchParams.get('state')}`
  return { alice, back, there, result }
}
