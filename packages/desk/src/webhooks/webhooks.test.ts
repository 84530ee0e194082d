import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { webhookReceiver } from '../../test/webhook-receiver.js'
import type { Visitor } from '../asks/gate.js'
import type { AskOptions, Turn } from '../asks/turn.js'
import { type DeskParts, openParts } from '../desk-parts.js'
import { verifyWebhook } from './signature.js'
import { createWebhooks, type Webhooks, type WebhooksOptions } from './webhooks.js'

const secret = 'shh'
const alice: Visitor = { principal: 'alice', device: 'phone' }

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
  parts = await openParts({ clock, store })
  turn = await (await parts.session('s', { server: 'shop' })).startTurn('go')
  receiver = await webhookReceiver()
  problems.length = 0
})

afterEach(async () => {
  await Promise.all(running.splice(0).map(webhooks => webhooks.close()))
  await receiver.close()
  await parts.close()
})

/** Starts, and waits until it has begun to follow the desk. */
async function start(options: Partial<WebhooksOptions> = {}): Promise<Webhooks> {
  const hooks = [{ url: receiver.url, secret }]
  const onProblem = (problem: string) => void problems.push(problem)
  const webhooks = createWebhooks({
    order: parts.order,
    store,
    clock,
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
  parts.gate.dispatch(alice, {
    session: 's',
    on: 'session',
    dialect: 'older',
    action: { type: 'session/inputCompleted', requestId, ...more },
  })

/** Looks until it holds. The test's own time limit says when it never does. */
const eventually = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 10 * 60_000 })

const told = () => receiver.received.map(({ body }) => `${body.event} ${body.ask.id}`)
const count = (number: number) => eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(number))

