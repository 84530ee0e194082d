import { createHash } from 'node:crypto'
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { awayStore } from '../../test/away-store.js'
import { stepwiseStore } from '../../test/stepwise-store.js'
import { webhookReceiver } from '../../test/webhook-receiver.js'
import { createParts, type DeskParts, deskStore } from '../desk-parts.js'
import type { Viewer } from '../policy/audience.js'
import { type DeskSession, openSession } from '../turns/desk-session.js'
import { openOnDesk } from '../turns/open-ask.js'
import type { AskOptions, Turn } from '../turns/turn.js'
import { encodeEntry } from './outbox.js'
import { verifyWebhook } from './signature.js'
import { createWebhooks, type Webhooks, type WebhooksOptions } from './webhooks.js'

const secret = 'shh'
const alice: Viewer = { principal: 'alice', device: 'phone' }

let clock: TestClock
let store: Store
let parts: DeskParts
let turn: Turn
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
const running: Webhooks[] = []
const problems: string[] = []

beforeEach(async () => {
  clock = createTestClock()
  store = memoryStore({ clock })
  parts = createParts({ clock, store })
  turn = await (await session()).startTurn('go')
  receiver = await webhookReceiver()
  problems.length = 0
})

afterEach(async () => {
  await Promise.all(running.splice(0).map(webhooks => webhooks.close()))
  await receiver.close()
  await parts.close()
})

function session(id = 's'): Promise<DeskSession> {
  return openSession(parts.turns, { id, title: 'Session', server: 'shop' })
}

/** Starts, and waits until it has begun to follow the desk. */
async function start(options: Partial<WebhooksOptions> = {}): Promise<Webhooks> {
  const hooks = [{ url: receiver.url, secret }]
  const onProblem = (problem: string) => void problems.push(problem)
  const webhooks = createWebhooks({
    ...parts,
    hooks,
    fetch: countedFetch,
    random: () => 1,
    onProblem,
    ...options,
  })
  running.push(webhooks)
  await new Promise(resolve => setImmediate(resolve))
  return webhooks
}

async function stop(webhooks: Webhooks): Promise<void> {
  running.splice(running.indexOf(webhooks), 1)
  await webhooks.close()
}

const ask = (id: string, options?: AskOptions, more: object = {}) =>
  turn.ask({ id, message: `Sure of ${id}?`, ...more }, options).catch(() => {})

const complete = (requestId: string, more: object) =>
  parts.actions.dispatch(alice, {
    session: 's',
    on: 'session',
    dialect: '0.3',
    action: { type: 'session/inputCompleted', requestId, ...more },
  })

const known = (id: string) => eventually(() => expect(parts.sessions.known('s')?.open.get(id)).toBeDefined())
const instanceOf = (id: string) => parts.sessions.known('s')?.open.get(id)?.instance ?? ''

/** What is left to tell. */
const outbox = () => `desk/webhooks/${createHash('sha256').update(receiver.url).digest('hex').slice(0, 16)}`
const untold = () => store.range(outbox(), { limit: 1000 })
const empty = () => eventually(async () => expect(await untold()).toEqual([]))

/** As if its process were gone: it is waited for no longer. */
function died(webhooks: Webhooks): void {
  running.splice(running.indexOf(webhooks), 1)
}

/** Looks until it holds. The test's own time limit says when it never does. */
const eventually = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 10 * 60_000 })

const told = () => receiver.received.map(({ body }) => `${body.event} ${body.ask.id}`)
const count = (number: number) => eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(number))

/** Moves time on, step by step, until it holds. Time stands still while a request is under way. */
async function passUntil(holds: () => boolean | Promise<boolean>, stepMs = 250): Promise<void> {
  for (let step = 0; !(await holds()); ) {
    if (inFlight === 0 && step++ > 20_000) throw new Error('It never held.')
    if (inFlight === 0) await clock.advance(stepMs)
    await new Promise(resolve => setImmediate(resolve))
  }
}

let inFlight = 0
const countedFetch = async (url: string, init: RequestInit) => {
  inFlight++
  try {
    return await fetch(url, init)
  } finally {
    inFlight--
  }
}

