import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { awayStore } from '../../test/away-store.js'
import { serveRest } from '../../test/serve-rest.js'
import { createParts, type DeskParts } from '../desk-parts.js'
import { type DeskSession, openSession } from '../turns/desk-session.js'
import type { LiveRequest } from '../turns/request.js'
import type { AskOptions, AskOutcome, Turn } from '../turns/turn.js'
import { createRest, type Rest, type RestOptions } from './rest.js'

let clock: TestClock
let store: Store
let parts: DeskParts
let rest: Rest
let served: Awaited<ReturnType<typeof serveRest>>
let turn: Turn

beforeEach(async () => {
  clock = createTestClock()
  store = memoryStore({ clock })
  parts = createParts({ clock, store })
  rest = createRest(parts)
  served = await serveRest(rest)
  turn = await startTurn('s')
})

afterEach(async () => {
  rest.close()
  await served.close()
  await parts.close()
})

function session(id = 's', server = 'shop'): Promise<DeskSession> {
  return openSession(parts.turns, { id, title: 'Session', server, audience: 'anyone' })
}

async function startTurn(id: string, server = 'shop'): Promise<Turn> {
  return (await session(id, server)).startTurn('go')
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Reply = { status: number; type: string | null; headers: Headers; body: any; text: string }

interface Call {
  as?: string
  groups?: string
  body?: unknown
  raw?: string
  type?: string
  accept?: string
}

async function call(
  method: string,
  path: string,
  { as = 'alice', groups, body, raw, type, accept }: Call = {},
): Promise<Reply> {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      ...(groups && { 'x-groups': groups }),
      ...(accept && { accept }),
      ...(text !== undefined && { 'content-type': type ?? 'application/json' }),
    },
    ...(text !== undefined && { body: text }),
  })
  const received = await response.text()
  const contentType = response.headers.get('content-type')
  const isJson = contentType?.endsWith('json') && !contentType.includes('ndjson')
  return {
    status: response.status,
    type: contentType,
    headers: response.headers,
    body: isJson ? JSON.parse(received) : undefined,
    text: received,
  }
}

const turnOfLoop = () => new Promise(resolve => setImmediate(resolve))

/** Puts an ask, and gives what comes of it. */
async function put(
  request: LiveRequest,
  options?: AskOptions,
  on: Turn = turn,
): Promise<{ outcome: Promise<AskOutcome> }> {
  const outcome = on.ask(request, options)
  await turnOfLoop()
  await turnOfLoop()
  return { outcome }
}

const form = {
  id: 'f',
  message: 'Deploy where?',
  questions: [
    { id: 'name', kind: 'text', message: 'Name', required: true, min: 2 },
    { id: 'count', kind: 'integer', message: 'How many?', max: 5 },
    { id: 'ok', kind: 'boolean', message: 'Ok?' },
    {
      id: 'env',
      kind: 'single-select',
      title: 'Environment',
      message: 'Which?',
      options: [{ id: 'prod', label: 'Production' }],
      allowFreeformInput: true,
    },
    {
      id: 'tags',
      kind: 'multi-select',
      message: 'Tags',
      options: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
    },
  ],
  _meta: { 'beckon/tool': 'deploy', 'beckon/arguments': { app: 'web' } },
} as const
const formRequest = form as unknown as LiveRequest