/** Moves time on, step by step, until it holds. Time stands still while a request is under way. */
async function passUntil(holds: () => boolean, stepMs = 250): Promise<void> {
  for (let step = 0; !holds(); ) {
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
    await start({ linkTo: (session, id) => `https://desk.example/#${session}/${id}` })
    ask(
      'f',
      {},
      {
        questions: [{ id: 'name', kind: 'text', message: 'Name' }],
        _meta: { 'beckon/tool': 'deploy', 'beckon/arguments': { key: 'arg-secret' } },
      },
    )
    await count(1)
    const answers = { name: { state: 'submitted', value: { kind: 'text', value: 'hunter2' } } }
    await parts.gate.dispatch(alice, {
      session: 's',
      on: 'session',
      dialect: 'older',
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
      id: expect.stringMatching(/^desk-\d+$/),
      event: 'asked',
      at: expect.any(Number),
      session: 's',
      server: 'shop',
      ask: {
        id: 'f',
        kind: 'form',
        tool: 'deploy',
        message: 'Sure of f?',
        link: 'https://desk.example/#s/f',
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
    await eventually(() => expect(parts.order.state.session('s')?.policies.get('c')).toBeDefined())
    await complete('c', { response: 'cancel' })
    await count(1)
    expect(told()).toEqual(['answered c'])
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
    await (await parts.session('s')).dispose()
    await count(4)
    expect(told().slice(2)).toEqual(['withdrawn a', 'withdrawn b'])
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(4)
  })
})

describe('a session that went while nobody could tell', () => {
  it('is told of with its asks, to whom they were for', async () => {
    const hooks = [{ url: receiver.url, secret, audience: { principals: ['bob'] } }]
    const before = await start({ hooks })
    ask('his', { audience: { principals: ['bob'] } })
    await count(1)
    await stop(before)
    ask('hers', { audience: { principals: ['carol'] } })
    await (await parts.session('s')).dispose()
    await parts.close()
    // Another process, which has never heard of the session.
    parts = await openParts({ clock, store })
    await start({ hooks })
    await passUntil(() => receiver.received.length >= 2)
    expect(told()).toEqual(['asked his', 'withdrawn his'])
    expect(receiver.received[1]?.body).toMatchObject({ server: 'shop', ask: { message: 'Sure of his?' } })
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
    expect(problems).toEqual([expect.stringMatching(/^Webhook \w+: desk-\d+ was given up: status 500\.$/)])
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

describe('across restarts', () => {
  it('goes on where it stopped, and does not tell what was before its time', async () => {
    ask('before')
    await eventually(() => expect(parts.order.state.session('s')?.policies.get('before')).toBeDefined())
    const first = await start()
    const { seq } = parts.order
    ask('a')
    await count(1)
    await noted(seq)
    await stop(first)
    ask('b')
    await eventually(() => expect(parts.order.state.session('s')?.policies.get('b')).toBeDefined())
    await complete('b', { response: 'accept' })
    await parts.close()
    parts = await openParts({ clock, store })
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

  it('lets one node at a time tell, and another take over', async () => {
    const other = await openParts({ clock, store })
    const first = await start()
    await start({ order: other.order })
    ask('a')
    await count(1)
    const { seq } = parts.order
    ask('b')
    await count(2)
    await noted(seq)
    await stop(first)
    ask('c')
    await passUntil(() => receiver.received.length >= 3, 1000)
    await clock.advance(60_000)
    expect(told()).toEqual(['asked a', 'asked b', 'asked c'])
    await Promise.all(running.splice(0).map(webhooks => webhooks.close()))
    await other.close()
  })

  it('takes over from a node that died', async () => {
    // The lease of a node that never comes back.
    const first = await start()
    await stop(first)
    const lease = (await cursorKey()).replace('cursor', 'lease')
    await store.set(lease, 'dead', { expiresAt: clock.now() + 30_000 })
    await start()
    ask('a')
    await clock.advance(15_000)
    expect(told()).toEqual([])
    await passUntil(() => receiver.received.length >= 1, 1000)
  })

  it('goes on when the store is there again', async () => {
    let isDown = false
    const shaky: Store = {
      ...store,
      shared: store.shared,
      get: key => (isDown ? Promise.reject(new Error('The store is down.')) : store.get(key)),
      compareAndSet: (...given) => {
        return isDown ? Promise.reject(new Error('The store is down.')) : store.compareAndSet(...given)
      },
    }
    await start({ store: shaky })
    isDown = true
    ask('a')
    await passUntil(() => problems.length > 0, 1000)
    expect(problems[0]).toMatch(/The store is down/)
    isDown = false
    ask('b')
    await passUntil(() => told().includes('asked b'), 1000)
    expect(new Set(told())).toEqual(new Set(['asked a', 'asked b']))
  })

  it('says so when the log does not go back far enough', async () => {
    const first = await start()
    await stop(first)
    await store.set(await cursorKey(), 999_999)
    await start()
    await eventually(() => expect(problems[0]).toMatch(/does not go back/))
    ask('a')
    await count(1)
  })

  const cursorKey = async () => {
    const { createHash } = await import('node:crypto')
    return `desk/webhooks/${createHash('sha256').update(receiver.url).digest('hex').slice(0, 16)}/cursor`
  }
  const cursor = async () => store.get(await cursorKey())
  /** What was delivered is told again unless that was noted: waits until it was, for the first that comes after a line. */
  const noted = (seq: number) => eventually(async () => expect((await cursor())?.value).toBeGreaterThan(seq))
})

describe('configuration', () => {
  it.each([
    ['no URL', { url: 'nope', secret }, /http/],
    ['a file', { url: 'file:///etc/passwd', secret }, /http/],
    ['a script', { url: 'javascript:alert(1)', secret }, /http/],
    ['a password in the URL', { url: 'https://me:pw@example.com', secret }, /password/],
    ['no secret', { url: 'https://example.com', secret: '' }, /secret/],
    ['another event', { url: 'https://example.com', secret, events: ['drafted' as 'asked'] }, /drafted/],
  ])('refuses %s', (_what, hook, message) => {
    const create = () => createWebhooks({ order: parts.order, clock, hooks: [hook] })
    expect(create).toThrow(message)
    expect(create).not.toThrow(/shh|pw@/)
  })

  it('wants two hooks of one URL told apart', async () => {
    const hook = { url: receiver.url, secret }
    expect(() => createWebhooks({ order: parts.order, clock, hooks: [hook, hook] })).toThrow(/id/)
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
