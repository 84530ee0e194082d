import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveRest } from '../../../test/serve-rest.js'
import { EventsClient, type SeenEvent } from '../../../test/watch-events.js'
import { createParts, type DeskParts } from '../../desk-parts.js'
import { type DeskSession, openSession } from '../../turns/desk-session.js'
import type { AskOptions, Turn } from '../../turns/turn.js'
import { createRest, type Rest, type RestOptions } from '../rest.js'
import { EventStream } from './event-stream.js'

let clock: TestClock
let store: Store
let parts: DeskParts
let rest: Rest
let served: Awaited<ReturnType<typeof serveRest>>
let turn: Turn
const clients: EventsClient[] = []

beforeEach(async () => {
  clock = createTestClock()
  store = memoryStore({ clock })
  parts = createParts({ clock, store, limits: { maxSessionBytes: 64 * 1024 * 1024 } })
  turn = await (await session()).startTurn('go')
  await serve()
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  rest.close()
  await served.close()
  await parts.close()
})

function session(id = 's'): Promise<DeskSession> {
  return openSession(parts.turns, { id, title: 'Session', server: 'shop' })
}

async function serve(options: Partial<RestOptions> = {}): Promise<void> {
  rest?.close()
  await served?.close()
  rest = createRest({ ...parts, ...options })
  served = await serveRest(rest)
}

async function watch(options: { as?: string; lastEventId?: string; query?: string } = {}): Promise<EventsClient> {
  const client = await EventsClient.open(`${served.url}/api/events${options.query ?? ''}`, options)
  clients.push(client)
  return client
}

function post(path: string, body: unknown, { as = 'alice', method = 'POST' } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
  return fetch(`${served.url}${path}`, { method, headers, body: JSON.stringify(body) })
}

const ask = (id: string, options?: AskOptions, more: object = {}) =>
  turn.ask({ id, message: `Sure of ${id}?`, ...more }, options).catch(() => {})

const question = { questions: [{ id: 'name', kind: 'text', message: 'Name' }] }

const kinds = ({ events }: EventsClient) => events.map(({ event, data }) => `${event} ${data.id}`)

