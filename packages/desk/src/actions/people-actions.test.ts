// What people do about an ask beside answering it, over REST on a real port: comments, handing on, being away, and what they hear
// of the call.
import { memoryStore } from 'beckon'
import type { AskSubject, DeskPolicy, OpenedAsk } from 'beckon/desk/adapter'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveRest } from '../../test/serve-rest.js'
import { createParts, type DeskParts } from '../desk-parts.js'
import { groupsIn, membersIn } from '../people/directory.js'
import { createRest } from '../rest/rest.js'
import { openOnDesk } from '../turns/open-ask.js'

const directory = { ops: ['ann', 'ben', 'cleo'], audit: ['zoe'] }
const people = ['ann', 'ben', 'cleo', 'dan', 'eve']
let clock: TestClock
let parts: DeskParts
let served: Awaited<ReturnType<typeof serveRest>>
const closing: (() => unknown)[] = []

beforeEach(async () => {
  clock = createTestClock()
  const node = await startNode()
  parts = node.parts
  served = node.served
  for (const person of people) await parts.people.note(person)
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function startNode(store = memoryStore({ clock })) {
  const parts = createParts({ clock, store, groupsOf: groupsIn(directory), membersOf: membersIn(directory) })
  const rest = createRest(parts)
  const served = await serveRest(rest)
  closing.push(
    () => parts.close(),
    () => served.close(),
    () => rest.close(),
  )
  return { parts, served, store }
}

/** Opens an ask of a call that `rex` made. */
function open(id: string, policy?: DeskPolicy, subject: Partial<AskSubject> = {}, to = parts): Promise<OpenedAsk> {
  const about = { server: 'shop', tool: 'refund', input: { amount: 40 }, principal: 'rex', call: id, ...subject }
  const terms = { policy, expiresAt: clock.now() + 3_600_000 }
  return openOnDesk(to.turns, [about, { id, message: `Refund ${id}?` }, terms], {
    linkTo: () => '',
    identifiesPeople: true,
  })
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Reply = { status: number; body: any }

async function send(
  who: string,
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Reply> {
  const groups = Object.entries(directory).flatMap(([group, members]) => (members.includes(who) ? [group] : []))
  const response = await fetch(`${served.url}/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${who}`,
      'x-groups': groups.join(','),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const ask = (id: string) => `asks/call-${id}/${id}.${id}`
const read = async (who: string, id: string) => (await send(who, 'GET', ask(id))).body
const accept = (who: string, id: string) => send(who, 'POST', `${ask(id)}/answer`, {})
const delegate = (who: string, id: string, to: string) => send(who, 'POST', `${ask(id)}/delegate`, { to })
const comment = (who: string, id: string, text: unknown) => send(who, 'POST', `${ask(id)}/comments`, { text })
const away = (who: string, to: string, { from = clock.now(), until = clock.now() + 3_600_000 } = {}) =>
  send(who, 'PUT', 'me/away', { from, until, to })
const listed = async (who: string, query = '') =>
  (await send(who, 'GET', `asks${query}`)).body.asks.map(({ id }: { id: string }) => id.split('.')[0])
const audited = async (request: string) =>
  (await parts.audit.query({ request })).map(({ event, by, person, reason }) =>
    [event, by?.principal, person, event === 'reported' ? reason : undefined].filter(Boolean).join(' '),
  )

describe('what came of a call', () => {
  it('is seen by who may see one of its asks, first word first, and by nobody else', async () => {
    const first = await open('a', { audience: { principals: ['ann'] } })
    const second = await openOnDesk(
      parts.turns,
      [
        { server: 'shop', call: 'a', principal: 'rex' },
        { id: 'b', message: 'And this?' },
        { policy: { audience: { principals: ['ben'] } }, expiresAt: clock.now() + 1_000 },
      ],
      { linkTo: () => '', identifiesPeople: true },
    )
    await accept('ann', 'a')
    await send('ben', 'POST', 'asks/call-a/a.b/answer', {})
    expect(await read('ann', 'a')).not.toHaveProperty('report')
    await second.report?.({ status: 'done', text: `Refunded ${'x'.repeat(1_000)}` })
    await first.report?.({ status: 'failed', text: 'Not so.' })
    const report = { status: 'done', text: `Refunded ${'x'.repeat(491)}`, at: clock.now() }
    expect((await read('ann', 'a')).report).toEqual(report)
    expect((await send('ben', 'GET', 'asks/call-a/a.b')).body.report).toEqual(report)
    expect((await send('eve', 'GET', ask('a'))).status).toBe(404)
    expect(await audited('a.b')).toContain('reported done')
  })
})

describe('a comment', () => {
  it('is seen by everyone who sees the ask, with who wrote it, also after its end', async () => {
    await open('a', { audience: { groups: ['ops'] } })
    expect(await comment('ann', 'a', 'Is this the second one?')).toMatchObject({ status: 201 })
    await accept('ben', 'a')
    await comment('cleo', 'a', 'It was.')
    expect((await read('ben', 'a')).comments).toEqual([
      { by: 'ann', at: clock.now(), text: 'Is this the second one?' },
      { by: 'cleo', at: clock.now(), text: 'It was.' },
    ])
    expect(await audited('a.a')).toEqual(expect.arrayContaining(['commented ann', 'commented cleo']))
  })

  it('is refused to outsiders and auditors, when it says nothing or too much, and when there are too many', async () => {
    await open('a', { audience: { groups: ['ops'] } })
    expect(await comment('eve', 'a', 'Let me in.')).toMatchObject({ status: 404 })
    const auditor = await send('zoe', 'POST', `${ask('a')}/comments`, { text: 'I saw it.' }, { 'x-role': 'auditor' })
    expect(auditor).toMatchObject({ status: 403, body: { code: 'read-only' } })
    expect(await comment('ann', 'a', 5)).toMatchObject({ status: 400 })
    expect(await comment('ann', 'a', ' ')).toMatchObject({ status: 422, body: { code: 'action-invalid' } })
    expect(await comment('ann', 'a', 'x'.repeat(2_001))).toMatchObject({ body: { code: 'comment-too-long' } })
    for (let count = 0; count < 50; count++) await comment('ann', 'a', `${count}`)
    expect(await comment('ann', 'a', 'One more.')).toMatchObject({ status: 429, body: { code: 'too-many-comments' } })
    expect((await read('ann', 'a')).comments).toHaveLength(50)
  })
})

describe('an ask that is handed on', () => {
  const twoOfOps = { audience: { groups: ['ops'] }, quorum: 2 }

  it('is for whom it was handed to, and for the giver no more, with what they had accepted', async () => {
    await open('a', twoOfOps)
    await accept('ann', 'a')
    expect((await read('ben', 'a')).approval).toEqual({ of: 2, by: ['ann'], missing: ['ben', 'cleo'] })
    expect(await delegate('ann', 'a', 'dan')).toMatchObject({ status: 200 })
    expect((await read('ben', 'a')).approval).toEqual({ of: 2, by: [], missing: ['dan', 'ben', 'cleo'] })
    expect([await listed('ann'), await listed('dan'), await listed('ben')]).toEqual([[], ['a'], ['a']])
    expect(await accept('ann', 'a')).toMatchObject({ status: 404 })
    expect(await accept('ben', 'a')).toMatchObject({ status: 202 })
    expect(await accept('dan', 'a')).toMatchObject({ status: 200 })
    expect((await read('dan', 'a')).approval).toEqual({ of: 2, by: ['ben', 'dan'], missing: [] })
    expect(await audited('a.a')).toContain('delegated ann dan')
  })

  it('is refused with the reason, and stays where it is', async () => {
    await open('a', twoOfOps)
    await open('p', { audience: { principals: ['ann', 'ben'] }, quorum: 2 })
    await open('n', { audience: { principals: ['ann'] } })
    const why = async (who: string, id: string, to: string) => {
      const { status, body } = await delegate(who, id, to)
      return [status, body.code, body.params?.why].filter(Boolean)
    }
    expect(await why('eve', 'a', 'dan')).toEqual([404, 'ask-not-found'])
    expect(await why('ann', 'a', 'ann')).toEqual([403, 'cannot-delegate', 'self'])
    expect(await why('ann', 'a', 'nobody-here')).toEqual([403, 'cannot-delegate', 'unseen'])
    // Whoever called, with a quorum and without one.
    expect(await why('ann', 'a', 'rex')).toEqual([403, 'cannot-delegate', 'requester'])
    expect(await why('ann', 'n', 'rex')).toEqual([403, 'cannot-delegate', 'requester'])
    expect(await why('ann', 'p', 'ben')).toEqual([403, 'cannot-delegate', 'quorum'])
    expect((await listed('ann')).sort()).toEqual(['a', 'n', 'p'])
  })

  it('comes back to nobody who handed it on, and goes not further than five', async () => {
    for (const person of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']) await parts.people.note(person)
    await open('a', { audience: { principals: ['ann'] } })
    await delegate('ann', 'a', 'p1')
    expect((await delegate('p1', 'a', 'ann')).body.params).toEqual({ why: 'returned' })
    for (let count = 1; count < 5; count++) await delegate(`p${count}`, 'a', `p${count + 1}`)
    expect((await delegate('p5', 'a', 'p6')).body.params).toEqual({ why: 'too-often' })
    expect(await accept('p5', 'a')).toMatchObject({ status: 200 })
  })
})

describe('someone who is away', () => {
  it('has a stand-in for what is for them by name from then on, who is no second voice beside them', async () => {
    await open('before', { audience: { principals: ['ann'] } })
    expect(await away('ann', 'dan')).toMatchObject({ status: 200 })
    await open('a', { audience: { principals: ['ann', 'ben'] }, quorum: 2 })
    await open('group', { audience: { groups: ['ops'] } })
    expect(await listed('dan')).toEqual(['a'])
    expect((await read('dan', 'a')).to).toEqual({ principals: ['ann', 'ben', 'dan'], standIns: { dan: 'ann' } })
    expect(await accept('dan', 'a')).toMatchObject({ body: { params: { count: 1, of: 2 } } })
    // Two people, and one voice.
    expect(await accept('ann', 'a')).toMatchObject({ status: 202, body: { params: { count: 1, of: 2 } } })
    expect(await accept('ben', 'a')).toMatchObject({ status: 200 })
  })

  it('is asked alone before, afterwards, and once they are back', async () => {
    const hour = 3_600_000
    await away('ann', 'dan', { from: clock.now() + hour, until: clock.now() + 2 * hour })
    expect((await send('ann', 'GET', 'me')).body).toMatchObject({
      ...{ principal: 'ann', role: 'member', groups: ['ops'], away: { to: 'dan' } },
    })
    const toOf = async (id: string) => {
      await open(id, { audience: { principals: ['ann'] } })
      return (await read('ann', id)).to.principals
    }
    expect(await toOf('early')).toEqual(['ann'])
    await clock.advance(hour)
    expect(await toOf('during')).toEqual(['ann', 'dan'])
    expect((await send('ann', 'DELETE', 'me/away')).status).toBe(200)
    expect(await toOf('back')).toEqual(['ann'])
    expect((await send('ann', 'GET', 'me/away')).status).toBe(404)
    const entries = (await parts.audit.query()).filter(({ event }) => event.startsWith('away'))
    expect(entries.map(({ event, by, person }) => [event, by?.principal, person])).toEqual([
      ['away-set', 'ann', 'dan'],
      ['away-removed', 'ann', 'dan'],
    ])
  })

  it('has the last of a chain stand in, which ends after three, and where it began', async () => {
    for (const person of ['p1', 'p2', 'p3', 'p4']) await parts.people.note(person)
    const standIns = async (id: string) => {
      await open(id, { audience: { principals: ['ann'] } })
      return (await read('ann', id)).to.standIns
    }
    await away('ann', 'ben')
    await away('ben', 'ann')
    expect(await standIns('loop')).toEqual({ ben: 'ann' })
    await away('ann', 'p1')
    await away('p1', 'p2')
    expect(await standIns('chain')).toEqual({ p2: 'ann' })
    await away('p2', 'p3')
    await away('p3', 'p4')
    expect(await standIns('long')).toEqual({ p3: 'ann' })
  })

  it('never makes whoever called their own approver', async () => {
    await parts.people.note('rex')
    await away('ann', 'rex')
    await open('a', { audience: { principals: ['ann'] } })
    await open('b', { audience: { principals: ['dan'] } })
    expect((await read('ann', 'a')).to).toEqual({ principals: ['ann'] })
    await delegate('dan', 'b', 'ann')
    expect((await read('ann', 'b')).to).toEqual({ principals: ['ann'] })
    expect(await accept('rex', 'a')).toMatchObject({ status: 404 })
  })

  it('has whom an ask is handed to, or escalated to, replaced as well', async () => {
    await away('ann', 'eve')
    await open('a', { audience: { principals: ['dan'] } })
    await delegate('dan', 'a', 'ann')
    expect((await read('ann', 'a')).to).toEqual({ principals: ['ann', 'eve'], standIns: { eve: 'ann' } })
    const escalation = { afterMs: 1_000, audience: { principals: ['ann'] } }
    await open('b', { audience: { principals: ['dan'] }, escalation })
    await clock.advance(10_000)
    await expect.poll(() => listed('eve')).toEqual(['b', 'a'])
  })

  it('is found on every node, and after a restart', async () => {
    const store = memoryStore({ clock })
    const [one, other] = [await startNode(store), await startNode(store)]
    served = one.served
    for (const person of people) await one.parts.people.note(person)
    await away('ann', 'dan')
    const third = await startNode(store)
    for (const { parts: node, served: at } of [other, third]) {
      served = at
      expect((await send('ann', 'GET', 'me/away')).body).toMatchObject({ to: 'dan' })
      const id = at === third.served ? 'x' : 'y'
      await open(id, { audience: { principals: ['ann'] } }, {}, node)
      expect((await read('dan', id)).to.standIns).toEqual({ dan: 'ann' })
    }
  })

  it('says so with a time, a person and no more', async () => {
    const refused = async (body: unknown) => {
      const reply = await send('ann', 'PUT', 'me/away', body)
      return [reply.status, reply.body.params?.why].filter(Boolean)
    }
    const [now, later] = [clock.now(), clock.now() + 1_000]
    expect(await refused({ until: later, to: 'ann' })).toEqual([422, 'self'])
    expect(await refused({ from: later, until: now, to: 'dan' })).toEqual([422, 'times'])
    expect(await refused({ until: now + 400 * 86_400_000, to: 'dan' })).toEqual([422, 'times'])
    expect(await refused({ until: later, to: 'nobody-here' })).toEqual([422, 'unseen'])
    for (const body of [{ until: 'x', to: 'dan' }, { until: later }, { until: later, to: 'dan', more: 1 }, []])
      expect(await refused(body)).toEqual([400])
    expect((await send('local', 'PUT', 'me/away', { until: later, to: 'dan' })).body.code).toBe('person-unknown')
  })
})

describe('the list', () => {
  it('has what is for someone by name, what can destroy something, and what ends first', async () => {
    await open('named', { audience: { principals: ['ann'] } }, { destructive: true })
    await clock.advance(1)
    await open('group', { audience: { groups: ['ops'] } })
    await clock.advance(1)
    const soon = { policy: { audience: { groups: ['ops'] } }, expiresAt: clock.now() + 1_000 }
    await openOnDesk(
      parts.turns,
      [{ server: 'shop', tool: 'refund', call: 'soon' }, { id: 'soon', message: '?' }, soon],
      {
        linkTo: () => '',
        identifiesPeople: true,
      },
    )
    expect(await listed('ann')).toEqual(['soon', 'group', 'named'])
    expect(await listed('ann', '?mine=true')).toEqual(['named'])
    expect(await listed('ann', '?destructive=true')).toEqual(['named'])
    expect(await listed('ann', '?destructive=false')).toEqual(['soon', 'group'])
    expect(await listed('ann', '?order=due')).toEqual(['soon', 'named', 'group'])
    const first = (await send('ann', 'GET', 'asks?order=due&limit=2')).body
    const rest = (await send('ann', 'GET', `asks?order=due&cursor=${first.nextCursor}`)).body
    expect([...first.asks, ...rest.asks].map(({ id }) => id)).toEqual(['soon.soon', 'named.named', 'group.group'])
    for (const wrong of ['mine=1', 'destructive=x', 'order=old'])
      expect((await send('ann', 'GET', `asks?${wrong}`)).status).toBe(400)
  })
})

describe('the store', () => {
  it('is asked once more for a call that is reported', async () => {
    const store = { ...memoryStore({ clock }), shared: true }
    const calls: string[] = []
    const counted = new Proxy(store, {
      get(target, key: keyof typeof store) {
        const found = target[key]
        if (typeof found !== 'function') return found
        return (...args: never[]) => {
          calls.push(String(key))
          return (found as (...args: never[]) => unknown).apply(target, args)
        }
      },
    })
    const { parts: node } = await startNode(counted)
    const opened = await open('a', { audience: { principals: ['ann'] } }, {}, node)
    calls.length = 0
    await opened.report?.({ status: 'done' })
    expect(calls.filter(name => name !== 'publish')).toEqual(['append'])
  })
})