describe('a webhook', () => {
  it('is told what happens, signed, with who answered and never with what', async () => {
    await start({ linkTo: (session, id) => `https://desk.example/asks/${session}/${id}` })
    ask(
      'f',
      {},
      {
        questions: [{ id: 'name', kind: 'text', message: 'Name' }],
        _meta: {
          'beckon/tool': 'deploy',
          'beckon/asker': 'Ben’s agent',
          'beckon/destructive': true,
          'beckon/arguments': { key: 'arg-secret' },
        },
      },
    )
    await count(1)
    const answers = { name: { state: 'submitted', value: { kind: 'text', value: 'hunter2' } } }
    await parts.actions.dispatch(alice, {
      session: 's',
      on: 'session',
      dialect: '0.3',
      action: { type: 'session/inputAnswerChanged', requestId: 'f', questionId: 'name', answer: answers.name },
    })
    await complete('f', { response: 'accept', answers })
    ask('d')
    await count(3)
    await complete('d', { response: 'decline', reason: 'because hunter2' })
    ask('u', { timeoutMs: 1000 }, { url: 'https://pay.example/' })
    await count(5)
    await clock.advance(1000)
    ask('w')
    await count(7)
    await turn.complete()
    await count(8)
    expect(told()).toEqual([
      'asked f',
      'answered f',
      'asked d',
      'answered d',
      'asked u',
      'expired u',
      'asked w',
      'withdrawn w',
    ])
    expect(receiver.received[0]?.body).toEqual({
      id: expect.stringMatching(/^[\w-]{12}\.asked$/),
      event: 'asked',
      at: expect.any(Number),
      session: 's',
      server: 'shop',
      ask: {
        id: 'f',
        kind: 'form',
        asker: 'Ben’s agent',
        tool: 'deploy',
        destructive: true,
        message: 'Sure of f?',
        link: 'https://desk.example/asks/s/f',
        expiresAt: expect.any(Number),
      },
    })
    expect(receiver.received[1]?.body).toMatchObject({ response: 'accept', by: 'alice' })
    expect(receiver.received[4]?.body.ask.url).toBe('https://pay.example/')
    for (const { headers, text, body } of receiver.received) {
      expect(verifyWebhook(secret, headers, text, { now: clock.now() })).toBe(true)
      expect(verifyWebhook('other', headers, text, { now: clock.now() })).toBe(false)
      expect(headers['beckon-event-id']).toBe(body.id)
      expect(text).not.toMatch(/hunter2|arg-secret/)
    }
  })

  it('is told only the events that it wants', async () => {
    await start({ hooks: [{ url: receiver.url, secret, events: ['answered'] }] })
    ask('c')
    await known('c')
    await complete('c', { response: 'cancel' })
    await count(1)
    expect(told()).toEqual(['answered c'])
  })

  it('is told how a call ended, and not with what; and each time that an ask goes to others', async () => {
    await start({ hooks: [{ url: receiver.url, secret, audience: { principals: ['bob', 'dan'] } }] })
    for (const name of ['bob', 'carol', 'dan']) await parts.people.note(name)
    const terms = { policy: { audience: { principals: ['carol'] } }, expiresAt: clock.now() + 60_000 }
    const call = { server: 'shop', call: 'c' }
    const opened = await openOnDesk(parts.turns, [call, { id: 'a', message: 'Sure?' }, terms], {
      linkTo: () => '',
      identifiesPeople: true,
    })
    const act = async (principal: string, action: object) => {
      const viewer = { principal, device: 'desk' }
      const about = { session: 'call-c', on: 'session', dialect: '0.3' } as const
      expect(await parts.actions.dispatch(viewer, { ...about, action })).toMatchObject({ kind: 'accepted' })
    }
    for (const [from, to] of [
      ['carol', 'bob'],
      ['bob', 'eve'],
      ['eve', 'dan'],
    ] as const) {
      await parts.people.note(to)
      await act(from, { type: 'beckon/delegated', requestId: 'c.a', to })
      await clock.advance(1)
    }
    await act('dan', { type: 'session/inputCompleted', requestId: 'c.a', response: 'accept' })
    await opened.report?.({ status: 'done', text: 'the salaries' })
    await count(5)
    expect(told()).toEqual(['asked c.a', 'withdrawn c.a', 'asked c.a', 'answered c.a', 'reported c.a'])
    expect(receiver.received.at(-1)?.body).toMatchObject({ status: 'done' })
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(5)
    expect(receiver.received.map(({ text }) => text).join()).not.toContain('salaries')
  })

  it('is told only what is for its audience', async () => {
    const audience = { principals: ['bob'], groups: ['finance'] }
    await start({ hooks: [{ url: receiver.url, secret, audience }] })
    ask('carol', { audience: { principals: ['carol'] } })
    ask('bob', { audience: { principals: ['bob'] } })
    ask('finance', { audience: { groups: ['finance'] } })
    ask('own', { owner: 'carol' })
    ask('anyone')
    await count(3)
    expect(told()).toEqual(['asked bob', 'asked finance', 'asked anyone'])
  })

  it('is told that an ask comes to its audience, or leaves it, when others are asked', async () => {
    const hookFor = (principal: string) => ({
      url: `${receiver.url}/${principal}`,
      secret,
      audience: { principals: [principal] },
    })
    await start({ hooks: ['alice', 'bob', 'carol'].map(hookFor) })
    const audience = { principals: ['alice', 'carol'] }
    ask('up', { audience, escalation: { afterMs: 1_000, audience: { principals: ['bob', 'carol'] } } })
    await count(2)
    await passUntil(() => receiver.received.length >= 4)
    await turn.complete()
    await count(6)
    const toldTo = (principal: string) =>
      receiver.received.filter(({ path }) => path === `/hook/${principal}`).map(({ body }) => body.event)
    expect(toldTo('alice')).toEqual(['asked', 'withdrawn'])
    expect(toldTo('bob')).toEqual(['asked', 'withdrawn'])
    expect(toldTo('carol')).toEqual(['asked', 'withdrawn'])
    expect(receiver.received).toHaveLength(6)
  })

  it('is not told the page of an ask about someone’s own authorization', async () => {
    await start()
    ask('own', { owner: 'carol' }, { url: 'https://login.example/?state=1' })
    await count(1)
    expect(receiver.received[0]?.text).not.toContain('login.example')
  })

  it('is told of each ask that goes with its session, each with an id of its own', async () => {
    await start()
    ask('a')
    ask('b')
    await count(2)
    await (await session()).dispose()
    await count(4)
    expect(told().slice(2)).toEqual(['withdrawn a', 'withdrawn b'])
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(4)
  })
})

