import { memoryStore } from 'beckon'
import { createTestClock, type TestClock } from 'beckon/test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { ClientAction } from '../actions/client-action.js'
import { createParts, type DeskParts } from '../desk-parts.js'
import { encodeOlder, encodeSummary } from '../dialects/states.js'
import type { Viewer } from '../policy/audience.js'
import type { Settled } from '../sessions/sessions.js'
import { openSession } from './desk-session.js'
import type { AskOptions, Turn } from './turn.js'

const alice: Viewer = { principal: 'alice', device: 'phone' }
const bob: Viewer = { principal: 'bob', device: 'laptop', groups: ['finance'] }

let clock: TestClock
let parts: DeskParts
const turnOfLoop = () => new Promise(resolve => setImmediate(resolve))

beforeEach(() => {
  clock = createTestClock()
  parts = createParts({ clock })
})

function session(id = 's') {
  return openSession(parts.turns, { id, title: 'Session', server: 'shop' })
}

/** The open requests, as the older dialect has them. */
function requests(id = 's') {
  const known = parts.sessions.known(id)
  return known && encodeOlder(known).inputRequests
}

async function startTurn(id = 's') {
  return (await session(id)).startTurn('go')
}

async function openIds(session = 's'): Promise<string[]> {
  await turnOfLoop()
  await turnOfLoop()
  return [...(parts.sessions.known(session)?.open.keys() ?? [])]
}

function dispatch(viewer: Viewer, action: object, dialect: ClientAction['dialect'] = '0.3'): Promise<Settled> {
  const prefix = dialect === '0.3' ? 'session' : 'chat'
  const { type, ...rest } = action as { type: string }
  return parts.actions.dispatch(viewer, {
    session: 's',
    on: prefix,
    dialect,
    action: { type: `${prefix}/${type}`, ...rest },
  })
}

const text = (value: string, state = 'submitted') => ({ state, value: { kind: 'text', value } })

