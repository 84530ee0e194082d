// What a program has shown beside its question, all the way: over REST, to people, into the audit and what is signed.
import { code, diff, markdown } from '@beckon/core/blocks'
import { createServer, memoryStore } from 'beckon'
import { messageWith, readMessage } from 'beckon/desk/adapter'
import { peekReceipt, receipts, shownDigest } from 'beckon/receipts'
import { createTestClient } from 'beckon/test'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { encodeOlder } from '../dialects/states.js'
import { bearerAccess, createDesk, type Desk, type Listening } from '../index.js'
import type { Session } from '../model/session.js'
import { noticeOf } from '../notify/notice.js'
import { decideQuorum } from '../turns/quorum.js'

const shop = 'the-token-of-the-shop'
const ana = 'the-token-of-ana'
const html = '<script>alert(1)</script>'
const show = [diff('a', 'b', { title: 'x.txt' }), markdown(html)]

let desk: Desk & Listening

interface SeenAsk {
  readonly id: string
  readonly session: string
  readonly message: string
  readonly show?: unknown
}

/** What the desk says, as far as it is looked at here. */
interface Body {
  readonly asks: readonly SeenAsk[]
  readonly entries: readonly { readonly event: string; readonly shown: unknown }[]
  readonly receipt: string
}

beforeEach(async () => {
  const created = createDesk({
    servers: { shop },
    access: bearerAccess({ tokens: { [ana]: { principal: 'ana', role: 'admin' } } }),
    receipts: receipts(),
    store: memoryStore(),
  })
  desk = { ...created, ...(await created.listen()) }
})

afterEach(() => desk.close())

async function send(
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${desk.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}

const nothing: SeenAsk = { id: '', session: '', message: '' }

it('is seen by people, kept in the audit, and signed with the answer', async () => {
  const opened = await send(shop, 'POST', 'api/asks', { id: 'save', message: 'Save?', show })
  expect(opened.status).toBe(201)
  const { body: listed } = await send(ana, 'GET', 'api/asks')
  const [ask = nothing] = listed.asks
  expect(ask).toMatchObject({ message: 'Save?', show })
  await send(ana, 'POST', `api/asks/${ask.session}/${ask.id}/answer`, {})
  const { body: outcome } = await send(shop, 'GET', `api/asks/${ask.session}/${ask.id}/outcome`)
  const digest = shownDigest({ message: 'Save?', show })
  expect(peekReceipt(outcome.receipt)?.shown).toBe(digest)
  const { body: audit } = await send(ana, 'GET', 'api/audit')
  const accepted = audit.entries.find(({ event }) => event === 'accepted')
  expect(accepted?.shown).toEqual({ digest: expect.any(String), text: { message: 'Save?', show } })
})

it('makes another ask of the same id: what is shown cannot be changed afterwards', async () => {
  await send(shop, 'POST', 'api/asks', { id: 'save', message: 'Save?', show })
  expect((await send(shop, 'POST', 'api/asks', { id: 'save', message: 'Save?', show })).status).toBe(201)
  const other = { id: 'save', message: 'Save?', show: [code('rm -rf /')] }
  expect((await send(shop, 'POST', 'api/asks', other)).status).toBe(409)
})

it.each([
  ['markup', [{ kind: 'html', text: html }], 'a block is markdown, diff'],
  ['SVG', [{ kind: 'image', alt: 'a', type: 'image/svg+xml', data: btoa('<svg/>') }], 'SVG can hold script'],
  ['no list', { kind: 'code' }, '`show` is a list of blocks.'],
  ['a script as a link', [{ kind: 'link', url: 'javascript:alert(1)' }], 'its address is refused'],
])('is refused with a sentence when it is %s', async (_, given, sentence) => {
  const { status, body } = await send(shop, 'POST', 'api/asks', { id: 'save', message: 'Save?', show: given })
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain(sentence)
})

it('reaches the desk from a server of a desk elsewhere, and from a turn', async () => {
  const address = new URL(desk.url)
  const url = `http://shop:${shop}@${address.host}`
  const server = createServer({ name: 'shop', version: '1.0.0', desk: url, wait: 'hold' })
  server.tool('save', {}, async (_, ctx) => String(await ctx.confirm({ question: 'Save?', show })))
  const client = createTestClient(server, { capabilities: {} })
  const result = client.callTool('save')
  const ask = await found('Save?')
  expect(ask).toMatchObject({ show })
  await send(ana, 'POST', `api/asks/${ask.session}/${ask.id}/answer`, {})
  expect((await result).content[0]?.text).toBe('true')
  await client.close()
  await server.close()
  const session = await desk.session('by-hand', { title: 'By hand' })
  const turn = await session.startTurn('Look')
  const asked = turn.ask({ question: 'By hand?', schema: ['red', 'green'], show })
  expect(await found('By hand?')).toMatchObject({ show })
  await turn.cancel()
  await asked
  await expect(turn.ask({ question: 'Again?', show: [code('a'.repeat(300_000))] })).rejects.toThrow('192 KB')
})

async function found(message: string): Promise<SeenAsk> {
  for (;;) {
    const { body } = await send(ana, 'GET', 'api/asks')
    const ask = body.asks.find(one => one.message === message)
    if (ask !== undefined) return ask
  }
}

it('is in the message for clients of the live protocol that know no blocks', () => {
  const told = encodeOlder(sessionWith(show)).inputRequests?.[0]
  expect(told?.message).toBe(messageWith('Save?', show))
  expect(readMessage(told?.message ?? '', told?._meta)).toEqual({ question: 'Save?', blocks: show })
})

it('is not accepted from a notification, where it does not stand', () => {
  const options = { linkTo: () => '', showArguments: false }
  const noticeFor = (blocks: typeof show) => {
    const session = sessionWith(blocks)
    return [...session.open.values()].map(ask => noticeOf(session, ask, options).isSimple)
  }
  expect(noticeFor([])).toEqual([true])
  expect(noticeFor(show)).toEqual([false])
})

it('is what several agree to: other blocks are another proposal', () => {
  const digestOf = (blocks: typeof show) => {
    const event = {
      type: 'askEnded',
      at: 1,
      ask: 'a',
      response: 'accept',
      by: { principal: 'ana', device: 'd' },
    } as const
    const [approved] = decideQuorum(sessionWith(blocks), event)?.events ?? []
    return approved?.type === 'approved' ? approved.digest : undefined
  }
  expect(digestOf(show)).toEqual(expect.any(String))
  expect(digestOf(show)).toBe(digestOf([...show]))
  expect(digestOf(show)).not.toBe(digestOf([]))
})

function sessionWith(blocks: readonly unknown[]): Session {
  const request = { id: 'a', message: 'Save?', ...(blocks.length > 0 && { _meta: { 'beckon/show': blocks } }) }
  const ask = { id: 'a', instance: 'i', number: 1, turn: 't', askedAt: 0, request, drafts: {}, approvals: [] }
  const policy = { expiresAt: 9, quorum: 2 }
  const open = new Map([['a', { ...ask, policy }]])
  const session = { id: 's', server: 'shop', title: 'Save', createdAt: 0, modifiedAt: 0, turns: [], open, ended: [] }
  // As much of a session as these look at.
  return { ...session, activeTurn: { id: 't', message: { text: '' }, startedAt: 0 } } as unknown as Session
}
