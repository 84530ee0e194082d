// What is far too long: it is refused, and nothing of it stays, neither in memory nor in the audit.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Question } from '@beckon/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { type Served, serveTurn, startTurn, text } from '../../test/live-served.js'

const huge = 250_000
/** How much one may send at all is another matter. */
const plenty = { perSecond: 1e9, burst: 1e9 }
const megabyte = 1024 * 1024
const questions: Question[] = Array.from({ length: 10 }, (_, index) => ({
  id: `q${index}`,
  kind: 'text',
  message: 'What?',
}))
const draft = (questionId: string, value: string, requestId = 'r') => ({
  type: 'inputAnswerChanged',
  requestId,
  questionId,
  answer: text(value),
})
const complete = (more: object = {}) => ({ type: 'inputCompleted', requestId: 'r', response: 'decline', ...more })

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** What may differ between two looks at the same. */
const little = 8 * megabyte

/** Bytes in use once everything that nobody holds is gone; below `enough`, what is not gone yet does not matter. */
async function heapUsed(enough = 0): Promise<number> {
  let used = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3 && used >= enough; round++) {
    await new Promise(resolve => setImmediate(resolve))
    collectGarbage()
    used = process.memoryUsage().heapUsed
  }
  return used
}

/** How many more bytes are in use than before. */
const moreThan = async (before: number): Promise<number> => (await heapUsed(before + little)) - before

