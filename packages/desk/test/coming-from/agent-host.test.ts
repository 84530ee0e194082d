// The page "Elicitation" of the Agent Host Protocol, claim by claim, for the tool of a server whose client cannot ask: what it asks is
// live state, and what two clients do with it resumes the blocked call.
import { createServer } from 'beckon'
import { createTestClient, createTestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDesk, type Desk } from '../../src/create-desk.js'
import type { DeskSession } from '../../src/turns/desk-session.js'
import type { Turn } from '../../src/turns/turn.js'
import { LiveClient } from '../live-client.js'

const [inProgress, inputNeeded] = [8, 24]
const options = [
  { id: 's', label: 'Small' },
  { id: 'l', label: 'Large' },
]
const freeform = { options, allowFreeformInput: true }
const submitted = (kind: string, value: unknown, more: object = {}) => ({
  state: 'submitted',
  value: { kind, value, ...more },
})
const changed = (requestId: string, questionId: string, answer: object) => ({
  type: 'inputAnswerChanged',
  requestId,
  questionId,
  answer,
})
const completed = (requestId: string, response: string) => ({ type: 'inputCompleted', requestId, response })

interface State {
  readonly inputRequests?: { id: string; message: string; url?: string; answers?: Record<string, object> }[]
  readonly summary: { readonly status: number }
}

const channel = 'ahp-session:/s'
const clock = createTestClock()
let desk: Desk
let session: DeskSession
let a: LiveClient
let b: LiveClient

beforeEach(async () => {
  desk = createDesk({ clock })
  const { socketUrl: url } = await desk.listen()
  session = await desk.session('s', { title: 'Orders', server: 'shop' })
  const clients = ['a', 'b'].map(
    clientId => new LiveClient({ url, dialect: '0.3', clientId, now: () => clock.now() }),
  ) as [LiveClient, LiveClient]
  for (const client of clients) {
    await client.dial()
    await client.initialize()
    await client.subscribe(channel)
  }
  ;[a, b] = clients
})

afterEach(async () => {
  a.drop()
  b.drop()
  await desk.close()
})

const state = (of = a) => of.confirmed(channel) as unknown as State
const opened = (id: string) => a.until(() => state().inputRequests?.some(request => request.id === id) ?? false)