describe('GET /api/asks', () => {
  it('lists the open asks that someone may answer, newest first, with what they are about', async () => {
    await put({ id: 'c', message: 'Sure?' })
    await clock.advance(1000)
    await put(formRequest)
    await clock.advance(1000)
    await put({ id: 'secret', message: 'For bob' }, { audience: { principals: ['bob'] } })
    const { status, body } = await call('GET', '/api/asks')
    expect(status).toBe(200)
    expect(body).toEqual({
      asks: [
        {
          id: 'f',
          kind: 'form',
          status: 'open',
          session: 's',
          server: 'shop',
          title: 'Session',
          tool: 'deploy',
          arguments: { app: 'web' },
          message: 'Deploy where?',
          questions: form.questions,
          drafts: {},
          askedAt: clock.now() - 1000,
          expiresAt: clock.now() - 1000 + 86_400_000,
        },
        expect.objectContaining({ id: 'c', kind: 'confirm', questions: [] }),
      ],
      open: 2,
    })
    expect((await call('GET', '/api/asks', { as: 'bob' })).body.asks.map(({ id }: { id: string }) => id)).toEqual([
      'secret',
      'f',
      'c',
    ])
  })

  it('gives pages that no new ask disturbs', async () => {
    for (let index = 0; index < 7; index++) {
      await put({ id: `a${index}`, message: 'Sure?' })
      if (index % 2 === 0) await clock.advance(1)
    }
    const seen: string[] = []
    let path = '/api/asks?limit=3'
    for (let page = 0; page < 10; page++) {
      const { body } = await call('GET', path)
      seen.push(...body.asks.map(({ id }: { id: string }) => id))
      if (page === 0) await put({ id: 'late', message: 'Later' })
      if (body.nextCursor === undefined) break
      path = `/api/asks?limit=3&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
  })

  it('filters by session and server', async () => {
    await put({ id: 'one', message: 'Sure?' })
    await put({ id: 'two', message: 'Sure?' }, {}, await startTurn('t', 'bank'))
    const ids = async (query: string) =>
      (await call('GET', `/api/asks?${query}`)).body.asks.map(({ id }: { id: string }) => id)
    expect(await ids('session=t')).toEqual(['two'])
    expect(await ids('server=shop')).toEqual(['one'])
    expect(await ids('session=nope')).toEqual([])
  })

  it('filters by tool, and finds text in the message, the server, the tool and the arguments', async () => {
    const about = (tool: string, input: unknown) => ({ 'beckon/tool': tool, 'beckon/arguments': input })
    await put({ id: 'one', message: 'Ship it to Oslo?', _meta: about('ship', { weight: 3 }) })
    await put({ id: 'two', message: 'Sure?', _meta: about('refund', { note: 'Broken GLASS', toString: 1 }) })
    await put({ id: 'three', message: 'Sure?' }, {}, await startTurn('t', 'glassworks'))
    await put({ id: 'secret', message: 'glass' }, { audience: { principals: ['bob'] } })
    const ids = async (query: string) =>
      (await call('GET', `/api/asks?${query}`)).body.asks.map(({ id }: { id: string }) => id).sort()
    expect(await ids('tool=ship')).toEqual(['one'])
    expect(await ids('tool=shi')).toEqual([])
    expect(await ids('search=OSLO')).toEqual(['one'])
    expect(await ids('search=refun')).toEqual(['two'])
    expect(await ids('search=glass')).toEqual(['three', 'two'])
    expect(await ids('search=glass&server=shop')).toEqual(['two'])
    expect(await ids('search=glass&session=t')).toEqual(['three'])
    expect(await ids('search=')).toEqual(['one', 'three', 'two'])
    expect(await ids(`search=${encodeURIComponent('.*')}`)).toEqual([])
    expect((await call('GET', `/api/asks?search=${'x'.repeat(201)}`)).status).toBe(400)
  })

  it('finds what is behind many that do not fit, page by page, and says how far it looked', async () => {
    parts = createParts({ clock, store, limits: { maxOpenAsks: 5_000 } })
    await swap({})
    const many = await startTurn('many')
    many.ask({ id: 'old', message: 'A needle' }).catch(() => {})
    await clock.advance(1)
    for (let index = 0; index < 2_500; index++) many.ask({ id: `h${index}`, message: 'Hay' }).catch(() => {})
    while (parts.sessions.known('many')?.open.size !== 2_501) await turnOfLoop()
    await clock.advance(1)
    for (const id of ['n1', 'n2', 'n3']) await put({ id, message: 'A needle' }, {}, many)
    const pages: { asks: { id: string }[]; open: number; searchedTo?: number }[] = []
    for (let cursor = ''; pages.length < 10; ) {
      const { body } = await call('GET', `/api/asks?search=needle&limit=2${cursor}`)
      pages.push(body)
      if (body.nextCursor === undefined) break
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    const found = pages.map(({ asks }) => asks.map(({ id }) => id))
    expect(found.flat().sort()).toEqual(['n1', 'n2', 'n3', 'old'])
    expect(found[0]).toHaveLength(2)
    expect(pages.map(({ open }) => open)).toEqual(pages.map(() => 1_000))
    expect(pages.at(-1)).not.toHaveProperty('searchedTo')
    const cutShort = pages.filter(({ searchedTo }) => searchedTo !== undefined)
    expect(cutShort.map(({ searchedTo }) => searchedTo)).toEqual([clock.now() - 1])
  })

  it('shows each ask once that is for someone in several ways, and counts it once', async () => {
    const audience = { principals: ['alice'], groups: ['finance', 'ops'] }
    for (let index = 0; index < 7; index++) await put({ id: `a${index}`, message: 'Sure?' }, { audience })
    await put({ id: 'anyone', message: 'Sure?' })
    const groups = 'finance,ops'
    const seen: string[] = []
    for (let cursor = ''; seen.length < 20; ) {
      const { body } = await call('GET', `/api/asks?limit=3${cursor}`, { groups })
      expect(body.open).toBe(8)
      seen.push(...body.asks.map(({ id }: { id: string }) => id))
      if (body.nextCursor === undefined) break
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    expect(seen.sort()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'anyone'])
    expect((await call('GET', '/api/asks', { as: 'bob', groups: 'sales' })).body).toMatchObject({ open: 1 })
  })

  it.each(['limit=0', 'limit=-1', 'limit=x', 'limit=1e3', 'cursor=', 'cursor=x', 'cursor=1', 'cursor=__proto__'])(
    'refuses %s',
    async query => {
      expect(await call('GET', `/api/asks?${query}`)).toMatchObject({ status: 400, type: 'application/problem+json' })
    },
  )

  it('lowers a huge limit', async () => {
    for (let index = 0; index < 205; index++) turn.ask({ id: `a${index}`, message: 'Sure?' }).catch(() => {})
    await put({ id: 'last', message: 'Sure?' })
    const { body } = await call('GET', '/api/asks?limit=999999999999')
    expect(body.asks).toHaveLength(200)
    expect(body.nextCursor).toBeDefined()
  })

  it('knows when asks were put before it began', async () => {
    await clock.advance(5000)
    await put({ id: 'early', message: 'Sure?' })
    const askedAt = clock.now()
    await clock.advance(5000)
    rest.close()
    await served.close()
    await parts.close()
    parts = createParts({ clock, store })
    rest = createRest(parts)
    served = await serveRest(rest)
    expect((await call('GET', '/api/asks')).body.asks).toMatchObject([{ id: 'early', askedAt }])
  })
})

describe('several nodes', () => {
  let other: DeskParts
  let there: Rest

  beforeEach(() => {
    other = createParts({ clock, store })
    there = createRest(other)
  })

  afterEach(async () => {
    there.close()
    await other.close()
  })

  async function get(path: string, principal = 'alice'): Promise<{ status: number; body: string }> {
    const url = new URL(path, 'http://desk')
    const request = { method: 'GET', path: url.pathname, query: url.searchParams, header: () => undefined }
    const reply = await there.handle(request, { principal, device: 'x' })
    if (reply === undefined || !('body' in reply)) throw new Error('no reply')
    return reply
  }
  const list = async (principal?: string) =>
    JSON.parse((await get('/api/asks', principal)).body).asks.map(({ id }: { id: string }) => id)

  it('shows what was asked, drafted, answered and given to others elsewhere since it last looked', async () => {
    await put(formRequest)
    expect(await list()).toEqual(['f'])
    await call('PUT', '/api/asks/s/f/drafts/ok', { body: { value: true } })
    expect(JSON.parse((await get('/api/asks/s/f')).body).drafts).toEqual({ ok: { state: 'draft', value: true } })
    await clock.advance(1)
    await put({ id: 'new', message: 'Sure?' })
    expect(await list()).toEqual(['new', 'f'])
    await call('POST', '/api/asks/s/new/cancel')
    expect(JSON.parse((await get('/api/asks/s/new')).body)).toMatchObject({ status: 'ended' })
    expect(await list()).toEqual(['f'])
    const escalation = { afterMs: 1000, audience: { principals: ['bob'] } }
    await put({ id: 'up', message: 'Sure?' }, { audience: { principals: ['alice'] }, escalation })
    expect(await list()).toEqual(['up', 'f'])
    await clock.advance(1000)
    await turnOfLoop()
    expect(await list()).toEqual(['f'])
    expect(await list('bob')).toEqual(['up', 'f'])
  })

  it('does not take an ask out of the index that it has not heard of', async () => {
    await put({ id: 'a', message: 'Sure?' })
    expect(await list()).toEqual(['a'])
    await put({ id: 'b', message: 'Sure?' })
    await clock.advance(11 * 60_000)
    expect((await list()).sort()).toEqual(['a', 'b'])
    await other.index.drained()
    expect((await call('GET', '/api/asks')).body.asks).toHaveLength(2)
  })
})

describe('a process that died between its two writes', () => {
  const openNames = async () => (await store.range('desk/open/anyone', { limit: 100 })).map(({ member }) => member)
  const dueNames = async () => (await store.range('desk/due', { limit: 100 })).map(({ member }) => member)

  it('left a name of an ask that never came: it is skipped, and removed after ten minutes', async () => {
    await put({ id: 'real', message: 'Sure?' })
    await store.put('desk/open/anyone', 's/never-came-1', clock.now())
    await store.put('desk/open/anyone', 'nowhere/never-came-2', clock.now())
    const ids = async () => (await call('GET', '/api/asks')).body.asks.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual(['real'])
    await clock.advance(9 * 60_000)
    expect(await ids()).toEqual(['real'])
    await parts.index.drained()
    expect(await openNames()).toHaveLength(3)
    await clock.advance(2 * 60_000)
    expect(await ids()).toEqual(['real'])
    await parts.index.drained()
    expect(await openNames()).toEqual([expect.stringMatching(/^s\/[\w-]{12}$/)])
    expect((await call('GET', '/api/asks')).body.open).toBe(1)
  })

  it('left the name of an ask that ended: it is not shown, and put right once it is followed', async () => {
    await put({ id: 'a', message: 'Sure?' })
    const [member = ''] = await openNames()
    const askedAt = clock.now()
    await call('POST', '/api/asks/s/a/answer')
    await parts.index.drained()
    expect(await openNames()).toEqual([])
    // As if the names had never been taken out, nor put where they belong then.
    await store.put('desk/open/anyone', member, askedAt)
    await store.put('desk/due', member, askedAt + 86_400_000)
    await store.remove('desk/over/anyone', member)
    await clock.advance(11 * 60_000)
    expect((await call('GET', '/api/asks')).body.asks).toEqual([])
    await parts.index.drained()
    expect(await openNames()).toEqual([])
    expect(await dueNames()).toEqual([])
    expect(await store.range('desk/over/anyone', { limit: 10 })).toEqual([{ member, score: askedAt }])
  })
})

describe('GET /api/asks/:session/:id', () => {
  it('shows drafts as plain values', async () => {
    await put(formRequest)
    await call('PUT', '/api/asks/s/f/drafts/env', { body: { value: 'staging' } })
    await call('PUT', '/api/asks/s/f/drafts/tags', { body: { value: ['a'], state: 'submitted' } })
    await call('PUT', '/api/asks/s/f/drafts/ok', { body: { state: 'skipped' } })
    const { body } = await call('GET', '/api/asks/s/f')
    expect(body.drafts).toEqual({
      env: { state: 'draft', value: 'staging' },
      tags: { state: 'submitted', value: ['a'] },
      ok: { state: 'skipped' },
    })
  })

  it('is 404 for what is not there and for what is not for the viewer, with the same words', async () => {
    await put({ id: 'secret', message: 'For finance' }, { audience: { groups: ['finance'] } })
    const missing = await call('GET', '/api/asks/s/nope')
    expect(missing).toMatchObject({ status: 404, type: 'application/problem+json' })
    expect((await call('GET', '/api/asks/s/secret')).body).toEqual(missing.body)
    expect((await call('GET', '/api/asks/s/secret', { groups: 'finance' })).status).toBe(200)
    for (const id of ['__proto__', 'constructor', '%00', 'a%2Fb', 'x'.repeat(4000)]) {
      expect((await call('GET', `/api/asks/s/${id}`)).body).toEqual(missing.body)
      expect((await call('GET', `/api/asks/${id}/secret`)).body).toEqual(missing.body)
    }
    expect((await call('GET', '/api/asks/s/%E0%A4%A')).status).toBe(400)
  })

  it('tells two asks of the same id apart by their sessions', async () => {
    await put({ id: 'same', message: 'Mine' }, { audience: { principals: ['alice'] } })
    const other = await startTurn('t')
    await put({ id: 'same', message: 'Theirs' }, { audience: { principals: ['bob'] } }, other)
    expect((await call('GET', '/api/asks/s/same')).body.message).toBe('Mine')
    expect((await call('GET', '/api/asks/t/same', { as: 'bob' })).body.message).toBe('Theirs')
    expect((await call('GET', '/api/asks/t/same')).status).toBe(404)
  })

  it('says how an ask ended, and nothing of the answers', async () => {
    await put(formRequest)
    await call('POST', '/api/asks/s/f/answer', { body: { content: { name: 'hunter2' } } })
    const { body, text } = await call('GET', '/api/asks/s/f', { as: 'bob' })
    expect(body).toMatchObject({
      status: 'ended',
      message: 'Deploy where?',
      ended: { event: 'answered', response: 'accept', by: 'alice' },
    })
    expect(text).not.toContain('hunter2')
  })

  it('forgets the asks of a session that is gone', async () => {
    await put({ id: 'c', message: 'Sure?' })
    await (await session()).dispose()
    expect((await call('GET', '/api/asks/s/c')).status).toBe(404)
    expect((await call('GET', '/api/asks')).body.asks).toEqual([])
  })

  it('records each viewer once', async () => {
    await put({ id: 'c', message: 'Sure?' })
    for (const path of ['/api/asks/s/c', '/api/asks', '/api/asks/s/c']) await call('GET', path)
    await call('GET', '/api/asks/s/c', { as: 'bob' })
    const views = (await parts.audit.query({ request: 'c' })).filter(({ event }) => event === 'viewed')
    expect(views.map(({ by }) => by?.principal)).toEqual(['alice', 'bob'])
    expect(views).toMatchObject([{ server: 'shop', shown: { digest: expect.any(String) } }, {}])
  })

  it('records nobody who only lists the asks', async () => {
    await put({ id: 'c', message: 'Sure?' })
    expect((await call('GET', '/api/asks')).body.asks).toHaveLength(1)
    expect((await parts.audit.query()).map(({ event }) => event)).toEqual(['asked'])
  })
})

describe('answering', () => {
  it('takes plain values by question id', async () => {
    const { outcome } = await put(formRequest)
    const content = { name: 'web', count: 3, ok: true, env: 'staging', tags: ['a', 'b'] }
    const { status, body } = await call('POST', '/api/asks/s/f/answer', { body: { content } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ended', ended: { event: 'answered', response: 'accept', by: 'alice' } })
    expect(await outcome).toEqual({ action: 'accept', content, by: [{ principal: 'alice' }] })
  })

  it('skips a question with null, and counts what others submitted', async () => {
    const { outcome } = await put(formRequest)
    await call('PUT', '/api/asks/s/f/drafts/name', { as: 'bob', body: { value: 'web', state: 'submitted' } })
    await call('PUT', '/api/asks/s/f/drafts/count', { as: 'bob', body: { value: 2, state: 'submitted' } })
    await call('POST', '/api/asks/s/f/answer', { body: { content: { count: null } } })
    expect(await outcome).toEqual({ action: 'accept', content: { name: 'web' }, by: [{ principal: 'alice' }] })
  })

  it.each([[undefined], [{}], [{ content: {} }]])('confirms with %j', async body => {
    const { outcome } = await put({ id: 'c', message: 'Sure?' })
    expect((await call('POST', '/api/asks/s/c/answer', { body })).status).toBe(200)
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'alice' }] })
  })

  it('says what is wrong with every question, leaves the ask open, and records the rejection', async () => {
    await put(formRequest)
    const content = { count: 9, ok: 'yes', env: 3, tags: ['z'], nope: 1 }
    const { status, body } = await call('POST', '/api/asks/s/f/answer', { body: { content } })
    expect(status).toBe(422)
    expect(body.issues).toEqual([
      { question: 'nope', code: 'question-not-found', message: 'This request has no such question.' },
      { question: 'name', code: 'answer-required', params: { question: 'name' }, message: 'An answer is required.' },
      ...['count', 'ok', 'env', 'tags'].map(question => ({
        question,
        code: 'answer-invalid',
        params: { question, problem: expect.objectContaining({ code: expect.any(String) }) },
        message: expect.stringMatching(/^[A-Z]/),
      })),
    ])
    expect((await call('GET', '/api/asks/s/f')).body.status).toBe('open')
    expect((await parts.audit.query({ request: 'f' })).map(({ event }) => event)).toContain('rejected')
  })

  it('has the code of a refusal and its parameters beside the sentence', async () => {
    await put(formRequest)
    const problem = { code: 'too-high', params: { max: 5 } }
    const { body } = await call('POST', '/api/asks/s/f/answer', { body: { content: { name: 'web', count: 9 } } })
    expect(body).toMatchObject({
      code: 'answer-invalid',
      params: { question: 'count', title: expect.any(String), problem },
      detail: expect.stringMatching(/: Enter 5 or less\.$/),
      issues: [
        {
          question: 'count',
          code: 'answer-invalid',
          params: { question: 'count', problem },
          message: 'Enter 5 or less.',
        },
      ],
    })
    expect((await call('POST', '/api/asks/s/f/answer')).body).toMatchObject({
      code: 'answer-required',
      params: { question: 'name', title: expect.any(String) },
    })
    const drafted = await call('PUT', '/api/asks/s/f/drafts/count', { body: { value: 9, state: 'submitted' } })
    expect(drafted.body).toMatchObject({ code: 'answer-invalid', params: { question: 'count', problem } })
    const declined = await call('POST', '/api/asks/s/f/decline', { body: { reason: 'x'.repeat(5_000) } })
    expect(declined.body).toMatchObject({ code: 'reason-too-long', params: { max: expect.any(Number) } })
    expect((await call('GET', '/api/asks?limit=no')).body).toMatchObject({
      code: 'request-invalid',
      params: { detail: expect.stringContaining('limit') },
    })
    expect((await call('GET', '/api/asks/s/nope')).body).not.toHaveProperty('params')
    await call('POST', '/api/asks/s/f/decline')
    expect((await call('POST', '/api/asks/s/f/decline')).body).toMatchObject({
      code: 'ask-ended',
      params: { by: 'alice', response: 'decline' },
    })
  })

  it.each([
    ['an array', '[]', 400],
    ['a text', '"accept"', 400],
    ['null', 'null', 400],
    ['a content that is an array', '{"content":[]}', 400],
    ['other fields', '{"content":{},"response":"accept"}', 400],
    ['a body with __proto__', '{"__proto__":{"content":{"name":"web"}}}', 400],
    ['a content with __proto__', '{"content":{"name":"web","__proto__":{"polluted":true}}}', 422],
    ['a content with constructor', '{"content":{"name":"web","constructor":1}}', 422],
    ['a number that is too large', '{"content":{"name":"web","count":1e999}}', 422],
    ['no JSON', '{', 400],
    ['a body that is too long', JSON.stringify({ content: { name: 'x'.repeat(300_000) } }), 413],
  ])('refuses %s', async (_what, raw, status) => {
    await put(formRequest)
    const reply = await call('POST', '/api/asks/s/f/answer', { raw })
    expect(reply).toMatchObject({ status, type: 'application/problem+json' })
    expect((await call('GET', '/api/asks/s/f')).body).toMatchObject({ status: 'open', drafts: {} })
    expect('polluted' in {}).toBe(false)
  })

  it('refuses what is not JSON by its type', async () => {
    await put(formRequest)
    expect((await call('POST', '/api/asks/s/f/answer', { raw: 'a=b', type: 'text/plain' })).status).toBe(415)
  })

  it.each(['answer', 'decline', 'cancel'])('is 404 to %s what is for others, or not there', async verb => {
    await put({ id: 'secret', message: 'For bob' }, { audience: { principals: ['bob'] } })
    expect((await call('POST', `/api/asks/s/secret/${verb}`)).status).toBe(404)
    expect((await call('POST', `/api/asks/s/nope/${verb}`)).status).toBe(404)
    expect((await call('GET', '/api/asks/s/secret', { as: 'bob' })).body.status).toBe('open')
  })

  it.each(['answer', 'decline', 'cancel'])('is 409 to %s what was completed, with who and what', async verb => {
    await put({ id: 'c', message: 'Sure?' })
    await call('POST', '/api/asks/s/c/decline', { as: 'bob', body: { reason: 'No.' } })
    expect(await call('POST', `/api/asks/s/c/${verb}`)).toMatchObject({
      status: 409,
      body: { ended: { event: 'answered', response: 'decline', by: 'bob', reason: 'No.' } },
    })
  })

  it('lets one of many win who answer at once', async () => {
    await put({ id: 'c', message: 'Sure?' })
    const people = ['a', 'b', 'c', 'd', 'e']
    const replies = await Promise.all(people.map(as => call('POST', '/api/asks/s/c/answer', { as })))
    const winner = people[replies.findIndex(({ status }) => status === 200)]
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    for (const { body } of replies) expect(body.ended).toMatchObject({ by: winner })
  })

  it('is 409 once it was withdrawn, or its time is over', async () => {
    await put({ id: 'c', message: 'Sure?' })
    await put({ id: 'e', message: 'Quick?' }, { timeoutMs: 1000 })
    await clock.advance(1000)
    await turnOfLoop()
    expect((await call('POST', '/api/asks/s/e/answer')).body.ended).toEqual({ event: 'expired' })
    await turn.complete()
    expect((await call('POST', '/api/asks/s/c/answer')).body.ended).toEqual({ event: 'withdrawn' })
  })

  it('is 202 for an accept that needs others', async () => {
    const { outcome } = await put({ id: 'q', message: 'Sure?' }, { quorum: 2 })
    expect(await call('POST', '/api/asks/s/q/answer')).toMatchObject({
      status: 202,
      body: {
        status: 'recorded',
        params: { count: 1, of: 2 },
        message: 'Your answer is recorded: 1 of 2 have accepted.',
      },
    })
    expect((await call('POST', '/api/asks/s/q/answer')).status).toBe(202)
    expect((await call('POST', '/api/asks/s/q/answer', { as: 'bob' })).status).toBe(200)
    expect(await outcome).toMatchObject({ action: 'accept' })
  })

  it('declines with a reason', async () => {
    const { outcome } = await put({ id: 'c', message: 'Sure?' })
    expect((await call('POST', '/api/asks/s/c/decline', { body: { reason: 1 } })).status).toBe(400)
    expect((await call('POST', '/api/asks/s/c/decline', { body: { reason: 'x'.repeat(2001) } })).status).toBe(422)
    expect((await call('POST', '/api/asks/s/c/decline', { body: { reason: 'Too risky.' } })).status).toBe(200)
    expect(await outcome).toEqual({ action: 'decline', reason: 'Too risky.', by: [{ principal: 'alice' }] })
  })

  it('cancels', async () => {
    const { outcome } = await put({ id: 'c', message: 'Sure?' })
    expect((await call('POST', '/api/asks/s/c/cancel', { body: { reason: 'x' } })).status).toBe(400)
    expect((await call('POST', '/api/asks/s/c/cancel')).body.ended).toMatchObject({ response: 'cancel', by: 'alice' })
    expect(await outcome).toMatchObject({ action: 'cancel', by: [{ principal: 'alice' }] })
  })
})

describe('PUT /api/asks/:session/:id/drafts/:questionId', () => {
  it('shares a draft, and takes it back', async () => {
    await put(formRequest)
    const path = '/api/asks/s/f/drafts/name'
    expect((await call('PUT', path, { body: { value: 'x' } })).body).toEqual({ state: 'draft', value: 'x' })
    expect((await call('PUT', path, { body: { value: null } })).body).toEqual({ state: 'cleared' })
    expect((await call('GET', '/api/asks/s/f')).body.drafts).toEqual({})
  })

  it.each([
    ['no body', undefined, 400],
    ['no value', {}, 400],
    ['another state', { value: 'x', state: 'done' }, 400],
    ['skipped with a value', { value: 'x', state: 'skipped' }, 400],
    ['a value of another kind', { value: 7 }, 422],
    ['an object', { value: { kind: 'text', value: 'x' } }, 422],
    ['a submitted value that is too short', { value: 'x', state: 'submitted' }, 422],
  ])('refuses %s', async (_what, body, status) => {
    await put(formRequest)
    const reply = await call('PUT', '/api/asks/s/f/drafts/name', { body })
    expect(reply.status).toBe(status)
    if (status === 422) expect(reply.body.issues).toMatchObject([{ question: 'name' }])
    expect((await call('GET', '/api/asks/s/f')).body.drafts).toEqual({})
  })

  it('is 404 for a question that is not there', async () => {
    await put(formRequest)
    expect((await call('PUT', '/api/asks/s/f/drafts/__proto__', { body: { value: 'x' } })).status).toBe(404)
    expect((await call('PUT', '/api/asks/s/nope/drafts/name', { body: { value: 'x' } })).status).toBe(404)
  })

  it('is 409 once the ask has ended', async () => {
    await put(formRequest)
    await call('POST', '/api/asks/s/f/cancel')
    expect((await call('PUT', '/api/asks/s/f/drafts/name', { body: { value: 'x' } })).status).toBe(409)
  })
})

describe('GET /api/sessions', () => {
  it('lists sessions, newest first, with how many asks are for the viewer', async () => {
    await clock.advance(1)
    const other = await startTurn('t', 'bank')
    await put({ id: 'one', message: 'Sure?' }, { audience: { principals: ['bob'] } }, other)
    const { body } = await call('GET', '/api/sessions?limit=1')
    expect(body).toMatchObject({ sessions: [{ id: 't', server: 'bank', openAsks: 0 }] })
    const next = await call('GET', `/api/sessions?cursor=${body.nextCursor}`)
    expect(next.body).toEqual({ sessions: [expect.objectContaining({ id: 's' })] })
    expect((await call('GET', '/api/sessions?server=bank', { as: 'bob' })).body.sessions).toMatchObject([
      { openAsks: 1 },
    ])
  })

  it('shows a call to those alone whom it asks, by page, each once', async () => {
    const call1 = (id: string, audience?: object) =>
      put({ id: `ask-${id}`, message: 'Sure?' }, audience && { audience }, callTurn(id))
    const callTurns = new Map<string, Turn>()
    const callTurn = (id: string) => callTurns.get(id) as Turn
    for (const id of ['c1', 'c2', 'c3']) {
      const opened = await openSession(parts.turns, { id, title: id, server: 'shop', isCall: true })
      callTurns.set(id, await opened.startTurn())
      await clock.advance(1)
    }
    await call1('c1')
    await clock.advance(1)
    await call1('c2', { principals: ['bob'] })
    await clock.advance(1)
    await put({ id: 'again', message: 'Sure?' }, {}, callTurn('c1'))
    const pages = async (as: string) => {
      const seen: string[] = []
      for (let cursor = ''; seen.length < 20; ) {
        const { body } = await call('GET', `/api/sessions?limit=1${cursor}`, { as })
        seen.push(...body.sessions.map(({ id }: { id: string }) => id))
        if (body.nextCursor === undefined) break
        cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
      }
      return seen
    }
    expect(await pages('alice')).toEqual(['c1', 's'])
    expect(await pages('bob')).toEqual(['c1', 'c2', 's'])
  })

  it('keeps a session that somebody made in the list, whatever became of its asks', async () => {
    const listed = async (as = 'alice') =>
      (await call('GET', '/api/sessions', { as })).body.sessions.map(({ id }: { id: string }) => id)
    await clock.advance(1)
    const escalation = { afterMs: 1000, audience: { principals: ['bob'] } }
    await put({ id: 'up', message: 'Sure?' }, { audience: { principals: ['alice'] }, escalation })
    await clock.advance(1000)
    await turnOfLoop()
    expect([await listed(), await listed('bob')]).toEqual([['s'], ['s']])
    await call('POST', '/api/asks/s/up/decline', { as: 'bob' })
    expect([await listed(), await listed('bob')]).toEqual([['s'], ['s']])
    await clock.advance(8 * 86_400_000)
    expect([await listed(), await listed('bob')]).toEqual([['s'], ['s']])
  })
})

describe('GET /api/audit', () => {
  beforeEach(async () => {
    await put({ id: 'c', message: 'Sure?' })
    await put({ id: 'secret', message: 'For bob' }, { audience: { principals: ['bob'] } })
    await call('POST', '/api/asks/s/secret/decline', { as: 'bob', body: { reason: 'hunter2' } })
  })

  it('shows what concerns the viewer', async () => {
    const requests = async (as: string) =>
      (await call('GET', '/api/audit', { as })).body.entries.map(({ request }: { request: string }) => request)
    expect(await requests('alice')).toEqual(['c'])
    expect(await requests('bob')).toEqual(['c', 'secret', 'secret'])
  })

  it('shows everything to who may audit, and says to nobody else whether it is whole', async () => {
    rest.close()
    await served.close()
    rest = createRest({ ...parts, mayAudit: ({ principal }) => principal === 'carol' })
    served = await serveRest(rest)
    const { body } = await call('GET', '/api/audit?request=secret', { as: 'carol' })
    expect(body.entries.map(({ event }: { event: string }) => event)).toEqual(['asked', 'declined'])
    const report = await call('GET', '/api/audit/verify', { as: 'carol' })
    expect(report.body).toMatchObject({ isWhole: true, faults: [], entries: 3, publicKey: expect.any(String) })
    expect((await call('GET', '/api/audit/verify?since=x', { as: 'carol' })).status).toBe(400)
    expect((await call('GET', '/api/audit/verify', { as: 'bob' })).status).toBe(403)
  })

  it('looks at so many entries, says how far it came, and goes on there', async () => {
    const cancelled = { event: 'cancelled', session: 'not-hers', by: { principal: 'mallory', device: 'd' } } as const
    await Promise.all(Array.from({ length: 10_500 }, () => parts.audit.record({ ...cancelled, at: clock.now() })))
    await clock.advance(5_000)
    await call('POST', '/api/asks/s/c/decline', { as: 'alice', body: {} })
    const { body } = await call('GET', '/api/audit', { as: 'alice' })
    expect(body).toMatchObject({ nextCursor: expect.any(String), searchedTo: expect.any(Number) })
    const next = await call('GET', `/api/audit?cursor=${body.nextCursor}`, { as: 'alice' })
    const events = [...body.entries, ...next.body.entries].map(({ event }: { event: string }) => event)
    expect(events).toEqual(['asked', 'declined'])
    expect(next.body).not.toHaveProperty('nextCursor')
  })

  it('gives pages, filters, and JSON Lines', async () => {
    const { body } = await call('GET', '/api/audit?limit=2', { as: 'bob' })
    expect(body.entries).toHaveLength(2)
    const next = await call('GET', `/api/audit?limit=2&cursor=${body.nextCursor}`, { as: 'bob' })
    expect(next.body).toEqual({ entries: [expect.objectContaining({ event: 'declined', request: 'secret' })] })
    expect((await call('GET', '/api/audit?principal=bob', { as: 'bob' })).body.entries).toHaveLength(1)
    const lines = await call('GET', '/api/audit', { as: 'bob', accept: 'application/x-ndjson' })
    expect(lines.type).toBe('application/x-ndjson')
    expect(
      lines.text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).event),
    ).toEqual(['asked', 'asked', 'declined'])
    expect(lines.text).not.toContain('hunter2')
  })

  it.each(['limit=0', 'since=yesterday', 'cursor=x'])('refuses %s', async query => {
    expect((await call('GET', `/api/audit?${query}`)).status).toBe(400)
  })
})

describe('the router', () => {
  it.each([
    ['GET', '/api/', 404],
    ['GET', '/api/nope', 404],
    ['GET', '/api/asks/', 404],
    ['GET', '/api/asks/c', 404],
    ['GET', '/api/asks/s/a/b/c/d', 404],
    ['DELETE', '/api/asks', 405],
    ['GET', '/api/asks/s/c/answer', 405],
    ['POST', '/api/events', 405],
  ])('%s %s is %i', async (method, path, status) => {
    const reply = await call(method, path)
    expect(reply).toMatchObject({ status, type: 'application/problem+json', body: { status } })
    expect(reply.headers.has('allow')).toBe(status === 405)
  })

  it('leaves every other path to others', async () => {
    const request = { method: 'GET', path: '/inbox', query: new URLSearchParams(), header: () => undefined }
    expect(await rest.handle(request, { principal: 'alice', device: 'x' })).toBeUndefined()
  })
})

describe('limits', () => {
  it('holds up one person who asks too often, and serves the others', async () => {
    await swap({ rate: { perSecond: 1, burst: 3 } })
    const statuses: number[] = []
    for (let index = 0; index < 5; index++) statuses.push((await call('GET', '/api/asks')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect((await call('GET', '/api/asks')).headers.get('retry-after')).toBe('1')
    expect((await call('GET', '/api/asks', { as: 'bob' })).status).toBe(200)
    await clock.advance(1_000)
    expect((await call('GET', '/api/asks')).status).toBe(200)
  })

  it('keeps no more sessions in memory than it may, whatever is asked for', async () => {
    await parts.close()
    parts = createParts({ clock, maxIdle: 100 })
    await swap({})
    for (let index = 0; index < 110; index++) {
      const path = `/api/asks/x${index}/a`
      const request = { method: 'GET', path, query: new URLSearchParams(), header: () => undefined }
      expect(await rest.handle(request, { principal: 'alice', device: 'x' })).toMatchObject({ status: 404 })
    }
    expect([parts.sessions.isLoaded('x0'), parts.sessions.isLoaded('x109')]).toEqual([false, true])
  })

  it('says that a session has too many open asks', async () => {
    await parts.close()
    parts = createParts({ clock, limits: { maxOpenAsks: 2 } })
    await swap({})
    turn = await startTurn('s')
    for (const id of ['a', 'b']) await put({ id, message: 'Sure?' })
    await expect(turn.ask({ id: 'c', message: 'Sure?' })).rejects.toThrow('2 open asks')
    await call('POST', '/api/asks/s/a/answer')
    await put({ id: 'c', message: 'Sure?' })
    expect((await call('GET', '/api/asks')).body.open).toBe(2)
  })
})

describe('while the store is away', () => {
  it('shows an ask that it knows, says what it cannot do, and takes no answer', async () => {
    const store = awayStore(memoryStore())
    const errors: unknown[] = []
    await parts.close()
    parts = createParts({ clock, store })
    await swap({ onError: error => errors.push(error) })
    turn = await startTurn('s')
    const outcome = turn.ask({ id: 'r', message: 'Sure?' })
    while ((await call('GET', '/api/asks')).body.asks.length === 0);
    store.isAway = true
    expect(await call('POST', '/api/asks/s/r/answer')).toMatchObject({
      status: 503,
      type: 'application/problem+json',
      body: { code: 'unavailable', detail: expect.stringContaining('Send it again') },
    })
    expect(errors).toHaveLength(1)
    expect((await call('GET', '/api/asks/s/r', { as: 'bob' })).body).toMatchObject({ id: 'r', status: 'open' })
    expect((await call('GET', '/api/asks', { as: 'bob' })).status).toBe(503)
    expect((await call('GET', '/api/asks/s/r', { as: 'carol' })).status).toBe(200)
    store.isAway = false
    expect((await call('POST', '/api/asks/s/r/answer')).status).toBe(200)
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'alice' }] })
    // Who looked meanwhile is in the audit all the same.
    const viewers = (await parts.audit.query({ request: 'r' })).filter(({ event }) => event === 'viewed')
    expect(viewers.map(({ by }) => by?.principal)).toEqual(['bob', 'carol'])
  })
})

/** Serves the same desk in another way. */
async function swap(options: Omit<RestOptions, keyof DeskParts>): Promise<void> {
  rest.close()
  await served.close()
  rest = createRest({ ...parts, ...options })
  served = await serveRest(rest)
}