describe('turn.ask', () => {
  it.each(['0.3', '1.0'] as const)(
    'resolves with the validated answer and who gave it, answered in the %s dialect',
    async dialect => {
      const turn = await startTurn()
      const outcome = turn.ask({
        question: 'Who?',
        schema: z.object({ name: z.string().transform(name => name.trim()) }),
      })
      const [id] = await openIds()
      await dispatch(
        alice,
        { type: 'inputAnswerChanged', requestId: id, questionId: 'name', answer: text(' Ada ') },
        dialect,
      )
      expect(await dispatch(bob, { type: 'inputCompleted', requestId: id, response: 'accept' }, dialect)).toMatchObject(
        { kind: 'accepted' },
      )
      expect(await outcome).toEqual({ action: 'accept', content: { name: 'Ada' }, by: [{ principal: 'bob' }] })
      expect(await openIds()).toEqual([])
    },
  )

  it('is a confirm without a schema', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Sure?' })
    const [id] = await openIds()
    await dispatch(alice, { type: 'inputCompleted', requestId: id, response: 'decline', reason: 'Too risky.' })
    expect(await outcome).toEqual({ action: 'decline', reason: 'Too risky.', by: [{ principal: 'alice' }] })
  })

  it('takes a request as the live protocol has it, with free-form choices and keys of its own', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({
      id: 'mine',
      message: 'Choose',
      questions: [
        {
          id: 'q',
          kind: 'single-select',
          message: 'Which?',
          options: [{ id: 'a', label: 'A' }],
          allowFreeformInput: true,
          required: true,
        },
      ],
      custom: { kept: true },
    })
    await openIds()
    expect(requests()?.[0]).toMatchObject({
      id: 'mine',
      custom: { kept: true },
    })
    const answer = { state: 'submitted', value: { kind: 'selected', value: '', freeformValues: ['other'] } }
    await dispatch(alice, { type: 'inputCompleted', requestId: 'mine', response: 'accept', answers: { q: answer } })
    expect(await outcome).toEqual({ action: 'accept', content: { q: 'other' }, by: [{ principal: 'alice' }] })
  })

  it('asks again for an answer that the schema refuses', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Code?', schema: z.object({ code: z.string().regex(/^x/, 'Start with x.') }) })
    for (const code of ['a', 'xyz']) {
      const [id] = await openIds()
      await dispatch(alice, {
        type: 'inputCompleted',
        requestId: id,
        response: 'accept',
        answers: { code: text(code) },
      })
    }
    expect(await outcome).toMatchObject({ action: 'accept', content: { code: 'xyz' } })
  })

  it('asks again with what was typed and chosen', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({
      question: 'Which?',
      schema: z
        .object({ code: z.string(), size: z.enum(['s', 'm']), apiKey: z.string() })
        .refine(({ code }) => code.startsWith('x'), 'Start with x.'),
      allow: ['apiKey'],
    })
    const [id] = await openIds()
    const size = { kind: 'selected', value: 'm' }
    const answers = { code: text('a'), size: { state: 'submitted', value: size }, apiKey: text('key one') }
    await dispatch(alice, { type: 'inputCompleted', requestId: id, response: 'accept', answers })
    await openIds()
    const again = requests()?.[0]
    expect(again).toMatchObject({
      message: 'Which?\n\nThe last answer did not fit. Start with x.',
      questions: [{ id: 'code', defaultValue: 'a' }, { id: 'size' }, { id: 'apiKey' }],
      answers: { size: { state: 'draft', value: size } },
    })
    expect(JSON.stringify(again)).not.toContain('key one')
    await turn.cancel()
    await outcome
  })

  it.each([0, -1, Number.NaN])('is refused where nobody would be asked: %d attempts', async attempts => {
    const turn = await startTurn()
    const request = { question: 'Who?', schema: z.object({ name: z.string() }), attempts }
    await expect(turn.ask(request)).rejects.toThrow('attempts is how often a person is asked')
    expect(await openIds()).toEqual([])
  })

  it('shows the default of a choice as a draft', async () => {
    const turn = await startTurn()
    turn.ask({ question: 'Size?', schema: z.object({ size: z.enum(['s', 'm']).default('m') }) }).catch(() => {})
    await openIds()
    expect(requests()?.[0]?.answers).toEqual({
      size: { state: 'draft', value: { kind: 'selected', value: 'm' } },
    })
    await turn.cancel()
  })

  it.each(['complete', 'cancel', 'fail'] as const)('is cancelled when its turn ends: %s', async end => {
    const turn = await startTurn()
    const outcomes = [turn.ask({ question: 'a' }), turn.ask({ question: 'b' })]
    expect(await openIds()).toHaveLength(2)
    await (end === 'fail' ? turn.fail(new Error('broken')) : turn[end]())
    expect(await Promise.all(outcomes)).toEqual([
      { action: 'cancel', why: 'withdrawn' },
      { action: 'cancel', why: 'withdrawn' },
    ])
    const known = parts.sessions.known('s')
    expect(known && encodeSummary(known, ask => ask, '1.0').inputNeeded).toBeUndefined()
    await expect(turn.ask({ question: 'late' })).rejects.toThrow(/not in progress/)
  })

  it('watches nothing when it was not put', async () => {
    const turn = await startTurn()
    await turn.complete()
    const watch = vi.spyOn(parts.turns.waiters, 'wait')
    await expect(turn.ask({ question: 'late' })).rejects.toThrow(/not in progress/)
    expect(watch).not.toHaveBeenCalled()
  })

  it('is withdrawn by its signal', async () => {
    const controller = new AbortController()
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Sure?' }, { signal: controller.signal })
    await openIds()
    controller.abort()
    expect(await outcome).toEqual({ action: 'cancel', why: 'withdrawn' })
    await turnOfLoop()
    expect((await parts.audit.query()).map(({ event }) => event)).toEqual(['asked', 'withdrawn'])
  })

  it('takes the first of two completions, and tells the other', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Sure?' })
    const [requestId] = await openIds()
    const settled = await Promise.all([
      dispatch(alice, { type: 'inputCompleted', requestId, response: 'accept' }),
      dispatch(bob, { type: 'inputCompleted', requestId, response: 'decline' }),
    ])
    expect(settled.map(({ kind }) => kind)).toEqual(['accepted', 'refused'])
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'alice' }] })
  })

  it('is there after a restart, with its drafts, and can be awaited again', async () => {
    const store = memoryStore({ clock })
    parts = createParts({ clock, store })
    const turn = await startTurn()
    const request = {
      id: 'mine',
      message: 'Who?',
      questions: [{ id: 'q', kind: 'text', message: 'Name', required: true } as const],
    }
    turn.ask(request).catch(() => {})
    await openIds()
    await dispatch(alice, {
      type: 'inputAnswerChanged',
      requestId: 'mine',
      questionId: 'q',
      answer: text('A', 'draft'),
    })
    await parts.close()
    parts = createParts({ clock, store })
    await session()
    expect(requests()).toEqual([{ ...request, answers: { q: text('A', 'draft') } }])
    const outcome = (await session()).activeTurn()?.ask(request)
    await dispatch(bob, { type: 'inputCompleted', requestId: 'mine', response: 'accept', answers: { q: text('Ada') } })
    expect(await outcome).toEqual({ action: 'accept', content: { q: 'Ada' }, by: [{ principal: 'bob' }] })
    expect(await (await session()).activeTurn()?.ask(request)).toEqual({
      action: 'accept',
      content: { q: 'Ada' },
      by: [{ principal: 'bob' }],
    })
  })
})

