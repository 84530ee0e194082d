import { memoryStore } from 'beckon'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { awayStore } from '../../test/away-store.js'
import { serveRest } from '../../test/serve-rest.js'
import type { LiveRequest } from '../asks/request.js'
import type { AskOptions, AskOutcome, Turn } from '../asks/turn.js'
import { type DeskParts, openParts } from '../desk-parts.js'
import { createRest, type Rest, type RestOptions } from './rest.js'

let clock: TestClock
let parts: DeskParts
let rest: Rest
let served: Awaited<ReturnType<typeof serveRest>>
let turn: Turn

beforeEach(async () => {
  clock = createTestClock()
  parts = await openParts({ clock })
  rest = createRest(parts)
  served = await serveRest(rest)
  turn = await startTurn('s')
})

afterEach(async () => {
  rest.close()
  await served.close()
  await parts.close()
})

async function startTurn(id: string, server = 'shop'): Promise<Turn> {
  return (await parts.session(id, { title: 'Session', server })).startTurn('go')
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
    parts = await openParts({ clock, store: parts.store })
    rest = createRest(parts)
    served = await serveRest(rest)
    expect((await call('GET', '/api/asks')).body.asks).toMatchObject([{ id: 'early', askedAt }])
  })
})

describe('GET /api/asks/:id', () => {
  it('shows drafts as plain values', async () => {
    await put(formRequest)
    await call('PUT', '/api/asks/f/drafts/env', { body: { value: 'staging' } })
    await call('PUT', '/api/asks/f/drafts/tags', { body: { value: ['a'], state: 'submitted' } })
    await call('PUT', '/api/asks/f/drafts/ok', { body: { state: 'skipped' } })
    const { body } = await call('GET', '/api/asks/f')
    expect(body.drafts).toEqual({
      env: { state: 'draft', value: 'staging' },
      tags: { state: 'submitted', value: ['a'] },
      ok: { state: 'skipped' },
    })
  })

  it('is 404 for what is not there and for what is not for the visitor, with the same words', async () => {
    await put({ id: 'secret', message: 'For finance' }, { audience: { groups: ['finance'] } })
    const missing = await call('GET', '/api/asks/nope')
    expect(missing).toMatchObject({ status: 404, type: 'application/problem+json' })
    expect((await call('GET', '/api/asks/secret')).body).toEqual(missing.body)
    expect((await call('GET', '/api/asks/secret', { groups: 'finance' })).status).toBe(200)
    for (const id of ['__proto__', 'constructor', '%00', 'a%2Fb']) {
      expect((await call('GET', `/api/asks/${id}`)).status).toBe(404)
    }
    expect((await call('GET', '/api/asks/%E0%A4%A')).status).toBe(400)
  })

  it('finds the right one of two asks with the same id', async () => {
    await put({ id: 'same', message: 'Mine' }, { audience: { principals: ['alice'] } })
    const other = await startTurn('t')
    await put({ id: 'same', message: 'Theirs' }, { audience: { principals: ['bob'] } }, other)
    expect((await call('GET', '/api/asks/same')).body.message).toBe('Mine')
    expect((await call('GET', '/api/asks/same', { as: 'bob' })).body.message).toBe('Theirs')
    expect((await call('GET', '/api/asks/same?session=t')).status).toBe(404)
  })

  it('says how an ask ended, and nothing of the answers', async () => {
    await put(formRequest)
    await call('POST', '/api/asks/f/answer', { body: { content: { name: 'hunter2' } } })
    const { body, text } = await call('GET', '/api/asks/f', { as: 'bob' })
    expect(body).toMatchObject({
      status: 'ended',
      message: 'Deploy where?',
      ended: { event: 'answered', response: 'accept', by: 'alice' },
    })
    expect(text).not.toContain('hunter2')
  })

  it('forgets the asks of a session that is gone', async () => {
    await put({ id: 'c', message: 'Sure?' })
    await (await parts.session('s')).dispose()
    expect((await call('GET', '/api/asks/c')).status).toBe(404)
    expect((await call('GET', '/api/asks')).body.asks).toEqual([])
  })

  it('records each viewer once', async () => {
    await put({ id: 'c', message: 'Sure?' })
    for (const path of ['/api/asks/c', '/api/asks', '/api/asks/c']) await call('GET', path)
    await call('GET', '/api/asks/c', { as: 'bob' })
    const views = (await parts.audit.query({ request: 'c' })).filter(({ event }) => event === 'viewed')
    expect(views.map(({ by }) => by?.principal)).toEqual(['alice', 'bob'])
  })
})