describe.each(['0.3', '1.0'] as const)('in the %s dialect', dialect => {
  let desk: Served
  let client: LiveClient

  beforeEach(async () => {
    desk = await serveTurn({ limits: { bytes: plenty } })
    await desk.ask({ id: 'r', message: 'Order', questions })
    client = await desk.connect(dialect)
    await client.subscribe()
  })
  afterEach(() => desk.close())

  const codeOf = async (action: Parameters<LiveClient['reasonFor']>[0], channel?: string) => {
    await client.reasonFor(action, channel)
    return client.rejections.at(-1)?.rejectionCode
  }

  /** What the desk keeps of actions that it refused, in bytes. */
  async function keptOf(actions: Iterable<Parameters<LiveClient['reasonFor']>[0]>, channel?: string): Promise<number> {
    const before = await heapUsed()
    for (const action of actions) {
      client.dispatch(action, channel)
      await forget()
    }
    return moreThan(before)
  }

  /** The client of the test remembers what came back. */
  async function forget(): Promise<void> {
    await client.ping()
    client.envelopes.length = 0
    client.rejections.length = 0
    for (const mirror of client.mirrors.values()) mirror.pending = []
    await desk.clock.advance(100)
  }

  function* many(count: number, make: (index: number) => Parameters<LiveClient['reasonFor']>[0]) {
    for (let index = 0; index < count; index++) yield make(index)
  }

  it('80 refused actions with ids of 250 KB leave nothing in memory, and little in the audit', async () => {
    const kept = await keptOf(many(80, index => draft('q0', 'x', `${index}${'x'.repeat(huge)}`)))
    expect(kept).toBeLessThan(little)
    const entries = await desk.parts.audit.query()
    const rejected = entries.filter(({ event }) => event === 'rejected')
    expect(rejected.length).toBeGreaterThan(0)
    // A flood says nothing more with every action.
    expect(rejected.length).toBeLessThan(80)
    for (const entry of rejected) expect(JSON.stringify(entry).length).toBeLessThan(1_000)
  })

  it('questions and channels of 250 KB leave nothing in memory', async () => {
    expect(await keptOf(many(60, index => draft(`${index}${'x'.repeat(huge)}`, 'x')))).toBeLessThan(little)
    const before = await heapUsed()
    for (let index = 0; index < 60; index++) {
      const channel = `ahp-session:/${index}${'x'.repeat(huge)}`
      client.notify('dispatchAction', { channel, clientSeq: 1, action: draft('q0', 'x') })
      await client.failure('subscribe', { channel })
    }
    expect(await moreThan(before)).toBeLessThan(little)
  })

  it('an answer of 250 KB is refused as a draft and at the end, however often', async () => {
    for (let count = 0; count < 50; count++) client.dispatch(draft(`q${count % 10}`, `${count}${'x'.repeat(huge)}`))
    await client.ping()
    expect(client.rejections).toHaveLength(50)
    expect(new Set(client.rejections.map(({ rejectionCode }) => rejectionCode))).toEqual(new Set(['too-large']))
    expect((await desk.read())?.open.get('r')?.drafts).toEqual({})
    const answers = Object.fromEntries(questions.map(({ id }) => [id, text('x'.repeat(24_000), 'submitted')]))
    expect(await client.reasonFor(complete({ response: 'accept', answers }))).toBeUndefined()
  })

  it('drafts that are too long together are refused one by one; what replaces one counts instead of it', async () => {
    const codes: unknown[] = []
    for (const { id } of questions) codes.push(await reasonOf(draft(id, 'x'.repeat(60_000))))
    expect(codes.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined])
    expect(codes.slice(4)).toEqual(codes.slice(4).map(() => 'too-large'))
    expect(await reasonOf(draft('q0', 'y'.repeat(60_000)))).toBeUndefined()
    expect(await reasonOf({ type: 'inputAnswerChanged', requestId: 'r', questionId: 'q1' })).toBeUndefined()
    expect(await reasonOf(draft('q5', 'x'.repeat(60_000)))).toBeUndefined()
  })

  /** The code of a refusal; undefined when it was taken. */
  async function reasonOf(action: Parameters<LiveClient['reasonFor']>[0]): Promise<string | undefined> {
    const before = client.rejections.length
    await client.reasonFor(action)
    return client.rejections[before]?.rejectionCode
  }

  it('a title, a turn and its message that are too long are refused', async () => {
    const long = 'x'.repeat(501)
    expect(await codeOf({ type: 'session/titleChanged', title: long }, 'ahp-session:/s')).toBe('too-large')
    expect(await codeOf({ type: 'turnCancelled', turnId: long })).toBe('too-large')
    expect(await codeOf({ type: 'truncated', turnId: long })).toBe('too-large')
    await desk.happen({ type: 'turnEnded', turn: 't1', state: 'complete' })
    const start = (turnId: string, message: object) => ({ type: 'turnStarted', turnId, message })
    expect(await codeOf(start(long, { text: 'go' }))).toBe('too-large')
    expect(await codeOf(start('t2', { text: 'x'.repeat(16_384) }))).toBe('too-large')
    expect(await codeOf(start('t2', { text: 'go', attachments: [{ data: 'x'.repeat(16_384) }] }))).toBe('too-large')
    expect(await client.reasonFor(start('t2', { text: 'x'.repeat(15_000) }))).toBeUndefined()
  })

  it('a session is not made by a name or with a title that is too long', async () => {
    for (const params of [
      { channel: `ahp-session:/${'x'.repeat(201)}` },
      { channel: `ahp-session:/${'x'.repeat(huge)}` },
      { channel: 'ahp-session:/new', title: 'x'.repeat(501) },
      { channel: 'ahp-session:/new', provider: 'x'.repeat(501) },
    ])
      expect(await client.failure('createSession', params)).toMatchObject({ code: -32602 })
    expect(await client.request('createSession', { channel: `ahp-session:/${'x'.repeat(200)}` })).toBeNull()
  })

  it('a reason is cut, and what was cut off is gone', async () => {
    const before = await heapUsed()
    for (let count = 0; count < 60; count++) {
      await client.reasonFor(complete({ reason: `${count}${'x'.repeat(huge)}` }))
      client.envelopes.length = 0
      await desk.happen({ type: 'turnEnded', turn: `t${count + 1}`, state: 'complete' })
      await startTurn(desk, `t${count + 2}`)
      await desk.ask({ id: 'r', message: 'Order', questions })
      await desk.clock.advance(100)
    }
    expect(await moreThan(before)).toBeLessThan(little)
    const { ended = [] } = (await desk.read()) ?? {}
    expect(ended.map(({ ending }) => ending?.reason?.length)).toEqual(ended.map(() => 2_000))
  })
})

it('one person sends so many bytes, over all connections, and others as many', async () => {
  const desk = await serveTurn({ limits: { bytes: { perSecond: 1_000, burst: 10_000 } } })
  const ping = { channel: 'ahp-root://', padding: 'x'.repeat(3_000) }
  const [one, two, bob] = [
    await desk.connect('1.0'),
    await desk.connect('0.3'),
    await desk.connect('1.0', { as: 'bob' }),
  ]
  for (const client of [one, two, one]) await client.request('ping', ping)
  for (const client of [one, two]) expect(await client.failure('ping', ping)).toMatchObject({ code: -32000 })
  await bob.request('ping', ping)
  await desk.clock.advance(3_500)
  await two.request('ping', ping)
  await desk.close()
})