describe('who may answer', () => {
  it('hides an ask from whoever it is not for', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Pay?' }, { audience: { principals: ['carol'], groups: ['finance'] } })
    const [requestId] = await openIds()
    expect(await dispatch(alice, { type: 'inputCompleted', requestId, response: 'accept' })).toMatchObject({
      kind: 'refused',
    })
    const unknown = await dispatch(alice, { type: 'inputCompleted', requestId: 'none', response: 'accept' })
    expect(await dispatch(alice, { type: 'inputCompleted', requestId, response: 'accept' })).toEqual(unknown)
    await dispatch(bob, { type: 'inputCompleted', requestId, response: 'accept' })
    expect(await outcome).toMatchObject({ by: [{ principal: 'bob' }] })
  })

  it('waits for as many different people as it needs', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Launch?' }, { quorum: 2 })
    const [requestId] = await openIds()
    const accept = { type: 'inputCompleted', requestId, response: 'accept' }
    expect(await dispatch(alice, accept)).toEqual({ kind: 'refused', code: 'recorded', params: { count: 1, of: 2 } })
    expect(await dispatch(alice, accept)).toMatchObject({ params: { count: 1, of: 2 } })
    expect(await dispatch(bob, accept)).toMatchObject({ kind: 'accepted' })
    expect(await outcome).toMatchObject({ action: 'accept' })
  })

  it('ends a quorum with one decline, unless it is told to outlast that', async () => {
    const turn = await startTurn()
    const first = turn.ask({ question: 'a' }, { quorum: 2 })
    let [requestId] = await openIds()
    await dispatch(alice, { type: 'inputCompleted', requestId, response: 'decline' })
    expect(await first).toMatchObject({ action: 'decline' })
    const second = turn.ask({ question: 'b' }, { quorum: 2, outlastsDecline: true })
    ;[requestId] = await openIds()
    expect(await dispatch(alice, { type: 'inputCompleted', requestId, response: 'decline' })).toMatchObject({
      params: { count: 0, of: 2 },
    })
    for (const who of [bob, { principal: 'carol', device: 'd' }])
      await dispatch(who, { type: 'inputCompleted', requestId, response: 'accept' })
    expect(await second).toMatchObject({ action: 'accept' })
  })

  it('takes back the accept of someone who then declines', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Launch?' }, { quorum: 2, outlastsDecline: true })
    const [requestId] = await openIds()
    const complete = (who: Viewer, response: string) => dispatch(who, { type: 'inputCompleted', requestId, response })
    expect(await complete(alice, 'accept')).toMatchObject({ params: { count: 1, of: 2 } })
    expect(await complete(alice, 'decline')).toMatchObject({ params: { count: 0, of: 2 } })
    expect(await complete(bob, 'accept')).toMatchObject({ params: { count: 1, of: 2 } })
    const recorded = (await parts.audit.query()).filter(({ event }) => event === 'recorded')
    expect(recorded.map(({ by, reason }) => [by?.principal, reason])).toEqual([
      ['alice', 'accepted: recorded, 1 of 2'],
      ['alice', 'declined: recorded, 0 of 2'],
      ['bob', 'accepted: recorded, 1 of 2'],
    ])
    expect(await complete(alice, 'accept')).toMatchObject({ kind: 'accepted' })
    expect(await outcome).toMatchObject({ action: 'accept' })
  })

  it('never lets someone answer about who somebody else is, not even after an escalation', async () => {
    const turn = await startTurn()
    const outcome = turn.ask(
      { message: 'Sign in', url: 'https://example.com/' },
      { owner: 'alice', escalation: { afterMs: 10, audience: { principals: ['bob'] } } },
    )
    const [requestId] = await openIds()
    clock.advance(20)
    expect(await dispatch(bob, { type: 'inputCompleted', requestId, response: 'accept' })).toMatchObject({
      kind: 'refused',
    })
    await dispatch(alice, { type: 'inputCompleted', requestId, response: 'accept' })
    expect(await outcome).toMatchObject({ by: [{ principal: 'alice' }] })
  })

  it('asks others when nobody answered, with drafts kept', async () => {
    const turn = await startTurn()
    const outcome = turn.ask(
      { question: 'Sure?' },
      { audience: { principals: ['alice'] }, escalation: { afterMs: 1_000, audience: { groups: ['finance'] } } },
    )
    const [requestId] = await openIds()
    expect(await dispatch(bob, { type: 'inputCompleted', requestId, response: 'accept' })).toMatchObject({
      kind: 'refused',
    })
    clock.advance(1_000)
    await openIds()
    await dispatch(bob, { type: 'inputCompleted', requestId, response: 'accept' })
    expect(await outcome).toMatchObject({ by: [{ principal: 'bob' }] })
  })

  it('asks others once, on whichever node, and goes on to remind and to end', async () => {
    const store = memoryStore({ clock })
    const reminded: string[] = []
    const onReminder = () => reminded.push('again')
    parts = createParts({ clock, store, onReminder })
    const other = createParts({ clock, store, onReminder })
    const outcome = (await startTurn()).ask(
      { id: 'r', message: 'Sure?' },
      { timeoutMs: 3_000, remindAfterMs: [2_000], escalation: { afterMs: 1_000, audience: { groups: ['finance'] } } },
    )
    await openIds()
    await clock.advance(1_000)
    await openIds()
    await clock.advance(1_000)
    await openIds()
    expect(reminded).toEqual(['again'])
    await clock.advance(1_000)
    expect(await outcome).toEqual({ action: 'cancel', why: 'expired' })
    const events = (await parts.audit.query({ request: 'r' })).map(({ event }) => event)
    expect(events).toEqual(['asked', 'escalated', 'reminded', 'expired'])
    await other.close()
  })

  it('reminds, and ends an ask whose time is over', async () => {
    const reminded: string[] = []
    parts = createParts({ clock, onReminder: (_session, request) => reminded.push(request) })
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Sure?' }, { timeoutMs: 3_000, remindAfterMs: [1_000, 2_000] })
    const [requestId] = await openIds()
    await clock.advance(1_000)
    await openIds()
    await clock.advance(1_000)
    await openIds()
    expect(reminded).toEqual([requestId, requestId])
    await clock.advance(1_000)
    expect(await outcome).toEqual({ action: 'cancel', why: 'expired' })
  })
})