describe('an ask that its session has forgotten', () => {
  /** Another start of the desk: nothing of the first is in memory. */
  async function restart(): Promise<void> {
    await parts.close()
    parts = createParts({ clock, store })
  }

  it('is told of when the session was disposed of while nobody could tell', async () => {
    const hooks = [{ url: receiver.url, secret, audience: { principals: ['bob'] } }]
    const before = await start({ hooks })
    ask('his', { audience: { principals: ['bob'] } })
    await count(1)
    await empty()
    await stop(before)
    ask('late', { audience: { principals: ['bob'] } })
    ask('hers', { audience: { principals: ['carol'] } })
    await known('hers')
    await parts.actions.dispatch(
      { principal: 'bob', device: 'x' },
      {
        session: 's',
        on: 'session',
        dialect: '0.3',
        action: { type: 'session/inputCompleted', requestId: 'late', response: 'decline', reason: 'because hunter2' },
      },
    )
    await (await session()).dispose()
    await restart()
    await clock.advance(5 * 60_000)
    expect(await parts.sessions.refresh('s')).toBeUndefined()
    await start({ hooks })
    await passUntil(() => receiver.received.length >= 4)
    expect(told()).toEqual(['asked his', 'withdrawn his', 'asked late', 'answered late'])
    const message = (event: string) => receiver.received.find(({ body }) => body.event === event)?.body
    expect(message('withdrawn')).toMatchObject({ server: 'shop', ask: { message: 'Sure of his?' } })
    expect(message('answered')).toMatchObject({ by: 'bob', response: 'decline', ask: { kind: 'confirm' } })
    expect(receiver.received.map(({ text }) => text).join()).not.toContain('hunter2')
    await empty()
    expect(receiver.received).toHaveLength(4)
  })

  it('is told of when its turn was taken back', async () => {
    await start()
    ask('a')
    await count(1)
    const action = { type: 'session/truncated' }
    await parts.actions.dispatch(alice, { session: 's', on: 'session', dialect: '0.3', action })
    await count(2)
    expect(told()).toEqual(['asked a', 'withdrawn a'])
    expect(receiver.received[1]?.body).toMatchObject({ server: 'shop', ask: { message: 'Sure of a?' } })
  })

  it('is told of when more ended since than a session remembers', async () => {
    const first = await start()
    receiver.answer(() => 500)
    ask('first')
    await known('first')
    await complete('first', { response: 'decline' })
    await stop(first)
    for (let index = 0; index < 250; index++) ask(`a${index}`)
    await known('a249')
    await turn.complete()
    expect(parts.sessions.known('s')?.ended.some(({ id }) => id === 'first')).toBe(false)
    receiver.received.length = 0
    receiver.answer(() => 204)
    await start()
    await passUntil(() => receiver.received.length >= 502)
    expect(told().slice(0, 2)).toEqual(['asked first', 'answered first'])
    expect(receiver.received[1]?.body).toMatchObject({ response: 'decline', by: 'alice' })
    expect(new Set(told()).size).toBe(502)
  })

  it('costs nothing once everyone was told', async () => {
    await start()
    ask('a')
    await count(1)
    await complete('a', { response: 'accept' })
    await count(2)
    await empty()
    const set = vi.spyOn(store, 'set')
    await (await session()).dispose()
    expect(set.mock.calls.filter(([key]) => key.includes('forgotten'))).toEqual([])
  })
})

