// Who comes in, and for how long.
import { request } from 'node:http'
import { memoryStore, systemClock } from 'beckon'
import type { Family } from '../../../../test/attack-table.js'
import { oidcAccess } from '../../src/index.js'
import { clientId, clientSecret } from '../authorization-server.js'
import { Browser } from '../browser.js'
import { oidcDesk } from '../oidc-desk.js'
import { attacked, must, shop, tokenOf } from './desk-under-attack.js'

const sure = { id: 'sure', message: 'Sure?' }

/** A request whose Host and Origin are as given, which `fetch` would not send. */
function sent(url: string, headers: Record<string, string>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
    outgoing.once('response', response => resolve(response.resume().statusCode ?? 0)).once('error', reject)
    outgoing.end(body)
  })
}

/** A request of which the body waits until the result is called, with what it is. */
async function begun(url: string, token: string, method = 'POST'): Promise<(body: string) => Promise<number>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' }
  const outgoing = request(url, { method, headers })
  const status = new Promise<number>((resolve, reject) => {
    outgoing.once('response', response => resolve(response.resume().statusCode ?? 0)).once('error', reject)
  })
  outgoing.flushHeaders()
  // Node says so when it gives the request to the desk.
  await new Promise(resolve => outgoing.once('continue', resolve))
  outgoing.write('{')
  return body => {
    outgoing.end(body.slice(1))
    return status
  }
}

