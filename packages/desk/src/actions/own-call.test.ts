// A caller has no say in who accepts their own call: not by handing it on, not by being away, and not where nobody said how many
// have to accept. Over REST on a real port.
import { memoryStore } from 'beckon'
import type { DeskPolicy } from 'beckon/desk/adapter'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveRest } from '../../test/serve-rest.js'
import { createParts, type DeskParts } from '../desk-parts.js'
import type { Session } from '../model/session.js'
import { groupsIn, membersIn } from '../people/directory.js'
import { createRest } from '../rest/rest.js'
import { openOnDesk } from '../turns/open-ask.js'
import { decideQuorum } from '../turns/quorum.js'
import { DeskTurn } from '../turns/turn.js'

const directory = { ops: ['rex', 'ben', 'cleo'] }
let clock: TestClock
let parts: DeskParts
let served: Awaited<ReturnType<typeof serveRest>>
const closing: (() => unknown)[] = []

beforeEach(async () => {
  clock = createTestClock()
  const options = {
    clock,
    store: memoryStore({ clock }),
    groupsOf: groupsIn(directory),
    membersOf: membersIn(directory),
  }
  parts = createParts(options)
  const rest = createRest(parts)
  served = await serveRest(rest)
  closing.push(
    () => parts.close(),
    () => served.close(),
    () => rest.close(),
  )
  for (const person of ['rex', 'ben', 'cleo', 'eve']) await parts.people.note(person)
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** An ask of a call that `rex` made. */
async function open(policy: DeskPolicy) {
  const about = { server: 'shop', tool: 'refund', input: { amount: 40 }, principal: 'rex', call: 'a' }
  const terms = { policy, expiresAt: clock.now() + 3_600_000 }
  const where = { linkTo: () => '', identifiesPeople: true }
  return openOnDesk(parts.turns, [about, { id: 'a', message: 'Refund?' }, terms], where)
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
async function send(who: string, method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const groups = Object.entries(directory).flatMap(([group, members]) => (members.includes(who) ? [group] : []))
  const response = await fetch(`${served.url}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${who}`, 'x-groups': groups.join(','), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const path = 'asks/call-a/a.a'
const accept = (who: string) => send(who, 'POST', `${path}/answer`, {})
const read = async (who: string) => (await send(who, 'GET', path)).body
const endingOf = async () => (await read('ben')).ended

async function goAway(who: string, to: string) {
  const away = { from: clock.now(), until: clock.now() + 7_200_000, to }
  expect((await send(who, 'PUT', 'me/away', away)).status).toBe(200)
}

describe.each([
  ['a group that the caller is in', { groups: ['ops'] }],
  ['people of whom the caller is one', { principals: ['rex', 'ben', 'cleo'] }],
])('a call that two of %s have to accept', (_, audience) => {
  it('is handed to nobody by the caller, who does not count', async () => {
    await open({ audience, quorum: 2 })
    expect((await accept('eve')).status).toBe(404)
    const handed = await send('rex', 'POST', `${path}/delegate`, { to: 'eve' })
    await accept('eve')
    await accept('ben')
    expect([handed.status, handed.body.code, await endingOf()]).toEqual([403, 'own-request', undefined])
    await accept('cleo')
    expect(await endingOf()).toMatchObject({ response: 'accept' })
  })
})

it('is handed on by a caller who counts', async () => {
  await open({ audience: { principals: ['rex', 'ben'] }, quorum: 2, requesterCounts: true })
  expect((await send('rex', 'POST', `${path}/delegate`, { to: 'eve' })).status).toBe(200)
  await accept('eve')
  await accept('ben')
  expect(await endingOf()).toMatchObject({ response: 'accept' })
})

it('is not decided, where one is enough, by somebody whom the caller has chosen', async () => {
  await open({ audience: { principals: ['rex', 'ben'] }, quorum: 1 })
  await send('rex', 'POST', `${path}/delegate`, { to: 'eve' })
  await accept('eve')
  expect(await endingOf()).toBeUndefined()
})

describe('somebody whom the caller has stand in for them', () => {
  const listed = { principals: ['rex', 'ben', 'cleo'] }

  it('does not count in their place', async () => {
    await goAway('rex', 'eve')
    await open({ audience: listed, quorum: 2 })
    await accept('eve')
    await accept('ben')
    expect(await endingOf()).toBeUndefined()
    expect((await read('ben')).to).toEqual(listed)
  })

  it('is not asked by an escalation, either', async () => {
    await goAway('rex', 'eve')
    const escalation = { afterMs: 1_000, audience: listed }
    await open({ audience: { principals: ['dan'] }, quorum: 1, escalation })
    await clock.advance(10_000)
    await expect.poll(async () => (await read('ben')).to).toEqual(listed)
    expect((await accept('eve')).status).toBe(404)
  })

  it('is not asked where someone hands it to a person for whom the caller would stand in', async () => {
    await goAway('cleo', 'rex')
    await goAway('rex', 'eve')
    await open({ audience: { principals: ['ben'] }, quorum: 1 })
    expect((await send('ben', 'POST', `${path}/delegate`, { to: 'cleo' })).status).toBe(200)
    expect((await read('cleo')).to).toEqual({ principals: ['cleo'] })
  })

  it('counts for nothing in an ask that was opened with them', async () => {
    await open({ audience: listed, quorum: 2 })
    const session = (await parts.sessions.refresh('call-a')) as Session
    const ask = session.open.get('a.a')
    if (ask === undefined) throw new Error('It is not open.')
    const policy = { ...ask.policy, audience: { principals: [...listed.principals, 'eve'] }, standIns: { eve: 'rex' } }
    const ended = { type: 'askEnded', at: clock.now(), ask: 'a.a', response: 'accept' } as const
    const before = { ...session, open: new Map([['a.a', { ...ask, policy }]]) }
    const byEve = decideQuorum(before, { ...ended, by: { principal: 'eve', device: 'd' } })
    expect(byEve).toEqual({ refused: { code: 'own-request' } })
    // She had accepted before the desk knew better.
    const byBen = decideQuorum(before, { ...ended, by: { principal: 'ben', device: 'd' } })
    const [{ digest = '' } = {}] = (byBen?.events ?? []) as readonly { digest?: string }[]
    const approved = { ...ask, policy, approvals: [{ principal: 'eve', digest }] }
    const later = { ...session, open: new Map([['a.a', approved]]) }
    const second = decideQuorum(later, { ...ended, by: { principal: 'ben', device: 'd' } })
    expect(second?.refused).toEqual({ code: 'recorded', params: { count: 1, of: 2 } })
  })
})

it.each([
  [{ principals: ['rex', 'ben'] }, 'rex'],
  [{ groups: ['ops'] }, 'rex'],
  [undefined, 'rex'],
  [{ principals: ['ben', 'cleo'] }, undefined],
])('says who called where they are asked with others: %j', async (audience, requester) => {
  await open({ audience, quorum: 1 })
  expect((await read('ben')).approval.requester).toBe(requester)
  await accept('ben')
  expect((await read('ben')).approval).not.toHaveProperty('requester')
})

describe('where an audience says no number', () => {
  it('the caller does not accept it', async () => {
    await open({ audience: { principals: ['rex', 'ben'] } })
    expect((await accept('rex')).body).toMatchObject({ code: 'own-request' })
    expect(await endingOf()).toBeUndefined()
    expect((await accept('ben')).status).toBe(200)
  })

  it('the caller accepts it if that is allowed', async () => {
    await open({ audience: { principals: ['rex', 'ben'] }, requesterCounts: true })
    expect((await accept('rex')).status).toBe(200)
  })

  it('the owner of a session does not accept what a turn asks them with others', async () => {
    await parts.actions.createSession({ principal: 'rex', device: 'd' }, 'mine')
    const turn = await new DeskTurn(parts.turns, 'mine').start('Deploy')
    const outcome = turn.ask({ id: 'q', question: 'Deploy?' }, { audience: { principals: ['rex', 'ben'] } })
    await expect.poll(async () => (await send('ben', 'GET', 'asks/mine/q')).status).toBe(200)
    expect((await send('rex', 'POST', 'asks/mine/q/answer', {})).body).toMatchObject({ code: 'own-request' })
    expect((await send('ben', 'POST', 'asks/mine/q/answer', {})).status).toBe(200)
    expect(await outcome).toMatchObject({ action: 'accept', by: [{ principal: 'ben' }] })
  })
})