describe('what happens in the same millisecond', () => {
  it('is told in the order of the asks, and of what happened to each', async () => {
    const first = await start()
    await stop(first)
    for (const id of ['a', 'b', 'c']) {
      ask(id)
      await known(id)
      await complete(id, { response: 'accept' })
    }
    await start()
    await count(6)
    expect(told()).toEqual(['asked a', 'answered a', 'asked b', 'answered b', 'asked c', 'answered c'])
  })
})

describe('delivery', () => {
  it('tries again, later and later, with the same id and a new signature, and keeps the order', async () => {
    await start()
    const times: number[] = []
    receiver.answer(() => {
      times.push(clock.now())
      return times.length < 5 ? 500 : 204
    })
    ask('a')
    ask('b')
    await passUntil(() => receiver.received.length >= 6)
    expect(told()).toEqual([...Array(5).fill('asked a'), 'asked b'])
    const gaps = times.slice(1, 5).map((time, index) => time - (times[index] ?? 0))
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(1000 * 2 ** index)
      expect(gap).toBeLessThan(1000 * 2 ** index + 2000)
    }
    expect(new Set(receiver.received.slice(0, 5).map(({ headers }) => headers['beckon-event-id'])).size).toBe(1)
    expect(receiver.received[4]?.headers['beckon-signature']).not.toBe(
      receiver.received[0]?.headers['beckon-signature'],
    )
  })

  it('does not wait for a receiver that never answers', async () => {
    await start({ timeoutMs: 5000 })
    receiver.answer(() => (receiver.received.length === 1 ? undefined : 204))
    ask('a')
    await count(1)
    await clock.advance(5000)
    await passUntil(() => receiver.received.length >= 2)
    expect(told()).toEqual(['asked a', 'asked a'])
  })

  it('does not wait for a fetch that heeds no signal', async () => {
    let calls = 0
    const fetch = () => {
      calls++
      return calls === 1 ? new Promise<never>(() => {}) : Promise.resolve({ status: 200, body: null })
    }
    await start({ fetch })
    ask('a')
    await passUntil(() => calls === 2)
  })

  it.each([301, 302, 307, 400, 404, 410])('takes %i for a failure, and follows no redirect', async status => {
    await start()
    receiver.answer((_received, response) => {
      if (receiver.received.length > 1) return 200
      response.writeHead(status, { location: '/elsewhere' }).end()
      return undefined
    })
    ask('a')
    await count(1)
    await passUntil(() => receiver.received.length >= 2)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/hook'])
  })

  it('does not read what a receiver says', async () => {
    await start()
    let isCut = false
    receiver.answer((_received, response) => {
      response.writeHead(200)
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      }
      response.on('drain', pour).on('close', () => {
        isCut = true
      })
      pour()
      return undefined
    })
    ask('a')
    ask('b')
    await count(2)
    await eventually(() => expect(isCut).toBe(true))
  })

  it('gives up after a day, says so without the URL, and goes on', async () => {
    const sent: string[] = []
    const fetch = async (_url: string, { body }: RequestInit) => {
      const { id } = JSON.parse(`${body}`).ask
      sent.push(id)
      return { status: id === 'a' ? 500 : 204, body: null }
    }
    await start({ fetch })
    ask('a', { timeoutMs: 7 * 86_400_000 })
    await passUntil(() => problems.length > 0, 9_000)
    ask('b')
    await passUntil(() => sent.includes('b'))
    expect(problems).toEqual([expect.stringMatching(/^Webhook \w+: [\w-]{12}\.asked was given up: status 500\.$/)])
    // Twelve times until an hour is between them, and then every hour.
    expect(sent.filter(id => id === 'a').length).toBeGreaterThan(30)
    expect(sent.length).toBeLessThan(40)
  })

  it('does not let one hook hold up another', async () => {
    const hooks = [
      { url: `${receiver.url}/broken`, secret },
      { url: `${receiver.url}/fine`, secret },
    ]
    await start({ hooks })
    receiver.answer(({ path }) => (path.endsWith('broken') ? 500 : 204))
    ask('a')
    ask('b')
    await eventually(() =>
      expect(receiver.received.filter(({ path }) => path.endsWith('fine')).map(({ body }) => body.ask.id)).toEqual([
        'a',
        'b',
      ]),
    )
  })

  it('sends no more at once than it may', async () => {
    let now = 0
    let most = 0
    let sent = 0
    const fetch = async () => {
      most = Math.max(most, ++now)
      await new Promise(resolve => setImmediate(resolve))
      now--
      sent++
      return { status: 200, body: null }
    }
    const hooks = Array.from({ length: 10 }, (_, index) => ({ url: `http://localhost/${index}`, secret }))
    await start({ hooks, fetch, concurrency: 3 })
    ask('a')
    await eventually(() => expect(sent).toBe(10))
    expect(most).toBe(3)
  })
})