describe('GET /api/events', () => {
  it('tells what happens to asks, with who and never with the answers', async () => {
    const client = await watch()
    ask('f', {}, question)
    await client.count(1)
    await post('/api/asks/s/f/drafts/name', { value: 'hunter2' }, { as: 'bob', method: 'PUT' })
    await post('/api/asks/s/f/answer', { content: { name: 'hunter2' } }, { as: 'bob' })
    ask('e', { timeoutMs: 1000 })
    await client.count(4)
    await clock.advance(1000)
    ask('w')
    await client.count(6)
    await turn.complete()
    const events = await client.count(7)
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      [
        'asked',
        expect.objectContaining({ id: 'f', session: 's', server: 'shop', status: 'open', message: 'Sure of f?' }),
      ],
      [
        'drafted',
        { id: 'f', session: 's', server: 'shop', at: expect.any(Number), by: 'bob', question: 'name', state: 'draft' },
      ],
      [
        'answered',
        expect.objectContaining({ id: 'f', by: 'bob', ended: { event: 'answered', response: 'accept', by: 'bob' } }),
      ],
      ['asked', expect.objectContaining({ id: 'e' })],
      ['expired', expect.objectContaining({ id: 'e', ended: { event: 'expired' } })],
      ['asked', expect.objectContaining({ id: 'w' })],
      ['withdrawn', expect.objectContaining({ id: 'w', ended: { event: 'withdrawn' } })],
    ])
    const ids = events.map(({ id }) => id.split('.'))
    expect(new Set(ids.map(([node]) => node)).size).toBe(1)
    expect(ids.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(client.text).not.toContain('hunter2')
  })

  it('tells nobody what is for others', async () => {
    const [alice, bob] = [await watch(), await watch({ as: 'bob' })]
    ask('secret', { audience: { principals: ['bob'] } })
    await bob.count(1)
    await post('/api/asks/s/secret/answer', {}, { as: 'bob' })
    ask('all')
    await bob.count(3)
    await alice.count(1)
    expect(kinds(bob)).toEqual(['asked secret', 'answered secret', 'asked all'])
    expect(kinds(alice)).toEqual(['asked all'])
    expect(alice.text).not.toContain('secret')
  })

  it('tells those who were asked first that others are asked instead', async () => {
    const [alice, bob] = [await watch(), await watch({ as: 'bob' })]
    ask('up', { audience: { principals: ['alice'] }, escalation: { afterMs: 1000, audience: { principals: ['bob'] } } })
    await alice.count(1)
    await clock.advance(1000)
    await Promise.all([alice.count(2), bob.count(1)])
    expect(kinds(alice)).toEqual(['asked up', 'withdrawn up'])
    expect(kinds(bob)).toEqual(['asked up'])
  })

  it('tells the same of an escalation again to whoever was cut, and nothing to those whom it does not concern', async () => {
    const people = ['alice', 'bob', 'carol']
    const whole = await Promise.all(people.map(as => watch({ as })))
    const [alice, bob, carol] = whole as [EventsClient, EventsClient, EventsClient]
    const begin = carol.lastEventId
    const escalation = { afterMs: 1000, audience: { principals: ['bob', 'carol'] } }
    ask('up', { audience: { principals: ['alice', 'carol'] }, escalation }, question)
    await Promise.all([alice.count(1), carol.count(1)])
    await post('/api/asks/s/up/drafts/name', { value: 'x' }, { method: 'PUT' })
    await clock.advance(1000)
    await Promise.all([alice.count(3), bob.count(1)])
    expect((await post('/api/asks/s/up/decline', {}, { as: 'alice' })).status).toBe(404)
    await post('/api/asks/s/up/decline', {}, { as: 'bob' })
    await Promise.all([bob.count(2), carol.count(3)])
    expect(whole.map(kinds)).toEqual([
      ['asked up', 'drafted up', 'withdrawn up'],
      ['asked up', 'answered up'],
      ['asked up', 'drafted up', 'answered up'],
    ])
    expect(bob.events[0]?.data.drafts).toEqual({ name: { state: 'draft', value: 'x' } })
    const last = (await watch()).lastEventId
    for (const [index, as] of people.entries()) {
      const { events } = whole[index] as EventsClient
      for (const [from, id] of [begin, ...events.map(event => event.id)].entries()) {
        const again = await watch({ as, lastEventId: id })
        await again.until(() => again.lastEventId === last)
        expect(again.events).toEqual(events.slice(from))
      }
    }
  })

  it('tells that the asks of a session are gone with it', async () => {
    const client = await watch()
    ask('a')
    ask('b')
    await client.count(2)
    await (await session()).dispose()
    await client.count(4)
    expect(kinds(client).slice(2)).toEqual(['withdrawn a', 'withdrawn b'])
    const again = await watch({ lastEventId: client.events[1]?.id ?? '' })
    await again.count(2)
    expect(kinds(again)).toEqual(['withdrawn a', 'withdrawn b'])
  })

  it('goes on after the last event, wherever the connection was cut', async () => {
    const whole = await watch()
    ask('one', {}, question)
    ask('secret', { audience: { principals: ['bob'] } })
    await whole.count(1)
    await post('/api/asks/s/one/drafts/name', { value: 'x' }, { method: 'PUT' })
    await post('/api/asks/s/one/answer', {})
    ask('two')
    ask('three')
    await whole.count(5)
    await turn.cancel()
    const all = [...(await whole.count(7))]
    const last = (await watch()).lastEventId
    for (const [index, { id }] of all.entries()) {
      const again = await watch({ lastEventId: id })
      await again.until(() => again.lastEventId === last)
      expect(again.events).toEqual(all.slice(index + 1))
    }
  })

  it('loses and repeats nothing while someone comes back', async () => {
    const first = await watch()
    ask('a0')
    await first.count(1)
    const last = first.events[0]?.id ?? ''
    const opening = watch({ lastEventId: last })
    for (let index = 1; index < 30; index++) {
      ask(`a${index}`)
      await new Promise(resolve => setImmediate(resolve))
    }
    const again = await opening
    await again.count(29)
    await first.count(30)
    expect(kinds(again)).toEqual(kinds(first).slice(1))
  })

  it.each([
    '',
    'x',
    '.',
    '7',
    '999999',
    '-1',
    'AAAAAAAA.1',
    'NODE.-1',
    'NODE.1e3',
    'NODE.99',
    `NODE.${'9'.repeat(40)}`,
  ])('says reset when it cannot go on after %j', async wrong => {
    const { lastEventId: now } = await watch()
    const node = now.split('.')[0] ?? ''
    const client = await watch({ lastEventId: wrong.replace('NODE', node) })
    const [reset] = await client.count(1)
    expect(reset).toMatchObject({ event: 'reset', id: now, data: { reason: expect.any(String) } })
    ask('next')
    await client.count(2)
    expect(client.events[1]).toMatchObject({ event: 'asked' })
  })

  it('says reset when there is too much to tell again', async () => {
    await serve({ maxBufferedChars: 2000 })
    const client = await watch()
    for (let index = 0; index < 20; index++) {
      ask(`a${index}`)
      await client.count(index + 1)
    }
    expect((await (await watch({ lastEventId: client.events[0]?.id ?? '' })).count(1))[0]?.event).toBe('reset')
    expect((await (await watch({ lastEventId: client.events[18]?.id ?? '' })).count(1))[0]?.event).toBe('asked')
  })

  it('says reset when more happened than it keeps', async () => {
    const client = await watch()
    const questions = { questions: [{ id: 'name', kind: 'text', message: 'Name' }] }
    ask('a', {}, questions)
    const [first] = await client.count(1)
    for (let round = 0; round < 21; round++) {
      const drafts = Array.from({ length: 100 }, (_, index) => ({
        session: 's',
        on: 'session' as const,
        dialect: '0.3' as const,
        action: {
          type: 'session/inputAnswerChanged',
          requestId: 'a',
          questionId: 'name',
          answer: { state: 'draft', value: { kind: 'text', value: `${index}` } },
        },
      }))
      await Promise.all(drafts.map(draft => parts.actions.dispatch({ principal: 'bob', device: 'x' }, draft)))
      await client.count(1 + (round + 1) * 100)
    }
    expect((await (await watch({ lastEventId: first?.id ?? '' })).count(1))[0]?.event).toBe('reset')
  })

  it('remembers for a minute what happened while nobody watched, and no longer', async () => {
    /** What someone is told who comes back, and leaves again. */
    const look = async (lastEventId?: string): Promise<string> => {
      const request = { method: 'GET', path: '/api/events', query: new URLSearchParams(), header: () => undefined }
      const response = await rest.handle({ ...request, lastEventId }, { principal: 'alice', device: 'x' })
      if (response === undefined || !('stream' in response)) throw new Error('no stream')
      const stream = response.stream[Symbol.asyncIterator]()
      const { value } = await stream.next()
      await stream.return?.()
      return value
    }
    const idIn = (text: string) => /id: (\S+)\n\n$/.exec(text)?.[1] ?? ''
    const first = idIn(await look())
    ask('a')
    await clock.advance(59_000)
    const second = await look(first)
    expect(second).toContain('event: asked')
    await clock.advance(60_000)
    expect(await look(idIn(second))).toContain('event: reset')
  })

  it('tells a client that comes to another node to look for itself, and then what happens on both', async () => {
    const { lastEventId } = await watch()
    const other = createParts({ clock, store })
    const elsewhere = createRest(other)
    const there = await serveRest(elsewhere)
    const client = await EventsClient.open(`${there.url}/api/events`, { lastEventId })
    clients.push(client)
    expect((await client.count(1))[0]?.event).toBe('reset')
    ask('a')
    await client.count(2)
    await post('/api/asks/s/a/decline', {}, { as: 'bob' })
    await client.count(3)
    expect(kinds(client).slice(1)).toEqual(['asked a', 'answered a'])
    expect(client.events[2]?.data).toMatchObject({ by: 'bob', ended: { response: 'decline' } })
    elsewhere.close()
    await there.close()
    await other.close()
  })

  it('shows only one session when that is wanted', async () => {
    const client = await watch({ query: '?session=t' })
    ask('here')
    const other = await (await session('t')).startTurn()
    other.ask({ id: 'there', message: 'Sure?' }).catch(() => {})
    await client.count(1)
    expect(kinds(client)).toEqual(['asked there'])
  })

  it('shows that it lives, and how far the client has got', async () => {
    const [client, bob] = [await watch(), await watch({ as: 'bob' })]
    ask('secret', { audience: { principals: ['bob'] } })
    const [{ id }] = (await bob.count(1)) as [SeenEvent]
    await client.until(() => {
      clock.advance(15_000)
      return client.lastEventId === id
    })
    expect(client.text).toContain(': alive')
    expect(client.events).toEqual([])
  })

  it('cuts a client that does not read, and serves the rest', async () => {
    await serve({ maxBufferedChars: 64 * 1024 })
    const [slow, quick] = [await watch(), await watch()]
    slow.pause()
    const message = 'x'.repeat(32 * 1024)
    const rounds = 600
    for (let index = 0; index < rounds; index++) {
      ask(`a${index}`, {}, { message })
      await quick.count(index + 1)
    }
    slow.resume()
    await slow.until(() => slow.isEnded)
    expect(slow.events.length).toBeLessThan(rounds)
    expect(quick.isEnded).toBe(false)
  }, 120_000)

  it('has a limit of feeds for one person', async () => {
    await serve({ maxFeedsPerPerson: 2 })
    const [first] = [await watch(), await watch()]
    expect((await watch()).status).toBe(429)
    expect((await watch({ as: 'bob' })).status).toBe(200)
    first?.close()
    let status = 429
    while (status === 429) status = (await watch()).status
  })

  it('ends when the proof of who someone is does, and when the desk closes', async () => {
    const request = { method: 'GET', path: '/api/events', query: new URLSearchParams(), header: () => undefined }
    const open = async (viewer: { expiresAt?: number }) => {
      const response = await rest.handle(request, { principal: 'alice', device: 'x', ...viewer })
      if (response === undefined || !('stream' in response)) throw new Error('no stream')
      return response.stream[Symbol.asyncIterator]()
    }
    const [short, long] = [await open({ expiresAt: clock.now() + 1000 }), await open({})]
    await Promise.all([short.next(), long.next()])
    const end = short.next()
    clock.advance(1000)
    expect(await end).toEqual({ done: true, value: undefined })
    const closed = long.next()
    rest.close()
    expect(await closed).toEqual({ done: true, value: undefined })
  })

  it('records who watches the session of an ask, and nobody who is told of everything', async () => {
    const [bob, carol] = [await watch({ as: 'bob', query: '?session=s' }), await watch({ as: 'carol' })]
    ask('c')
    await Promise.all([bob.count(1), carol.count(1)])
    const views = (await parts.audit.query({ request: 'c' })).filter(({ event }) => event === 'viewed')
    expect(views.map(({ by }) => by?.principal)).toEqual(['bob'])
  })
})

describe('EventStream', () => {
  it('gives what was pushed in order, and never holds more than its limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constant('read'), fc.string({ minLength: 1, maxLength: 20 }))),
        async steps => {
          let isEnded = false
          const stream = new EventStream(50, () => {
            isEnded = true
          })
          const pushed: string[] = []
          let read = ''
          let waiting = 0
          for (const step of steps) {
            if (isEnded) break
            if (step === 'read') {
              if (waiting > 0) read += (await stream.next()).value ?? ''
              waiting = 0
            } else {
              pushed.push(step)
              waiting += step.length
              stream.push(step)
              expect(isEnded).toBe(waiting > 50)
            }
          }
          expect(pushed.join('').startsWith(read)).toBe(true)
          if (isEnded) expect(await stream.next()).toEqual({ done: true, value: undefined })
        },
      ),
    )
  })
})