export const door: Family = {
  family: 'The door of a desk',
  attacks: [
    {
      attack: 'a page of another site has a tab open wrong one-time links, until nobody may use the right one',
      async run() {
        const desk = await attacked({ access: undefined })
        const browser = new Browser()
        const fromElsewhere = { 'sec-fetch-site': 'cross-site' }
        for (let guess = 0; guess < 30; guess++) await browser.visit(`${desk.url}?key=wrong${guess}`, fromElsewhere)
        const { status } = await browser.visit(desk.newLink())
        must(status === 303 || status === 302, `The right link got ${status}.`)
        return 'the right link signs in'
      },
    },
    {
      attack: 'wrong tokens of servers and of people, until the right ones are not looked at',
      async run() {
        const desk = await attacked()
        for (let guess = 0; guess < 30; guess++) await desk.send(`a-wrong-token-${guess}`, 'POST', '/api/asks', sure)
        const opened = await desk.send(shop, 'POST', '/api/asks', sure)
        const listed = await desk.send(tokenOf('alice'), 'GET', '/api/asks')
        must(opened.status === 201 && listed.status === 200, `${opened.status} and ${listed.status}`)
        return 'the right ones are: 201 and 200'
      },
    },
    {
      attack: 'a page of another site, or under a name that was made to point here, with the right token of a server',
      async run() {
        const desk = await attacked()
        const authorization = `Bearer ${shop}`
        const url = `${desk.url}api/asks`
        const statuses = [
          await sent(url, { authorization, origin: 'https://evil.example' }, JSON.stringify(sure)),
          await sent(url, { authorization, host: 'evil.example' }, JSON.stringify(sure)),
        ]
        must(
          statuses.every(status => status === 403),
          statuses.join(),
        )
        return '403 by the Origin, and by the Host, as for anybody'
      },
    },
    {
      attack: 'Alice answers over a socket that is open, after her token was withdrawn',
      async run() {
        let aheadMs = 0
        const desk = await attacked({ clock: { ...systemClock, now: () => systemClock.now() + aheadMs } })
        const { session } = (await (await desk.send(shop, 'POST', '/api/asks', sure)).json()) as { session: string }
        const channel = `ahp-session:/${session}`
        const alice = await desk.connect(tokenOf('alice'))
        await alice.subscribe(channel)
        desk.people.delete(tokenOf('alice'))
        aheadMs = 1_000
        const action = { type: 'inputCompleted', requestId: `${session.slice(5)}.sure`, response: 'accept' }
        alice.dispatch(action, channel)
        const { code } = await alice.closed
        const { status } = await desk.send(shop, 'GET', `/api/asks/${session}/${action.requestId}/outcome?waitMs=0`)
        must(status === 202, `The ask is over: ${status}.`)
        return `not taken, and closed with ${code}: what she does is done on a proof of this second`
      },
    },
    {
      attack: 'Alice sends an answer over HTTP, and ends it after her token was withdrawn',
      async run() {
        let aheadMs = 0
        const desk = await attacked({ clock: { ...systemClock, now: () => systemClock.now() + aheadMs } })
        const opened = await desk.send(shop, 'POST', '/api/asks', sure)
        const { session, id } = (await opened.json()) as { session: string; id: string }
        const end = await begun(`${desk.url}api/asks/${session}/${id}/answer`, tokenOf('alice'))
        desk.people.delete(tokenOf('alice'))
        aheadMs = 1_000
        const answered = await end('{}')
        const { status } = await desk.send(shop, 'GET', `/api/asks/${session}/${id}/outcome?waitMs=0`)
        must(status === 202, `The ask is over: ${status}.`)
        return `${answered}, and the ask is open`
      },
    },
    {
      attack: 'a server waits for an answer, and begins to ask something, before its token is taken back',
      async run() {
        let aheadMs = 0
        const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
        const desk = await attacked({ clock, roles: ({ principal }) => (principal === 'bob' ? 'admin' : undefined) })
        const made = await desk.send(tokenOf('bob'), 'POST', '/api/admin/tokens', { server: 'ci' })
        const { token } = (await made.json()) as { token: string }
        const opened = await desk.send(token, 'POST', '/api/asks', sure)
        const { session, id } = (await opened.json()) as { session: string; id: string }
        const waits = desk.send(token, 'GET', `/api/asks/${session}/${id}/outcome`)
        const end = await begun(`${desk.url}api/asks`, token)
        await desk.send(tokenOf('bob'), 'DELETE', '/api/admin/tokens/ci')
        aheadMs = 1_000
        await desk.send(tokenOf('alice'), 'POST', `/api/asks/${session}/${id}/answer`, {})
        const heard = (await waits).status
        const asked = await end(JSON.stringify({ id: 'other', message: 'Other?' }))
        must(heard === 401 && asked === 401, `It was told: ${heard}, and has asked: ${asked}.`)
        return '401 for both: neither is it told what was answered, nor is anybody asked'
      },
    },
    {
      attack: 'Mallory, who only looks on, after her token was withdrawn and the desk was told so (`desk.recheck()`)',
      async run() {
        const desk = await attacked()
        const mallory = await desk.connect(tokenOf('mallory'))
        desk.people.delete(tokenOf('mallory'))
        desk.recheck()
        return `closed with ${(await mallory.closed).code}, at once`
      },
    },
    {
      attack:
        'what Alice’s browser brings back from the provider is sent to another node of the desk, by a provider that lets it',
      async run() {
        const store = memoryStore()
        const here = await oidcDesk({ clientSecret, store, clock: Date })
        here.provider.cheats.codesCountTwice = true
        const publicUrl = here.server.url
        const other = oidcAccess({ issuer: here.provider.issuer, clientId, clientSecret, publicUrl, store })
        const back = await here.leave()
        const cookie = [...here.browser.cookies].map(pair => pair.join('=')).join('; ')
        const header = (name: string): string | undefined => ({ host: new URL(publicUrl).host, cookie })[name]
        const query = back.search.slice(1)
        await here.browser.visit(back.href)
        const again = await other.handle({ method: 'GET', path: '/callback', query, remoteAddress: '', header })
        must(!again?.headers.some(([name]) => name.toLowerCase() === 'set-cookie'), 'They are signed in.')
        return `${again?.status}: a sign-in counts once`
      },
    },
    {
      attack: 'a ticket is used twice, and after the token that it stands for was withdrawn',
      async run() {
        const desk = await attacked()
        const ticket = async () =>
          ((await (await desk.send(tokenOf('bob'), 'POST', '/ticket')).json()) as { ticket: string }).ticket
        const used = await ticket()
        const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
        const open = (value: string) =>
          new Promise<number>((resolve, reject) => {
            const key = Buffer.from('0123456789abcdef').toString('base64')
            const headers = { ...upgrade, 'sec-websocket-key': key }
            const outgoing = request(`${desk.url}live?ticket=${value}`, { headers })
            outgoing.once('upgrade', (_, socket) => {
              socket.destroy()
              resolve(101)
            })
            outgoing.once('response', response => resolve(response.resume().statusCode ?? 0)).once('error', reject)
            outgoing.end()
          })
        must((await open(used)) === 101, 'A ticket is not good even once.')
        const twice = await open(used)
        const later = await ticket()
        desk.people.delete(tokenOf('bob'))
        const withdrawn = await open(later)
        must(twice === 401 && withdrawn === 401, `${twice} and ${withdrawn}`)
        return '401, and 401'
      },
    },
  ],
}