describe('a request', () => {
  it('lives from inputRequested to inputCompleted, and everyone sees the merged drafts', async () => {
    const turn = await session.startTurn()
    await a.ping()
    expect(state().summary.status).toBe(inProgress)
    const questions = [
      { id: 'name', message: 'Name?', kind: 'text', required: true },
      { id: 'count', message: 'How many?', kind: 'integer' },
    ] as const
    const outcome = turn.ask({ id: 'order', message: 'Order', questions: [...questions] })
    await opened('order')
    expect(state().summary.status).toBe(inputNeeded)
    expect(await a.reasonFor(changed('order', 'name', { state: 'draft', value: { kind: 'text', value: 'Ad' } }))).toBe(
      undefined,
    )
    expect(await b.reasonFor(changed('order', 'count', submitted('number', 2)))).toBeUndefined()
    await Promise.all([a.ping(), b.ping()])
    const merged = { name: { state: 'draft', value: { kind: 'text', value: 'Ad' } }, count: submitted('number', 2) }
    for (const client of [a, b]) expect(state(client).inputRequests?.[0]?.answers).toEqual(merged)
    expect(await a.reasonFor(completed('order', 'accept'))).toMatch(/required/)
    expect(await b.reasonFor(changed('order', 'name', submitted('text', 'Ada')))).toBeUndefined()
    expect(await a.reasonFor(completed('order', 'accept'))).toBeUndefined()
    expect(await outcome).toMatchObject({ action: 'accept', content: { name: 'Ada', count: 2 } })
    await a.ping()
    expect(state().inputRequests ?? []).toEqual([])
    expect(state().summary.status).toBe(inProgress)
  })

  it.each([
    ['text', {}, submitted('text', 'x'), 'x'],
    ['number', {}, submitted('number', 1.5), 1.5],
    ['integer', {}, submitted('number', 2), 2],
    ['boolean', {}, submitted('boolean', true), true],
    ['single-select', { options }, submitted('selected', 's'), 's'],
    ['single-select', freeform, submitted('selected', '', { freeformValues: ['Huge'] }), 'Huge'],
    ['multi-select', { options }, submitted('selected-many', ['s', 'l']), ['s', 'l']],
    ['multi-select', freeform, submitted('selected-many', ['s'], { freeformValues: ['Huge'] }), ['s', 'Huge']],
  ])('with a %s question takes the answer of its kind, and no other', async (kind, more, answer, value) => {
    const question = { id: 'q', message: 'What?', required: true, kind, ...more } as never
    const outcome = (await session.startTurn()).ask({ id: 'r', message: 'Ask', questions: [question] })
    await opened('r')
    const wrong = kind === 'boolean' ? submitted('text', 'x') : submitted('boolean', true)
    expect(await a.reasonFor(changed('r', 'q', wrong))).toBeDefined()
    expect(await a.reasonFor(changed('r', 'q', { state: 'submitted' }))).toBeDefined()
    expect(await a.reasonFor(changed('r', 'q', answer))).toBeUndefined()
    expect(await a.reasonFor(completed('r', 'accept'))).toBeUndefined()
    expect(await outcome).toMatchObject({ action: 'accept', content: { q: value } })
  })

  it.each(['accept', 'decline', 'cancel'] as const)('with a URL alone is completed by %s', async response => {
    const outcome = (await session.startTurn()).ask({ id: 'u', message: 'Review', url: 'https://example.com/plan' })
    await opened('u')
    expect(state().inputRequests).toMatchObject([{ url: 'https://example.com/plan' }])
    expect(await a.reasonFor(completed('u', response))).toBeUndefined()
    expect(await outcome).toMatchObject({ action: response })
  })

  it('may have a URL and questions, one of them skipped', async () => {
    const questions = [
      { id: 'ok', message: 'Fine?', kind: 'boolean', required: true },
      { id: 'note', message: 'Why?', kind: 'text' },
    ] as const
    const url = 'https://example.com/plan'
    const outcome = (await session.startTurn()).ask({ id: 'u', message: 'Review', url, questions: [...questions] })
    await opened('u')
    expect(state().inputRequests).toMatchObject([{ url, questions: [{ id: 'ok' }, { id: 'note' }] }])
    expect(await a.reasonFor(changed('u', 'ok', { state: 'skipped' }))).toBeUndefined()
    expect(await a.reasonFor(completed('u', 'accept'))).toMatch(/required/)
    expect(await a.reasonFor(changed('u', 'ok', submitted('boolean', true)))).toBeUndefined()
    expect(await b.reasonFor(changed('u', 'note', { state: 'skipped' }))).toBeUndefined()
    expect(await a.reasonFor(completed('u', 'accept'))).toBeUndefined()
    expect(await outcome).toMatchObject({ action: 'accept', content: { ok: true } })
  })

  it('that nobody knows is refused', async () => {
    await session.startTurn()
    expect(await a.reasonFor(changed('nope', 'q', submitted('text', 'x')))).toBeDefined()
    expect(await a.reasonFor(completed('nope', 'accept'))).toBeDefined()
  })

  it('leaves the session in need of input while another is open', async () => {
    const turn = await session.startTurn()
    const outcomes = ['one', 'two'].map(id => turn.ask({ id, message: 'Sure?' }))
    await Promise.all([opened('one'), opened('two')])
    for (const [id, status] of [
      ['one', inputNeeded],
      ['two', inProgress],
    ] as const) {
      expect(await a.reasonFor(completed(id, 'decline'))).toBeUndefined()
      expect(state().summary.status).toBe(status)
    }
    expect(await Promise.all(outcomes)).toMatchObject([{ action: 'decline' }, { action: 'decline' }])
  })

  it.each<[string, (turn: Turn) => Promise<unknown>]>([
    ['completes', turn => turn.complete()],
    ['is cancelled', turn => turn.cancel()],
    ['errors', turn => turn.fail(new Error('It broke.'))],
    ['is truncated', () => a.reasonFor({ type: 'truncated' })],
  ])('is abandoned when its turn %s', async (_how, end) => {
    const turn = await session.startTurn()
    const outcome = turn.ask({ id: 'r', message: 'Sure?' })
    await opened('r')
    await end(turn)
    expect(await outcome).toMatchObject({ action: 'cancel' })
    await a.ping()
    expect(state().inputRequests ?? []).toEqual([])
  })
})

it('resumes the tool that asked, with what two clients answered', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0', desk, wait: 'hold', clock })
  server.tool('order', {}, async (_input, ctx) => {
    const schema = z.object({ size: z.enum(['s', 'l']), note: z.string().optional() })
    return { ordered: await ctx.elicit({ question: 'What should I order?', schema }) }
  })
  const result = createTestClient(server, { capabilities: {}, principal: 'local' }).callTool('order')
  const { items } = await poll(async () => {
    const listed = (await a.request('listSessions', { channel: 'ahp-root://' })) as { items: { resource: string }[] }
    return listed.items.length > 1 ? listed : undefined
  })
  const resource = items.map(item => item.resource).find(one => one !== channel) ?? ''
  await Promise.all([a.subscribe(resource), b.subscribe(resource)])
  const [{ id } = { id: '' }] = (a.confirmed(resource) as unknown as State).inputRequests ?? []
  expect(await a.reasonFor(changed(id, 'size', submitted('selected', 'l')), resource)).toBeUndefined()
  expect(await b.reasonFor(changed(id, 'note', submitted('text', 'Soon')), resource)).toBeUndefined()
  expect(await b.reasonFor(completed(id, 'accept'), resource)).toBeUndefined()
  expect((await result).structuredContent).toEqual({ ordered: { size: 'l', note: 'Soon' } })
  await server.close()
})

async function poll<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise(resolve => setImmediate(resolve))
  }
}
