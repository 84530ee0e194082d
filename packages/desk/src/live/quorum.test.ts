// Where two have to accept, over a socket in every dialect and over REST, on one desk: neither lets one person decide.
import { dialects } from '@beckon/core/live'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveClient } from '../../test/live-client.js'
import { type Served, serveTurn } from '../../test/live-served.js'
import { serveRest } from '../../test/serve-rest.js'
import { createRest } from '../rest/index.js'

let desk: Served
let url: string
let closeRest: () => Promise<void>

beforeEach(async () => {
  desk = await serveTurn()
  const rest = createRest({ ...desk.parts, mayAudit: () => false })
  const served = await serveRest(rest)
  url = served.url
  closeRest = async () => {
    rest.close()
    await served.close()
  }
})

afterEach(async () => {
  await closeRest()
  await desk.close()
})

const questions = [
  { id: 'amount', kind: 'number', message: 'How much?', required: true },
  { id: 'note', kind: 'text', message: 'A note?' },
] as const
const amount = (value: number) => ({ amount: { state: 'submitted', value: { kind: 'number', value } } })
const accept = (answers?: object) => ({
  type: 'inputCompleted',
  requestId: 'pay',
  response: 'accept',
  ...(answers && { answers }),
})

/** Accepts over REST. */
async function post(as: string, content: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/api/asks/s/pay/answer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const ending = async () => (await desk.read())?.ended.find(({ id }) => id === 'pay')

describe.each(dialects)('where two have to accept, in the %s dialect', dialect => {
  async function people(...names: string[]): Promise<LiveClient[]> {
    const clients = await Promise.all(names.map(as => desk.connect(dialect, { as })))
    for (const client of clients) await client.subscribe()
    return clients
  }

  it('what two accepted is the outcome, and not what one sent', async () => {
    await desk.ask({ id: 'pay', message: 'Pay?', questions: [...questions] }, { quorum: 2 })
    const [alice, carol] = (await people('alice', 'carol')) as [LiveClient, LiveClient]
    expect(await alice.reasonFor(accept(amount(10)))).toMatch(/recorded: 1 of 2/)
    expect(await post('bob', { amount: 1_000_000 })).toMatchObject({
      status: 202,
      body: { status: 'recorded', params: { count: 1, of: 2 } },
    })
    expect(await alice.reasonFor(accept(amount(10)))).toMatch(/recorded: 1 of 2/)
    expect(await ending()).toBeUndefined()
    expect(await carol.reasonFor(accept(amount(10)))).toBeUndefined()
    expect(await ending()).toMatchObject({ drafts: amount(10), ending: { response: 'accept' } })
    await alice.ping()
    expect(alice.envelopes.at(-1)).toMatchObject({ action: { requestId: 'pay', answers: amount(10) } })
  })

  it('an accept that leaves answers to others is refused, with the reason', async () => {
    await desk.ask({ id: 'pay', message: 'Pay?', questions: [...questions] }, { quorum: 2 })
    const [alice, mallory] = (await people('alice', 'mallory')) as [LiveClient, LiveClient]
    const answer = amount(1_000_000).amount
    const left = { type: 'inputAnswerChanged', requestId: 'pay', questionId: 'amount', answer }
    expect(await mallory.reasonFor(left)).toBeUndefined()
    expect(await alice.reasonFor(accept())).toMatch(/^Several people have to accept the same/)
    expect(alice.rejections.at(-1)).toMatchObject({ rejectionCode: 'answers-incomplete' })
    expect(await post('alice', {})).toMatchObject({ status: 422 })
    expect((await desk.read())?.open.get('pay')?.approvals).toEqual([])
  })

  it('nobody in particular is no second person, and who was asked before others does not count', async () => {
    const escalation = { afterMs: 1_000, audience: { groups: ['bosses'] } }
    await desk.ask({ id: 'pay', message: 'Pay?' }, { quorum: 2, audience: { principals: ['alice', 'local'] } })
    const [alice, local] = (await people('alice', 'local')) as [LiveClient, LiveClient]
    expect(await alice.reasonFor(accept())).toMatch(/recorded: 1 of 2/)
    await local.reasonFor(accept())
    expect(local.rejections.at(-1)).toMatchObject({ rejectionCode: 'person-unknown' })
    expect((await post('local', {})).status).toBe(403)
    await desk.happen({ type: 'escalated', ask: 'pay', audience: escalation.audience })
    await alice.reasonFor(accept())
    expect(alice.rejections.at(-1)).toMatchObject({ rejectionCode: expect.stringMatching(/ask-(ended|not-found)/) })
    const bosses = [await desk.connect(dialect, { as: 'bea', groups: ['bosses'] })]
    expect(await bosses[0]?.reasonFor(accept())).toMatch(/recorded: 1 of 2/)
    expect(await ending()).toBeUndefined()
  })
})
