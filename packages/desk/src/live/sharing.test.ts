import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { questions, type Served, serveTurn, text } from '../../test/live-served.js'
import { findAsk } from '../model/reduce.js'
import type { Ending } from '../model/session.js'

let desk: Served

beforeEach(async () => {
  desk = await serveTurn()
})

afterEach(() => desk.close())

/** How the ask ended. */
async function ending(): Promise<Ending | undefined> {
  const session = await desk.read()
  return session && findAsk(session, 'r')?.ending
}

const count = { state: 'submitted', value: { kind: 'number', value: 3 } }

describe.each([
  ['0.3', '0.3'],
  ['1.0', '1.0'],
  ['0.3', '1.0'],
] as const)('two people, in the %s and the %s dialect', (first, second) => {
  it('answer one question each, and both see the merged answers', async () => {
    const outcome = desk.ask({ id: 'r', message: 'Order', questions })
    await outcome
    const [a, b] = [await desk.connect(first, { as: 'a' }), await desk.connect(second, { as: 'b' })]
    await a.subscribe()
    await b.subscribe()
    const name = { type: 'inputAnswerChanged', requestId: 'r', questionId: 'name', answer: text('Ada', 'submitted') }
    a.dispatch(name)
    b.dispatch({ type: 'inputAnswerChanged', requestId: 'r', questionId: 'count', answer: count })
    await Promise.all([a.ping(), b.ping()])
    await Promise.all([a.ping(), b.ping()])
    for (const client of [a, b]) {
      const { activeTurn, inputRequests } = client.confirmed() as {
        activeTurn: { responseParts: { request: object }[] }
        inputRequests?: object[]
      }
      const request = inputRequests?.[0] ?? activeTurn.responseParts[0]?.request
      expect(request).toMatchObject({ answers: { name: text('Ada', 'submitted'), count } })
    }
    const origin = { clientId: a.options.clientId, clientSeq: 1 }
    expect(b.envelopes.find(({ action }) => action.questionId === 'name')).toMatchObject({ origin })
    expect(a.envelopes.find(({ action }) => action.questionId === 'name')).toMatchObject({ origin })

    expect(await b.reasonFor({ type: 'inputCompleted', requestId: 'r', response: 'accept' })).toBeUndefined()
    expect(await ending()).toMatchObject({ response: 'accept', by: 'b' })
  })

  it('complete at the same instant: one wins, the other is told, both see the same', async () => {
    await desk.ask({ id: 'r', message: 'Sure?' })
    const [a, b] = [await desk.connect(first, { as: 'a' }), await desk.connect(second, { as: 'b' })]
    await a.subscribe()
    await b.subscribe()
    a.dispatch({ type: 'inputCompleted', requestId: 'r', response: 'accept' })
    b.dispatch({ type: 'inputCompleted', requestId: 'r', response: 'decline' })
    await Promise.all([a.ping(), b.ping()])
    const rejected = [...a.rejections, ...b.rejections]
    expect(rejected).toMatchObject([{ rejectionReason: expect.stringMatching(/open/) }])
    const outcome = await ending()
    expect(outcome).toMatchObject(
      a.rejections.length === 0 ? { response: 'accept', by: 'a' } : { response: 'decline', by: 'b' },
    )
    await Promise.all([a.ping(), b.ping()])
    for (const client of [a, b]) {
      const won = client.envelopes.filter(
        ({ action, rejectionReason }) => action.response && rejectionReason === undefined,
      )
      expect(won).toMatchObject([{ action: { response: outcome?.response } }])
      expect(client.optimistic()).toEqual(await client.subscribe())
    }
  })
})

it('confirms what changes nothing', async () => {
  const client = await desk.connect('1.0')
  await client.subscribe('ahp-session:/s')
  for (let time = 0; time < 2; time++) {
    expect(await client.reasonFor({ type: 'session/isReadChanged', isRead: true }, 'ahp-session:/s')).toBeUndefined()
    expect(client.mirrors.get('ahp-session:/s')?.pending).toEqual([])
  }
})

it('gives what is for one audience to that audience only', async () => {
  const [finance, other] = [await desk.connect('1.0', { as: 'f', groups: ['finance'] }), await desk.connect('1.0')]
  for (const client of [finance, other])
    for (const channel of ['ahp-chat:/s', 'ahp-session:/s']) await client.subscribe(channel)
  await desk.ask({ id: 'r', message: 'Pay?', questions }, { audience: { groups: ['finance'] } })
  await finance.reasonFor({ type: 'inputAnswerChanged', requestId: 'r', questionId: 'name', answer: text('Ada') })
  await other.ping()
  expect(finance.envelopes.map(({ action }) => action.type)).toEqual([
    'chat/inputRequested',
    'session/inputNeededSet',
    'session/chatUpdated',
    'chat/inputAnswerChanged',
    'session/inputNeededSet',
  ])
  expect(other.envelopes).toEqual([])
  expect(await other.subscribe()).toMatchObject({ activeTurn: { responseParts: [] } })
})