describe('across restarts and nodes', () => {
  it('goes on where it stopped, and does not tell what was before its time', async () => {
    ask('before')
    await known('before')
    const first = await start()
    ask('a')
    await count(1)
    await empty()
    await stop(first)
    ask('b')
    await known('b')
    await complete('b', { response: 'accept' })
    await parts.close()
    parts = createParts({ clock, store })
    await start()
    await count(3)
    expect(told()).toEqual(['asked a', 'asked b', 'answered b'])
  })

  it('tells again what was not delivered when it stopped', async () => {
    const first = await start()
    receiver.answer(() => 500)
    ask('a')
    await count(1)
    await stop(first)
    receiver.answer(() => 204)
    await start()
    await count(2)
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body)
  })

  it('tells again, under the same id, what was delivered by a process that died before it could note that', async () => {
    const handle = awayStore(store)
    const remove = vi.spyOn(handle, 'remove').mockImplementation(() => new Promise(() => {}))
    const first = await start({ store: deskStore(handle) })
    ask('a')
    await count(1)
    await eventually(() => expect(remove).toHaveBeenCalled())
    handle.isAway = true
    died(first)
    await start()
    await passUntil(() => receiver.received.length >= 2, 1000)
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body)
    await empty()
    await clock.advance(60_000)
    expect(receiver.received).toHaveLength(2)
  })

  it('lets one node at a time tell, and another take over', async () => {
    const other = createParts({ clock, store })
    const first = await start()
    await start(other)
    ask('a')
    ask('b')
    await count(2)
    await empty()
    await stop(first)
    ask('c')
    await passUntil(() => receiver.received.length >= 3, 1000)
    await clock.advance(60_000)
    expect(told()).toEqual(['asked a', 'asked b', 'asked c'])
    await Promise.all(running.splice(0).map(webhooks => webhooks.close()))
    await other.close()
  })

  it('tells what happened on another node', async () => {
    await start()
    const other = createParts({ clock, store })
    await start(other)
    const there = await openSession(other.turns, { id: 't', title: 'There', server: 'bank' })
    const turn = await there.startTurn()
    turn.ask({ id: 'x', message: 'Sure?' }).catch(() => {})
    await passUntil(() => receiver.received.length >= 1, 1000)
    await turn.complete()
    await passUntil(() => receiver.received.length >= 2, 1000)
    expect(told()).toEqual(['asked x', 'withdrawn x'])
    expect(receiver.received[0]?.body).toMatchObject({ session: 't', server: 'bank' })
    await Promise.all(running.splice(0).map(webhooks => webhooks.close()))
    await other.close()
  })

  it('takes over from a node that died, with what that one had to tell', async () => {
    const handle = awayStore(store)
    const dead = createParts({ clock, store: handle, onError: () => {} })
    const hanging = () => new Promise<never>(() => {})
    const first = await start({ ...dead, fetch: hanging })
    const there = await openSession(dead.turns, { id: 't', title: 'There', server: 'bank' })
    ;(await there.startTurn()).ask({ id: 'x', message: 'Sure?' }).catch(() => {})
    await eventually(async () => expect(await untold()).toHaveLength(1))
    handle.isAway = true
    died(first)
    await start()
    await clock.advance(15_000)
    expect(told()).toEqual([])
    await passUntil(() => receiver.received.length >= 1, 1000)
    expect(told()).toEqual(['asked x'])
    await dead.close()
  })

  it('waits for an append that is on its way, and tells nothing of one that never came', async () => {
    let isHeld = true
    let release = () => {}
    const beforeEntries = async (log: string) => {
      if (isHeld && log === 'desk/session/s') await new Promise<void>(resolve => (release = resolve))
    }
    const { append } = stepwiseStore({ ...store }, { beforeEntries })
    vi.spyOn(store, 'append').mockImplementation(append)
    await start()
    ask('slow')
    await eventually(async () => expect(await untold()).toHaveLength(1))
    await clock.advance(60_000)
    expect(told()).toEqual([])
    isHeld = false
    release()
    await count(1)
    await empty()
    // A process that died between its two writes.
    const asked = encodeEntry({ session: 's', number: 9, instance: 'never-came-1', event: 'asked', ask: 'x' })
    const answered = encodeEntry({
      session: 's',
      number: 1,
      instance: instanceOf('slow'),
      event: 'answered',
      ask: 'slow',
    })
    for (const name of [asked, answered]) await store.put(outbox(), name, clock.now())
    await clock.advance(9 * 60_000)
    expect(await untold()).toHaveLength(2)
    await passUntil(async () => (await untold()).length === 0, 10_000)
    expect(told()).toEqual(['asked slow'])
  })

  it('goes on when the store is there again', async () => {
    const shaky = awayStore(store)
    await start({ store: deskStore(shaky) })
    shaky.isAway = true
    ask('a')
    await passUntil(() => problems.length > 0, 1000)
    expect(problems[0]).toMatch(/store/)
    shaky.isAway = false
    ask('b')
    await passUntil(() => told().includes('asked b'), 1000)
    expect(new Set(told())).toEqual(new Set(['asked a', 'asked b']))
  })
})

describe('configuration', () => {
  it.each([
    ['no URL', { url: 'nope', secret }, /http/],
    ['a file', { url: 'file:///etc/passwd', secret }, /http/],
    ['a script', { url: 'javascript:alert(1)', secret }, /http/],
    ['a password in the URL', { url: 'https://me:pw@example.com', secret }, /password/],
    ['no secret', { url: 'https://example.com', secret: '' }, /secret/],
    ['an option that nobody reads', { url: 'https://example.com', secret, event: ['asked'] }, /"event".*Write events/],
    ['another event', { url: 'https://example.com', secret, events: ['drafted' as 'asked'] }, /drafted/],
  ])('refuses %s', (_what, hook, message) => {
    const create = () => createWebhooks({ ...parts, hooks: [hook] })
    expect(create).toThrow(message)
    expect(create).not.toThrow(/shh|pw@/)
  })

  it('wants two hooks of one URL told apart', async () => {
    const hook = { url: receiver.url, secret }
    expect(() => createWebhooks({ ...parts, hooks: [hook, hook] })).toThrow(/id/)
    await start({
      hooks: [
        { ...hook, id: 'a' },
        { ...hook, id: 'b' },
      ],
    })
    ask('c')
    await count(2)
  })
})
