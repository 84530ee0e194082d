import { createHash } from 'node:crypto'
import { memoryStore } from 'beckon'
import type { AskSubject } from 'beckon/desk/adapter'
import type { Store } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createParts, type DeskParts } from '../desk-parts.js'
import { openSession } from '../turns/desk-session.js'
import { openOnDesk } from '../turns/open-ask.js'

let clock: TestClock
let store: Store
let parts: DeskParts

beforeEach(() => {
  clock = createTestClock()
  store = memoryStore({ clock })
  parts = createParts({ clock, store })
})

afterEach(() => parts.close())

const input = { iban: 'DE02 1203 0000 0000 2020 51', amount: 4711 }
const subject: AskSubject = { call: 'c1', server: 'bank', tool: 'transfer', input, asker: 'shop' }

async function openAsk(id = 'a', message = 'Transfer 4711 to Erika?', about = subject): Promise<void> {
  const terms = { expiresAt: clock.now() + 60_000 }
  await openOnDesk(parts.turns, [about, { id, message }, terms], { linkTo: id => id, identifiesPeople: false })
}

function complete(principal: string, requestId: string, session: string, answers?: object) {
  const action = { type: 'session/inputCompleted', requestId, response: 'accept', ...(answers && { answers }) }
  return parts.actions.dispatch({ principal, device: 'd' }, { session, on: 'session', dialect: '0.3', action })
}

/** Everything that the audit keeps. */
async function kept(): Promise<string> {
  const logs = await store.range('desk/audit/logs', { limit: 100 })
  const read = await Promise.all(logs.map(({ member }) => store.read(`desk/audit/log/${member}`)))
  return JSON.stringify(read)
}

describe('an entry of an ask', () => {
  it('says by itself who asked what, for which tool and arguments, and what came of it', async () => {
    await openAsk()
    await complete('alice', 'c1.a', 'call-c1')
    const shown = await parts.audit.digest({ message: 'Transfer 4711 to Erika?' })
    const about = {
      session: 'call-c1',
      server: 'bank',
      request: 'c1.a',
      tool: 'transfer',
      asker: 'shop',
      shown: { digest: shown, text: { message: 'Transfer 4711 to Erika?' } },
      arguments: await parts.audit.digest(input),
    }
    expect(await parts.audit.query()).toMatchObject([
      { event: 'asked', ...about },
      { event: 'accepted', ...about, by: { principal: 'alice', device: 'd' }, answer: await parts.audit.digest({}) },
    ])
    expect(await kept()).not.toContain('DE02')
  })

  it('has everyone who approved, and of the answer a digest that nobody can guess', async () => {
    const session = await openSession(parts.turns, { id: 's', title: 'S', server: 'bank' })
    const turn = await session.startTurn()
    const questions = [{ kind: 'text' as const, id: 'pin', message: 'PIN?', required: true }]
    const outcome = turn.ask({ id: 'q', message: 'PIN?', questions }, { quorum: 2 })
    await expect.poll(() => parts.sessions.known('s')?.open.size).toBe(1)
    const answers = { pin: { state: 'submitted', value: { kind: 'text', value: '1234' } } }
    await complete('alice', 'q', 's', answers)
    await complete('bob', 'q', 's', answers)
    await outcome
    const entries = await parts.audit.query({ request: 'q' })
    const last = entries.at(-1)
    expect(entries.map(({ event, approvals }) => [event, approvals])).toContainEqual(['recorded', ['alice']])
    expect(last).toMatchObject({ event: 'accepted', by: { principal: 'bob' }, approvals: ['alice', 'bob'] })
    expect(last?.answer).toBe(await parts.audit.digest({ pin: '1234' }))
    for (const encoding of ['base64url', 'hex'] as const)
      expect(last?.answer).not.toBe(createHash('sha256').update('{"pin":"1234"}').digest(encoding))
    expect(await kept()).not.toContain('1234')
  })
})

describe('what was shown', () => {
  it('can be erased, and the audit stays whole', async () => {
    await openAsk()
    await complete('alice', 'c1.a', 'call-c1')
    await openAsk('b', 'Transfer 1 to Max?', { ...subject, call: 'c2' })
    await complete('alice', 'c2.b', 'call-c2')
    expect(await parts.audit.verify()).toMatchObject({ isWhole: true, texts: 4, erasedTexts: 0 })
    expect(await parts.audit.eraseTexts({ session: 'call-c1' })).toBe(1)
    const texts = (await parts.audit.query()).map(({ shown }) => shown?.text?.message)
    expect(texts).toEqual([undefined, undefined, 'Transfer 1 to Max?', 'Transfer 1 to Max?'])
    expect(await parts.audit.verify()).toMatchObject({ isWhole: true, texts: 2, erasedTexts: 2 })
    expect(await parts.audit.eraseTexts({ session: 'call-c1' })).toBe(0)
  })

  it('shows when somebody put other words in its place', async () => {
    const keys: string[] = []
    const spied: Store = {
      ...store,
      set: (key, ...rest) => {
        if (key.includes('/audit/texts/')) keys.push(key)
        return store.set(key, ...rest)
      },
    }
    await parts.close()
    parts = createParts({ clock, store: spied })
    await openAsk()
    await parts.audit.written()
    const [key = ''] = keys
    const value = (await store.get(key))?.value
    await store.set(key, JSON.parse(JSON.stringify(value).replace('4711', '1')))
    expect((await parts.audit.verify()).faults).toMatchObject([{ kind: 'text-changed', place: 1 }])
  })
})
