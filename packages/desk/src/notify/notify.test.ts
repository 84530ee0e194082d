import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createParts, type DeskParts } from '../desk-parts.js'
import type { Directory } from '../people/directory.js'
import { groupsIn } from '../people/directory.js'
import type { Person } from '../policy/audience.js'
import { openSession } from '../turns/desk-session.js'
import type { AskOptions, Turn } from '../turns/turn.js'
import type { Notice, NotifyChannel } from './channel.js'
import { type NotifyDeps, notify, type OpenNotify } from './notify.js'

/** Ten in the morning, UTC. */
const start = Date.UTC(2026, 10, 17, 10)
const hourMs = 60 * 60 * 1000

let clock: TestClock
let store: Store
let parts: DeskParts
let turn: Turn
const told: string[] = []
const problems: string[] = []
const running: OpenNotify[] = []
let failing: string | undefined
let before: (notice: Notice) => Promise<void> = async () => {}

/** A chat that writes down what it is to say. */
const chat: NotifyChannel = {
  name: 'chat',
  async send({ principal }, notice) {
    await before(notice)
    if (failing !== undefined) throw new Error(failing)
    told.push(`${principal}: ${notice.message}${notice.reminder > 0 ? ` (${notice.reminder})` : ''}`)
    return undefined
  },
  async sendDigest({ principal }, notices) {
    told.push(`${principal}: ${notices.map(({ message }) => message).join(' + ')}`)
    return undefined
  },
  async withdraw({ principal }, { ask }) {
    if (failing !== undefined) throw new Error(failing)
    told.push(`${principal}: not ${ask}`)
  },
}

beforeEach(async () => {
  clock = createTestClock(start)
  store = memoryStore({ clock })
  parts = createParts({ clock, store })
  const session = await openSession(parts.turns, { id: 's', title: 'Session', server: 'shop' })
  turn = await session.startTurn('go')
  told.length = 0
  problems.length = 0
  failing = undefined
  before = async () => {}
})

afterEach(async () => {
  await Promise.all(running.splice(0).map(each => each.close()))
  await parts.close()
})

function begin(
  channels: readonly NotifyChannel[] = [chat],
  more: Partial<NotifyDeps> & { directory?: Directory } = {},
) {
  const opened = notify({ channels, random: () => 1 }).open({
    ...parts,
    directory: undefined,
    groupsOf: more.directory && groupsIn(more.directory),
    roleOf: undefined,
    address: () => 'https://desk.example',
    linkTo: (session, ask) => `https://desk.example/asks/${session}/${ask}`,
    onProblem: problem => void problems.push(problem),
    ...more,
  })
  opened.start()
  running.push(opened)
  return opened
}

const ask = (id: string, options?: AskOptions, more: object = {}) =>
  void turn.ask({ id, message: id, ...more }, { timeoutMs: 48 * hourMs, ...options }).catch(() => {})

const answer = (principal: string, requestId: string, response = 'accept') =>
  parts.actions.dispatch(
    { principal, device: 'phone' },
    { session: 's', on: 'session', dialect: '0.3', action: { type: 'session/inputCompleted', requestId, response } },
  )

const set = (opened: OpenNotify, person: Person, settings: object) =>
  opened.routes
    .find(({ method, path }) => method === 'PUT' && path === '/api/notify')
    ?.handle({
      method: 'PUT',
      path: '',
      query: new URLSearchParams(),
      body: { channels: {}, ...settings },
      header: () => undefined,
      viewer: { ...person, device: 'phone' },
      param: () => '',
    })

