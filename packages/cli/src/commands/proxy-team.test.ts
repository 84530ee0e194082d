// Four eyes before a published server that knows nothing of asking: a desk with people and rules, a proxy that has every call
// approved there, and official clients of both eras.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bearerAccess, createDesk, type Desk, type Rule } from '@beckon/desk'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, startBeckon } from '../../test/beckon.js'
import { connectHttp, type Era, eras, newClient, patience, textOf } from '../../test/clients.js'

const peers = new URL('../../../../conformance/peers/node_modules/', import.meta.url)
const published = ['@modelcontextprotocol', 'server-everything', 'dist', 'index.js'].join('/')
const everything = process.env.BECKON_SERVER_EVERYTHING ?? fileURLToPath(new URL(published, peers))
const isThere = existsSync(everything)
if (!isThere) console.log('skipped: four eyes before server-everything, which is not installed in conformance/peers')

const patient = 120_000
const token = 'token-of-the-proxy-1'
const directory = { ops: ['ann', 'ben', 'cleo'], leads: ['lea'] }
const people = ['ann', 'ben', 'cleo', 'dan', 'eve', 'lea']
const leads = { groups: ['leads'] }
const rules: readonly Rule[] = [
  { id: 'two-of-ops', effect: 'ask', match: { tool: 'get-sum' }, audience: { groups: ['ops'] }, quorum: 2 },
  { id: 'one-of-ops', effect: 'ask', match: { tool: 'echo' }, audience: { groups: ['ops'] } },
  {
    id: 'then-leads',
    effect: 'ask',
    match: { tool: 'get-tiny-image' },
    audience: { groups: ['ops'] },
    escalation: { afterMs: 300, audience: leads },
  },
]

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Json = any

let desk: Desk
let url: string
let proxy: Running
const clients = new Map<Era, Client>()

describe.skipIf(!isThere)('four eyes', () => {
  beforeAll(async () => {
    const tokens = Object.fromEntries(people.map(name => [`token-of-${name}-12345678`, { principal: name }]))
    desk = createDesk({ access: bearerAccess({ tokens }), directory, rules, servers: { shop: token } })
    url = (await desk.listen()).url
    const address = url.replace('http://', `http://shop:${token}@`)
    proxy = startBeckon(['proxy', '--approve', '--http', '0', '--desk', address, '--', process.execPath, everything])
    const at = (await proxy.written(/the proxy is at (\S+)/))[1] ?? ''
    for (const era of eras) clients.set(era, await connectHttp(newClient(era), at))
    for (const name of people) await send(name, 'me')
  }, patient)

  afterAll(async () => {
    for (const client of clients.values()) await client.close()
    await proxy?.stop()
    await desk?.close()
  }, patient)

  async function send(who: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
    const response = await fetch(`${url}api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer token-of-${who}-12345678`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  /** The path of the one ask that someone has. */
  async function askOf(who: string): Promise<string> {
    const asks = async () => (await send(who, 'asks')).body.asks
    await expect.poll(asks, { timeout: 60_000 }).toHaveLength(1)
    const [{ session, id }] = await asks()
    return `asks/${encodeURIComponent(session)}/${encodeURIComponent(id)}`
  }

  it.each(eras)('run a call of %s that two approve, one of them for somebody else', { timeout: patient }, async era => {
    const result = clients.get(era)?.callTool({ name: 'get-sum', arguments: { a: 1, b: 2 } }, patience)
    const ask = await askOf('ann')
    const sum = { content: { a: 1, b: 2 } }
    expect((await send('ann', `${ask}/answer`, sum)).status).toBe(202)
    expect((await send('ann', `${ask}/comments`, { text: 'As every month.' })).status).toBe(201)
    expect((await send('eve', `${ask}/comments`, { text: 'Me too.' })).status).toBe(404)
    expect((await send('ben', `${ask}/delegate`, { to: 'dan' })).status).toBe(200)
    expect((await send('ben', `${ask}/answer`, sum)).status).toBe(404)
    expect((await send('dan', ask)).body).toMatchObject({
      approval: { of: 2, by: ['ann'], missing: ['dan', 'cleo'] },
      comments: [{ by: 'ann', text: 'As every month.' }],
    })
    expect((await send('dan', `${ask}/answer`, sum)).status).toBe(200)
    expect(textOf((await result) as never)).toMatch(/3/)
    await expect
      .poll(async () => (await send('ann', ask)).body.report, { timeout: 20_000 })
      .toMatchObject({ status: 'done', text: expect.stringMatching(/3/) })
    expect((await send('eve', ask)).status).toBe(404)
    const request = decodeURIComponent(ask.split('/')[2] ?? '')
    const entries = await desk.audit.query({ request })
    expect(entries.map(({ event, by, person }) => [event, by?.principal, person].filter(Boolean).join(' '))).toEqual(
      expect.arrayContaining([
        'asked',
        'recorded ann',
        'commented ann',
        'delegated ben dan',
        'accepted dan',
        'reported',
      ]),
    )
  })

  it.each(eras)('run no call of %s that one declines, and the model reads why', { timeout: patient }, async era => {
    const result = clients.get(era)?.callTool({ name: 'echo', arguments: { message: 'hi' } }, patience)
    const ask = await askOf('cleo')
    await send('cleo', `${ask}/decline`, { reason: 'Not on a Friday.' })
    expect(textOf((await result) as never)).toMatch(/did not let "echo" run.*Not on a Friday/)
  })

  it.each(eras)('ask others when nobody decides about a call of %s', { timeout: patient }, async era => {
    const result = clients.get(era)?.callTool({ name: 'get-tiny-image', arguments: {} }, patience)
    const ask = await askOf('lea')
    expect((await send('ann', `${ask}/answer`, {})).status).toBe(404)
    expect((await send('lea', `${ask}/answer`, {})).status).toBe(200)
    expect((await result)?.isError).not.toBe(true)
    const request = decodeURIComponent(ask.split('/')[2] ?? '')
    const events = (await desk.audit.query({ request })).map(({ event }) => event)
    expect(events).toEqual(expect.arrayContaining(['asked', 'escalated', 'accepted']))
  })
})