describe('the audit', () => {
  it('has every ask that ends unanswered, whatever ends it, and who did', async () => {
    const events = async (request: string) =>
      (await parts.audit.query({ request })).map(({ event, by }) => [event, by?.principal])
    const put = async (turn: Turn, id: string, options?: AskOptions) => {
      turn.ask({ id, message: 'Sure?' }, options).catch(() => {})
      await openIds()
    }
    const first = await startTurn()
    await put(first, 'completed')
    await put(first, 'answered')
    await dispatch(alice, { type: 'inputCompleted', requestId: 'answered', response: 'accept' })
    await first.complete()
    const second = await (await session()).startTurn()
    await put(second, 'cancelled')
    await dispatch(bob, { type: 'turnCancelled', turnId: second.id })
    const third = await (await session()).startTurn()
    await put(third, 'disposed')
    await parts.actions.disposeSession(alice, 's')
    expect(await events('completed')).toEqual([
      ['asked', undefined],
      ['withdrawn', undefined],
    ])
    expect(await events('answered')).toEqual([
      ['asked', undefined],
      ['accepted', 'alice'],
    ])
    expect(await events('cancelled')).toEqual([
      ['asked', undefined],
      ['withdrawn', 'bob'],
    ])
    expect(await events('disposed')).toEqual([
      ['asked', undefined],
      ['withdrawn', 'alice'],
    ])
    expect((await parts.audit.query({ principal: 'bob' })).map(({ event }) => event)).toEqual([
      'cancelled',
      'withdrawn',
    ])
  })

  it('says who did what to which question and when, and never what they answered', async () => {
    const turn = await startTurn()
    const outcome = turn.ask({ question: 'Who?', schema: z.object({ name: z.string() }) })
    const [requestId] = await openIds()
    await parts.actions.viewed(alice, 's')
    await dispatch(alice, {
      type: 'inputAnswerChanged',
      requestId,
      questionId: 'name',
      answer: text('Marie Curie', 'draft'),
    })
    await dispatch(alice, { type: 'inputAnswerChanged', requestId, questionId: 'none', answer: text('Marie Curie') })
    await dispatch(bob, {
      type: 'inputCompleted',
      requestId,
      response: 'accept',
      answers: { name: text('Marie Curie') },
    })
    await outcome
    const entries = await parts.audit.query()
    expect(entries.map(({ event, by, question }) => [event, by?.principal, question])).toEqual([
      ['asked', undefined, undefined],
      ['viewed', 'alice', undefined],
      ['drafted', 'alice', 'name'],
      ['rejected', 'alice', 'none'],
      ['accepted', 'bob', undefined],
    ])
    let exported = ''
    for await (const line of parts.audit.export()) exported += line
    expect(exported.trim().split('\n')).toHaveLength(5)
    expect(exported).not.toContain('Curie')
    expect(await parts.audit.query({ principal: 'bob' })).toHaveLength(1)
  })
})