/** Lets everything that is under way come to rest, and time go on by so much. */
async function pass(ms = 0, stepMs = Math.max(1, Math.min(ms, 60_000))): Promise<void> {
  const settle = async () => {
    for (let turn = 0; turn < 60; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  await settle()
  for (let left = ms; left > 0; left -= stepMs) {
    await clock.advance(Math.min(left, stepMs))
    await settle()
  }
}

const channel = (more: object = {}) => ({ channels: { chat: { isOn: true, delayMs: 0, digestMs: 0, ...more } } })

describe('who is told', () => {
  it('are those who are asked by name, whether they were ever here or not, and nobody else', async () => {
    const opened = begin()
    await opened.seen({ principal: 'mallory' })
    ask('pay', { audience: { principals: ['alice'] } })
    await pass()
    expect(told).toEqual(['alice: pay'])
  })

  it('are those of a group whom the directory lists, and those who were here and are in it', async () => {
    const listed = begin([chat], { directory: { ops: ['alice'] } })
    await listed.seen({ principal: 'bob', groups: ['ops'] })
    ask('one', { audience: { groups: ['ops'] } })
    await pass()
    expect(told).toEqual(['alice: one'])
  })

  it('are in a group for seven days as their sign-in said, where no directory says', async () => {
    const opened = begin()
    await opened.seen({ principal: 'bob', groups: ['ops'] })
    ask('one', { audience: { groups: ['ops'] } })
    await pass()
    await pass(7 * 24 * hourMs, 6 * hourMs)
    ask('two', { audience: { groups: ['ops'] } })
    await pass()
    expect(told.filter(line => !line.includes('not'))).toEqual(['bob: one'])
  })

  it('are all who were here, for an ask that anyone may answer, but not who only reads', async () => {
    const opened = begin()
    await opened.seen({ principal: 'alice' })
    await opened.seen({ principal: 'eve', role: 'auditor' })
    ask('one')
    await pass()
    expect(told).toEqual(['alice: one'])
  })

  it('is no longer who has approved, while others are missing', async () => {
    begin()
    ask('pay', { audience: { principals: ['alice', 'bob'] }, quorum: 2 })
    await pass()
    await answer('alice', 'pay')
    await pass()
    expect(told).toEqual(['alice: pay', 'bob: pay', 'alice: not pay'])
  })

  it('are others once they are asked instead, and the first ones no longer', async () => {
    begin()
    const escalation = { afterMs: hourMs, audience: { principals: ['bob'] } }
    ask('pay', { audience: { principals: ['alice'] }, escalation })
    await pass(hourMs + 60_000)
    expect(told).toEqual(['alice: pay', 'bob: pay', 'alice: not pay'])
  })
})

it('tells who was handed an ask, and untells who handed it on', async () => {
  begin()
  for (const principal of ['alice', 'bob']) await parts.people.note(principal)
  ask('pay', { audience: { principals: ['alice'] } })
  await pass()
  const action = { type: 'beckon/delegated', requestId: 'pay', to: 'bob' }
  const settled = await parts.actions.dispatch(
    { principal: 'alice', device: 'phone' },
    { session: 's', on: 'session', dialect: '0.3', action },
  )
  expect(settled.kind).toBe('accepted')
  await pass()
  expect(told).toEqual(['alice: pay', 'bob: pay', 'alice: not pay'])
})

describe('a notice', () => {
  it('comes again with a reminder, and is taken back once the ask is answered', async () => {
    begin()
    ask('pay', { audience: { principals: ['alice'] }, remindAfterMs: [hourMs] })
    await pass(hourMs + 60_000)
    await answer('alice', 'pay')
    await pass()
    expect(told).toEqual(['alice: pay', 'alice: pay (1)', 'alice: not pay'])
  })

  it('is taken back when the turn ends, and when the session is disposed of', async () => {
    begin()
    ask('one', { audience: { principals: ['alice'] } })
    await pass()
    await turn.complete()
    await pass()
    expect(told).toEqual(['alice: one', 'alice: not one'])
  })

  it('says nothing of arguments', async () => {
    const seen: Notice[] = []
    before = async notice => void seen.push(notice)
    begin()
    ask('pay', { audience: { principals: ['alice'] } }, { _meta: { 'beckon/arguments': { card: '4111' } } })
    await pass()
    expect(JSON.stringify(seen)).not.toContain('4111')
    expect(seen).toMatchObject([{ ask: 'pay', link: 'https://desk.example/asks/s/pay', isSimple: true }])
  })

  it('is not sent where the ask was answered within the delay', async () => {
    const opened = begin()
    await set(opened, { principal: 'alice' }, channel({ delayMs: hourMs }))
    ask('one', { audience: { principals: ['alice'] } })
    ask('two', { audience: { principals: ['alice'] } })
    await pass(hourMs / 2)
    await answer('alice', 'one')
    await pass(hourMs)
    expect(told).toEqual(['alice: two'])
  })

  it('waits for the end of quiet hours, where someone is', async () => {
    const opened = begin()
    // It is eleven in Berlin.
    const quiet = { from: '09:00', to: '12:30', timeZone: 'Europe/Berlin' }
    await set(opened, { principal: 'alice' }, { ...channel(), quiet })
    ask('one', { audience: { principals: ['alice', 'bob'] } })
    await pass(hourMs)
    expect(told).toEqual(['bob: one'])
    await pass(hourMs)
    expect(told).toEqual(['bob: one', 'alice: one'])
  })

  it('does not come in quiet hours that someone set meanwhile, nor on a channel that they turned off', async () => {
    const opened = begin()
    const late = channel({ delayMs: hourMs })
    for (const principal of ['alice', 'bob']) await set(opened, { principal }, late)
    ask('one', { audience: { principals: ['alice', 'bob'] } })
    await pass()
    await set(opened, { principal: 'alice' }, { ...late, quiet: { from: '00:00', to: '23:59', timeZone: 'UTC' } })
    await set(opened, { principal: 'bob' }, channel({ isOn: false }))
    await pass(2 * hourMs)
    expect(told).toEqual([])
  })

  it('comes with others in a digest, without those that were answered', async () => {
    const opened = begin()
    await set(opened, { principal: 'alice' }, channel({ digestMs: hourMs }))
    await pass(60_000)
    for (const id of ['one', 'two', 'three']) {
      ask(id, { audience: { principals: ['alice'] } })
      await pass(60_000)
    }
    await pass(hourMs / 2)
    await answer('alice', 'two')
    await pass(hourMs)
    expect(told).toEqual(['alice: one + three'])
  })
})

describe('a channel that fails', () => {
  it('is tried again later and later, for a day, and the log says so twice', async () => {
    begin()
    failing = 'it is away'
    let tries = 0
    before = async () => void tries++
    ask('pay', { audience: { principals: ['alice'] } })
    await pass(25 * hourMs, 10 * 60_000)
    expect(tries).toBeGreaterThan(10)
    expect(tries).toBeLessThan(50)
    expect(problems).toEqual([
      'Notifications by chat: a notice could not be sent, and is tried again: it is away',
      expect.stringMatching(/^Notifications by chat: a notice was given up after \d+ attempts: it is away$/),
    ])
  })

  it('tells what it could not as soon as it is back, and takes back what it could not', async () => {
    begin()
    failing = 'it is away'
    ask('pay', { audience: { principals: ['alice'] } })
    await pass(10_000, 1_000)
    failing = undefined
    await pass(60_000, 1_000)
    expect(told).toEqual(['alice: pay'])
    failing = 'it is away again'
    await answer('alice', 'pay')
    await pass(10_000, 1_000)
    failing = undefined
    await pass(60_000, 1_000)
    expect(told).toEqual(['alice: pay', 'alice: not pay'])
  })

  it('keeps no other waiting', async () => {
    const other: NotifyChannel = { ...chat, name: 'other', send: () => new Promise(() => {}) }
    begin([other, chat])
    ask('one', { audience: { principals: ['alice'] } })
    await pass()
    ask('two', { audience: { principals: ['alice'] } })
    await pass(10_000)
    expect(told).toEqual(['alice: one', 'alice: two'])
  })

  it('is told nothing of an ask that ended while it was tried', async () => {
    begin()
    failing = 'it is away'
    ask('pay', { audience: { principals: ['alice'] } })
    await pass(3_000, 1_000)
    failing = undefined
    await answer('alice', 'pay')
    await pass(60_000, 1_000)
    expect(told).toEqual([])
  })

  it('takes back what was sent while the ask ended', async () => {
    begin()
    before = async () => void (await answer('alice', 'pay'))
    ask('pay', { audience: { principals: ['alice'] } })
    await pass(10_000)
    expect(told).toEqual(['alice: pay', 'alice: not pay'])
  })
})

describe('a directory that is away', () => {
  it('keeps no other ask waiting, and is asked again', async () => {
    let isAway = true
    const directory = async (principal: string) => {
      if (isAway && principal === 'bob') throw new Error('no answer')
      return principal === 'bob' ? ['ops'] : []
    }
    const opened = begin([chat], { directory })
    await opened.seen({ principal: 'bob' })
    ask('one', { audience: { groups: ['ops'] } })
    ask('two', { audience: { principals: ['alice'] } })
    await pass(10_000, 1_000)
    expect(told).toEqual(['alice: two'])
    isAway = false
    await pass(10_000, 1_000)
    expect(told).toEqual(['alice: two', 'bob: one'])
    expect(problems).toEqual([
      'Notifications: who is told of an ask could not be found out, and is tried again: no answer',
    ])
  })
})

describe('what is stored', () => {
  it('is told by the next start, once, and nothing is left behind after it', async () => {
    const first = begin()
    failing = 'it is away'
    ask('pay', { audience: { principals: ['alice'] } })
    await pass()
    await first.close()
    running.length = 0
    failing = undefined
    begin()
    await pass(60_000, 1_000)
    expect(told).toEqual(['alice: pay'])
    await answer('alice', 'pay')
    await pass(60_000)
    for (const left of ['outbox', 'queue/chat', 'told/s'])
      expect(await store.range(`desk/notify/${left}`, { limit: 9 })).toEqual([])
  })

  it('is told by one of two nodes', async () => {
    begin()
    const second = createParts({ clock, store })
    const other = notify({ channels: [chat] }).open({
      ...second,
      directory: undefined,
      groupsOf: undefined,
      roleOf: undefined,
      address: () => '',
      linkTo: () => 'https://desk.example/',
      onProblem: () => {},
    })
    other.start()
    ask('pay', { audience: { principals: ['alice'] } })
    await pass(60_000, 1_000)
    expect(told).toEqual(['alice: pay'])
    await other.close()
    await second.close()
  })
})

describe('settings', () => {
  it.each([
    [{ channels: { fax: { isOn: true, delayMs: 0, digestMs: 0 } } }, 'There is no channel "fax".'],
    [{ channels: { chat: { isOn: 'yes', delayMs: 0, digestMs: 0 } } }, '"chat" has "isOn"'],
    [{ quiet: { from: '25:00', to: '07:00', timeZone: 'UTC' } }, '"from" and "to" are times'],
    [{ quiet: { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' } }, '"timeZone" is a name'],
    [{ language: '../..' }, '"language" is a tag'],
    [{ isAdmin: true }, 'The body is an object with'],
  ])('are refused with the reason: %j', async (settings, reason) => {
    const opened = begin()
    const reply = await set(opened, { principal: 'alice' }, settings)
    expect(reply).toMatchObject({ status: 400, body: expect.stringContaining(JSON.stringify(reason).slice(1, -1)) })
  })
})