describe('answering', () => {
  it('takes plain values by question id', async () => {
    const { outcome } = await put(formRequest)
    const content = { name: 'web', count: 3, ok: true, env: 'staging', tags: ['a', 'b'] }
    const { status, body } = await call('POST', '/api/asks/f/answer', { body: { content } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ended', ended: { event: 'answered', response: 'accept', by: 'alice' } })
    expect(await outcome).toEqual({ action: 'accept', content, by: 'alice' })
  })

  it('skips a question with null, and counts what others submitted', async () => {
    const { outcome } = await put(formRequest)
    await call('PUT', '/api/asks/f/drafts/name', { as: 'bob', body: { value: 'web', state: 'submitted' } })
    await call('PUT', '/api/asks/f/drafts/count', { as: 'bob', body: { value: 2, state: 'submitted' } })
    await call('POST', '/api/asks/f/answer', { body: { content: { count: null } } })
    expect(await outcome).toEqual({ action: 'accept', content: { name: 'web' }, by: 'alice' })
  })

  it.each([[undefined], [{}], [{ content: {} }]])('confirms with %j', async body => {
    const { outcome } = await put({ id: 'c', message: 'Sure?' })
    expect((await call('POST', '/api/asks/c/answer', { body })).status).toBe(200)
    expect(await outcome).toMatchObject({ action: 'accept', by: 'alice' })
  })

  it('says what is wrong with every question, leaves the ask open, and records the rejection', async () => {
    await put(formRequest)
    const content = { count: 9, ok: 'yes', env: 3, tags: ['z'], nope: 1 }
    const { status, body } = await call('POST', '/api/asks/f/answer', { body: { content } })
    expect(status).toBe(422)
    expect(body.issues).toEqual([
      { question: 'nope', code: 'question-not-found', message: 'This ask has no such question.' },
      { question: 'name', code: 'answer-required', message: 'An answer is required.' },
      ...['count', 'ok', 'env', 'tags'].map(question => ({
        question,
        code: 'answer-invalid',
        message: expect.stringMatching(/^[A-Z]/),
      })),
    ])
    expect((await call('GET', '/api/asks/f')).body.status).toBe('open')
    expect((await parts.audit.query({ request: 'f' })).map(({ event }) => event)).toContain('rejected')
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
    const reply = await call('POST', '/api/asks/f/answer', { raw })
    expect(reply).toMatchObject({ status, type: 'application/problem+json' })
    expect((await call('GET', '/api/asks/f')).body).toMatchObject({ status: 'open', drafts: {} })
    expect('polluted' in {}).toBe(false)
  })

  it('refuses what is not JSON by its type', async () => {
    await put(formRequest)
    expect((await call('POST', '/api/asks/f/answer', { raw: 'a=b', type: 'text/plain' })).status).toBe(415)
  })

  it.each(['answer', 'decline', 'cancel'])('is 404 to %s what is for others, or not there', async verb => {
    await put({ id: 'secret', message: 'For bob' }, { audience: { principals: ['bob'] } })
    expect((await call('POST', `/api/asks/secret/${verb}`)).status).toBe(404)
    expect((await call('POST', `/api/asks/nope/${verb}`)).status).toBe(404)
    expect((await call('GET', '/api/asks/secret', { as: 'bob' })).body.status).toBe('open')
  })

  it.each(['answer', 'decline', 'cancel'])('is 409 to %s what was completed, with who and what', async verb => {
    await put({ id: 'c', message: 'Sure?' })
    await call('POST', '/api/asks/c/decline', { as: 'bob', body: { reason: 'No.' } })
    expect(await call('POST', `/api/asks/c/${verb}`)).toMatchObject({
      status: 409,
      body: { ended: { event: 'answered', response: 'decline', by: 'bob', reason: 'No.' } },
    })
  })

  it('lets one of many win who answer at once', async () => {
    await put({ id: 'c', message: 'Sure?' })
    const people = ['a', 'b', 'c', 'd', 'e']
    const replies = await Promise.all(people.map(as => call('POST', '/api/asks/c/answer', { as })))
    const winner = people[replies.findIndex(({ status }) => status === 200)]
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    for (const { body } of replies) expect(body.ended).toMatchObject({ by: winner })
  })

  it('is 409 once it was withdrawn, or its time is over', async () => {
    await put({ id: 'c', message: 'Sure?' })
    await put({ id: 'e', message: 'Quick?' }, { timeoutMs: 1000 })
    await clock.advance(1000)
    await turnOfLoop()
    expect((await call('POST', '/api/asks/e/answer')).body.ended).toEqual({ event: 'expired' })
    await turn.complete()
    expect((await call('POST', '/api/asks/c/answer')).body.ended).toEqual({ event: 'withdrawn' })
  })

  it('is 202 for an accept that needs others', async () => {
    const { outcome } = await put({ id: 'q', message: 'Sure?' }, { quorum: 2 })
    expect(await call('POST', '/api/asks/q/answer')).toMatchObject({
      status: 202,
      body: { status: 'recorded', message: 'recorded, 1 of 2' },
    })
    expect((await call('POST', '/api/asks/q/answer')).status).toBe(202)
    expect((await call('POST', '/api/asks/q/answer', { as: 'bob' })).status).toBe(200)
    expect(await outcome).toMatchObject({ action: 'accept' })
  })

  it('declines with a reason', async () => {
    const { outcome } = await put({ id: 'c', message: 'Sure?' })
    expect((await call('POST', '/api/asks/c/decline', { body: { reason: 1 } })).status).toBe(400)
    expect((await call('POST', '/api/asks/c/decline', { body: { reason: 'x'.repeat(2001) } })).status).toBe(422)
    expect((await call('POST', '/api/asks/c/decline', { body: { reason: 'Too risky.' } })).status).toBe(200)
    expect(await outcome).toEqual({ action: 'decline', reason: 'Too risky.', by: 'alice' })
  })

  it('cancels', async () => {
    const { outcome } = await put({ id: 'c', message: 'Sure?' })
    expect((await call('POST', '/api/asks/c/cancel', { body: { reason: 'x' } })).status).toBe(400)
    expect((await call('POST', '/api/asks/c/cancel')).body.ended).toMatchObject({ response: 'cancel', by: 'alice' })
    expect(await outcome).toMatchObject({ action: 'cancel', by: 'alice' })
  })
})

describe('PUT /api/asks/:id/drafts/:questionId', () => {
  it('shares a draft, and takes it back', async () => {
    await put(formRequest)
    const path = '/api/asks/f/drafts/name'
    expect((await call('PUT', path, { body: { value: 'x' } })).body).toEqual({ state: 'draft', value: 'x' })
    expect((await call('PUT', path, { body: { value: null } })).body).toEqual({ state: 'cleared' })
    expect((await call('GET', '/api/asks/f')).body.drafts).toEqual({})
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
    const reply = await call('PUT', '/api/asks/f/drafts/name', { body })
    expect(reply.status).toBe(status)
    if (status === 422) expect(reply.body.issues).toMatchObject([{ question: 'name' }])
    expect((await call('GET', '/api/asks/f')).body.drafts).toEqual({})
  })

  it('is 404 for a question that is not there', async () => {
    await put(formRequest)
    expect((await call('PUT', '/api/asks/f/drafts/__proto__', { body: { value: 'x' } })).status).toBe(404)
    expect((await call('PUT', '/api/asks/nope/drafts/name', { body: { value: 'x' } })).status).toBe(404)
  })

  it('is 409 once the ask has ended', async () => {
    await put(formRequest)
    await call('POST', '/api/asks/f/cancel')
    expect((await call('PUT', '/api/asks/f/drafts/name', { body: { value: 'x' } })).status).toBe(409)
  })
})

describe('GET /api/sessions', () => {
  it('lists sessions, newest first, with how many asks are for the visitor', async () => {
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
})

describe('GET /api/audit', () => {
  beforeEach(async () => {
    await put({ id: 'c', message: 'Sure?' })
    await put({ id: 'secret', message: 'For bob' }, { audience: { principals: ['bob'] } })
    await call('POST', '/api/asks/secret/decline', { as: 'bob', body: { reason: 'hunter2' } })
  })

  it('shows what concerns the visitor', async () => {
    const requests = async (as: string) =>
      (await call('GET', '/api/audit', { as })).body.entries.map(({ request }: { request: string }) => request)
    expect(await requests('alice')).toEqual(['c'])
    expect(await requests('bob')).toEqual(['c', 'secret', 'secret'])
  })

  it('shows everything to who may audit', async () => {
    rest.close()
    await served.close()
    rest = createRest({ ...parts, mayAudit: ({ principal }) => principal === 'carol' })
    served = await serveRest(rest)
    const { body } = await call('GET', '/api/audit?request=secret', { as: 'carol' })
    expect(body.entries.map(({ event }: { event: string }) => event)).toEqual(['asked', 'declined'])
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
    ['GET', '/api/asks/a/b/c/d', 404],
    ['DELETE', '/api/asks', 405],
    ['GET', '/api/asks/c/answer', 405],
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
})

describe('while the store is away', () => {
  it('shows what is open, and takes no answer', async () => {
    const store = awayStore(memoryStore())
    const errors: unknown[] = []
    await parts.close()
    parts = await openParts({ clock, store })
    await swap({ onError: error => errors.push(error) })
    turn = await startTurn('s')
    const outcome = turn.ask({ id: 'r', message: 'Sure?' })
    while ((await call('GET', '/api/asks')).body.asks.length === 0);
    store.isAway = true
    expect(await call('POST', '/api/asks/r/answer')).toMatchObject({
      status: 503,
      type: 'application/problem+json',
      body: { detail: expect.stringContaining('Try again') },
    })
    expect(errors).toHaveLength(1)
    expect((await call('GET', '/api/asks', { as: 'bob' })).body.asks).toMatchObject([{ id: 'r' }])
    expect((await call('GET', '/api/asks/r', { as: 'carol' })).status).toBe(200)
    store.isAway = false
    expect((await call('POST', '/api/asks/r/answer')).status).toBe(200)
    expect(await outcome).toMatchObject({ action: 'accept', by: 'alice' })
    // Who looked meanwhile is in the audit all the same.
    const viewers = (await parts.audit.query({ request: 'r' })).filter(({ event }) => event === 'viewed')
    expect(viewers.map(({ by }) => by?.principal)).toEqual(['alice', 'bob', 'carol'])
  })
})

/** Serves the same desk in another way. */
async function swap(options: Omit<RestOptions, keyof DeskParts>): Promise<void> {
  rest.close()
  await served.close()
  rest = createRest({ ...parts, ...options })
  served = await serveRest(rest)
}