describe('asks of the same id in two sessions', () => {
  const request = { id: 'deploy', message: 'Deploy?' }
  const accept = { type: 'inputCompleted', requestId: 'deploy', response: 'accept' }

  it('each count their own people', async () => {
    const [here, there] = [await startTurn('s'), await startTurn('other')]
    const outcome = here.ask(request, { quorum: 2 })
    there.ask(request, { quorum: 2 }).catch(() => {})
    await openIds()
    const elsewhere = { ...accept, type: 'session/inputCompleted' }
    await parts.actions.dispatch(bob, { session: 'other', on: 'session', dialect: '0.3', action: elsewhere })
    expect(await dispatch(alice, accept)).toMatchObject({ kind: 'refused', params: { count: 1, of: 2 } })
    expect(await dispatch(bob, accept)).toMatchObject({ kind: 'accepted' })
    expect(await outcome).toMatchObject({ action: 'accept' })
  })

  it('each expire by their own time', async () => {
    const [here, there] = [await startTurn('s'), await startTurn('other')]
    const first = here.ask(request, { timeoutMs: 1_000 })
    await openIds()
    const second = there.ask(request, { timeoutMs: 2_000 })
    await openIds('other')
    clock.advance(1_000)
    expect(await first).toEqual({ action: 'cancel', why: 'expired' })
    clock.advance(1_000)
    expect(await second).toEqual({ action: 'cancel', why: 'expired' })
  })

  it('count nobody who accepted one of a session that is gone', async () => {
    const turn = await startTurn()
    turn.ask(request, { quorum: 2 }).catch(() => {})
    await openIds()
    await dispatch(alice, accept)
    await (await session()).dispose()
    clock.advance(1)
    const outcome = (await startTurn()).ask(request, { quorum: 2 })
    await openIds()
    expect(await dispatch(bob, accept)).toMatchObject({ params: { count: 1, of: 2 } })
    expect(await dispatch(alice, accept)).toMatchObject({ kind: 'accepted' })
    expect(await outcome).toMatchObject({ action: 'accept' })
  })
})
