// Standing rules on real desks, over REST, with calls of a server in another process.
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, memoryStore, type ToolConfig } from 'beckon'
import { peekReceipt, receipts } from 'beckon/receipts'
import { createTestClient, createTestClock } from 'beckon/test'
import { afterEach, describe, expect, it } from 'vitest'
import { quietStore } from '../../test/quiet-store.js'
import { createParts } from '../desk-parts.js'
import { asksActions } from '../dialects/asks.js'
import { bearerAccess, createDesk, type DeskOptions, type KnownRule, type NewRule, type Rule } from '../index.js'
import { openOnDesk } from './open-ask.js'

const tokenOf = (name: string) => `a-token-of-${name}-here`
const people = ['ann', 'bob', 'eve', 'root', 'audrey']
const tokens = Object.fromEntries(people.map(principal => [tokenOf(principal), { principal }]))
const shop = 'a-token-of-the-shop'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Opened {
  readonly session: string
  readonly id: string
}

async function setUp(options: DeskOptions = {}) {
  const desk = createDesk({
    servers: { shop },
    access: bearerAccess({ tokens }),
    roles: { admin: { principals: ['root'] }, auditor: { principals: ['audrey'] } },
    ...options,
  })
  closing.push(() => desk.close())
  const { url } = await desk.listen()
  const send = (token: string, method: string, path: string, body?: object) =>
    fetch(`${url}api/${path}`, {
      method,
      // A busy machine takes longer over a month than an idle connection is kept.
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    })
  let calls = 0
  const open = async (more: object = {}): Promise<Opened> => {
    const asked = { id: `a${++calls}`, message: 'Refund?', tool: 'refund', principal: 'ann', ...more }
    const response = await send(shop, 'POST', 'asks', asked)
    expect(response.status, await response.clone().text()).toBe(201)
    return (await response.json()) as Opened
  }
  const outcome = async ({ session, id }: Opened) => {
    const { status } = (await (await send(tokenOf('root'), 'GET', `asks/${session}/${id}`)).json()) as {
      status: string
    }
    return status === 'ended' ? (await send(shop, 'GET', `asks/${session}/${id}/outcome`)).json() : status
  }
  return {
    desk,
    open,
    outcome,
    as: (who: string, method: string, path: string, body?: object) => send(tokenOf(who), method, path, body),
    asked: async (more?: object) => outcome(await open(more)),
    async own(who: string, rule: NewRule) {
      const response = await send(tokenOf(who), 'POST', 'rules', rule)
      expect(response.status, await response.clone().text()).toBe(201)
      return (await response.json()) as KnownRule
    },
  }
}

const small: Rule = { id: 'small', effect: 'allow', match: { tool: 'refund', arguments: { amount: { max: 50 } } } }
const never: Rule = { id: 'never', effect: 'deny', match: { tool: 'drop*' }, reason: 'Not on a Friday.' }

describe('a rule for the whole desk', () => {
  it('accepts or declines in place of people, and says so to the tool, over REST and in the audit', async () => {
    const { desk, asked, open, as } = await setUp({ rules: [small, never] })
    const opened = await open({ arguments: { amount: 40 } })
    expect(await asked({ arguments: { amount: 40 } })).toEqual({
      action: 'accept',
      content: {},
      by: [{ rule: 'small' }],
    })
    expect(await asked({ arguments: { amount: 51 } })).toBe('open')
    expect(await asked({ tool: 'drop_table' })).toMatchObject({
      action: 'decline',
      reason: 'Not on a Friday.',
      by: [{ rule: 'never' }],
    })
    const view = await (await as('ann', 'GET', `asks/${opened.session}/${opened.id}`)).json()
    expect(view).toMatchObject({ status: 'ended', ended: { event: 'answered', response: 'accept', rule: 'small' } })
    const late = await as('ann', 'POST', `asks/${opened.session}/${opened.id}/decline`, {})
    expect([late.status, await late.json()]).toMatchObject([409, { detail: expect.stringContaining('rule "small"') }])
    const entries = await desk.audit.query({ session: opened.session })
    const told = entries.slice(0, 2).map(({ event, rule, by }) => ({ event, rule, by }))
    expect(told).toEqual([
      { event: 'asked', rule: undefined, by: undefined },
      { event: 'accepted', rule: 'small', by: undefined },
    ])
  })

  it('accepts a form that has the arguments of the call as it is, and no other', async () => {
    const { asked } = await setUp({ rules: [small, never] })
    const schema = {
      type: 'object',
      properties: {
        amount: { type: 'number', default: 40 },
        to: { type: 'string', enum: ['card', 'account'], default: 'card' },
        note: { type: 'string' },
      },
    }
    const form = { arguments: { amount: 40, to: 'card' }, schema }
    expect(await asked({ ...form, approves: true })).toEqual({
      action: 'accept',
      content: { amount: 40, to: 'card' },
      by: [{ rule: 'small' }],
    })
    expect(await asked({ ...form, approves: true, tool: 'drop' })).toMatchObject({ action: 'decline' })
    expect(await asked(form)).toBe('open')
  })

  it('accepts no form that would give back another call than the one that it is about', async () => {
    const { asked } = await setUp({ rules: [small, never] })
    const withAmount = (amount: object) => ({
      arguments: { amount: 5.5, tags: ['a'] },
      schema: { type: 'object', properties: { amount, tags: { type: 'string', default: '["a"]' } } },
      approves: true,
    })
    const asJson = { type: 'string', default: '5.5' }
    expect(await asked(withAmount(asJson))).toMatchObject({ action: 'accept' })
    expect(await asked(withAmount({ type: 'number', default: 5.5 }))).toMatchObject({ action: 'accept' })
    expect(await asked(withAmount({ type: 'integer' }))).toBe('open')
    expect(await asked(withAmount({ type: 'number', default: 5 }))).toBe('open')
    expect(await asked({ ...withAmount({ type: 'integer' }), tool: 'drop' })).toMatchObject({ action: 'decline' })
  })

  it('is named to those who look on', async () => {
    const parts = createParts({ rules: [small] })
    closing.push(() => parts.close())
    const told: unknown[] = []
    parts.sessions.listen(happened =>
      told.push(...asksActions(happened, () => undefined).map(({ action }) => action())),
    )
    const subject = { server: 'shop', tool: 'refund', input: { amount: 1 }, principal: 'ann' }
    const asked = [subject, { id: 'a', message: 'Refund?' }, { expiresAt: Date.now() + 60_000 }] as const
    await openOnDesk(parts.turns, asked, { linkTo: () => '', identifiesPeople: true })
    const ending = { response: 'accept', rule: 'small', at: expect.any(Number) }
    expect(told).toContainEqual({ type: 'asks/ended', session: 'call-a', requestId: 'a', ending })
  })

  it('answers no form, no page, nothing outside a tool, and accepts nothing that takes a person', async () => {
    const { asked } = await setUp({
      rules: [
        { id: 'all', effect: 'allow', match: { server: 'shop' } },
        { id: 'no', effect: 'deny', match: { tool: 'wipe' } },
      ],
    })
    expect(await asked()).toMatchObject({ action: 'accept' })
    expect(await asked({ schema: { type: 'object', properties: { a: { type: 'string' } } } })).toBe('open')
    expect(await asked({ url: 'https://shop.example/pay' })).toBe('open')
    expect(await asked({ tool: undefined })).toBe('open')
    expect(await asked({ person: 'present' })).toBe('open')
    expect(await asked({ destructive: true })).toBe('open')
    // A no takes nobody.
    expect(await asked({ tool: 'wipe', person: 'present', destructive: true })).toMatchObject({ action: 'decline' })
  })

  it('says whom to ask and how many, in place of what the tool says; who called is none of them', async () => {
    const rule: Rule = {
      id: 'two',
      effect: 'ask',
      match: { arguments: { amount: { min: 1000 } } },
      audience: { principals: ['ann', 'bob', 'eve'] },
      quorum: 2,
    }
    const { desk, open, outcome, as } = await setUp({
      rules: [rule, { id: 'all', effect: 'allow', match: { tool: '*fund' } }],
    })
    const opened = await open({ arguments: { amount: 5000 } })
    const path = `asks/${opened.session}/${opened.id}`
    expect(await (await as('bob', 'GET', path)).json()).toMatchObject({ status: 'open', rule: 'two' })
    expect((await as('ann', 'POST', `${path}/answer`, {})).status).toBe(403)
    expect((await as('bob', 'POST', `${path}/answer`, {})).status).toBe(202)
    expect((await as('eve', 'POST', `${path}/answer`, {})).status).toBe(200)
    expect(await outcome(opened)).toMatchObject({ by: [{ principal: 'bob' }, { principal: 'eve' }] })
    const [asked] = await desk.audit.query({ session: opened.session })
    expect(asked).toMatchObject({ event: 'asked', rule: 'two' })
  })

  it('may be about who called, and about the groups that the directory says they are in', async () => {
    const interns = ['bob']
    const rules: Rule[] = [
      { id: 'interns', effect: 'deny', match: { group: 'interns' } },
      { id: 'eve', effect: 'allow', match: { tool: 'refund', principal: 'eve' } },
    ]
    const { asked } = await setUp({ rules, directory: { interns } })
    expect(await asked({ principal: 'bob' })).toMatchObject({ by: [{ rule: 'interns' }] })
    expect(await asked({ principal: 'eve' })).toMatchObject({ by: [{ rule: 'eve' }] })
    expect(await asked({ principal: 'ann' })).toBe('open')
    interns.pop()
    expect(await asked({ principal: 'bob' })).toBe('open')
  })

  it('is signed for where answers are', async () => {
    const { desk, asked } = await setUp({ rules: [small], receipts: receipts() })
    const { receipt } = (await asked({ arguments: { amount: 1 } })) as { receipt: string }
    const said = { action: 'accept', by: [{ rule: 'small', method: 'rule' }] }
    expect(peekReceipt(receipt)).toMatchObject(said)
    expect((await desk.audit.query()).at(-1)).toMatchObject({ event: 'accepted', receipt })
  })
})

describe('a rule of one’s own', () => {
  const mine: NewRule = { effect: 'allow', match: { tool: 'refund' } }

  it('counts as that person’s answer, where they are asked, and nowhere else', async () => {
    const { desk, own, asked, as } = await setUp()
    const { id } = await own('ann', mine)
    expect(await asked()).toEqual({ action: 'accept', content: {}, by: [{ rule: id, principal: 'ann' }] })
    expect(await asked({ principal: 'bob' })).toBe('open')
    expect(await asked({ audience: { principals: ['bob'] }, quorum: 1 })).toBe('open')
    // Who called is none of those who have to agree.
    expect(await asked({ audience: { principals: ['ann', 'bob'] }, quorum: 1 })).toBe('open')
    expect(await asked({ principal: 'bob', audience: { principals: ['ann'] }, quorum: 1 })).toMatchObject({
      by: [{ rule: id, principal: 'ann' }],
    })
    // Of those who are anyone, nobody has said anything.
    expect(await asked({ principal: 'bob', quorum: 1 })).toBe('open')
    const entries = await desk.audit.query({ principal: 'ann' })
    expect(entries.map(({ event, rule }) => [event, rule])).toEqual([
      ['rule-added', id],
      ['accepted', id],
      ['accepted', id],
    ])
    expect(entries[0]).toMatchObject({ reason: 'allow refund of *', by: { principal: 'ann' } })
    expect(await (await as('bob', 'GET', 'rules')).json()).toEqual({ rules: [] })
  })

  it('is one of several approvals, and the others are still asked', async () => {
    const { own, open, outcome, as, asked } = await setUp()
    const ann = await own('ann', mine)
    const two = { principal: 'eve', audience: { principals: ['ann', 'bob'] }, quorum: 2 }
    const opened = await open(two)
    expect(await outcome(opened)).toBe('open')
    expect((await as('bob', 'POST', `asks/${opened.session}/${opened.id}/answer`, {})).status).toBe(200)
    expect(await outcome(opened)).toMatchObject({ by: [{ rule: ann.id, principal: 'ann' }, { principal: 'bob' }] })
    const bob = await own('bob', mine)
    expect(await asked(two)).toMatchObject({ by: [{ rule: ann.id }, { rule: bob.id, principal: 'bob' }] })
    await own('bob', { effect: 'deny', match: { tool: 'refund', arguments: { to: 'eve' } }, reason: 'Ask me.' })
    expect(await asked({ ...two, arguments: { to: 'eve' } })).toMatchObject({ action: 'decline', reason: 'Ask me.' })
  })

  it('counts for a group only where the directory says that its owner is in it now', async () => {
    const approvers = ['ann']
    const { own, asked } = await setUp({ directory: { approvers } })
    await own('ann', mine)
    const group = { principal: 'eve', audience: { groups: ['approvers'] }, quorum: 1 }
    expect(await asked(group)).toMatchObject({ action: 'accept' })
    approvers.pop()
    expect(await asked(group)).toBe('open')
  })

  it('lasts for 30 days, or for as long as it says, and for 90 at most', async () => {
    const clock = createTestClock()
    const { own, as, asked } = await setUp({ clock })
    const { until = 0 } = await own('ann', mine)
    const dayMs = 24 * 60 * 60 * 1000
    expect(until - clock.now()).toBe(30 * dayMs)
    const long = await as('ann', 'POST', 'rules', { ...mine, until: clock.now() + 91 * dayMs })
    expect([long.status, await long.json()]).toMatchObject([422, { code: 'rule-invalid' }])
    await clock.advance(30 * dayMs)
    expect(await asked({ timeoutMs: 1000 })).toBe('open')
  })

  it('never beats a rule for the whole desk that asks or denies', async () => {
    const rules: Rule[] = [
      { id: 'no', effect: 'deny', match: { arguments: { to: 'eve' } } },
      { id: 'ask', effect: 'ask', match: { arguments: { to: 'bob' } } },
    ]
    const { own, asked } = await setUp({ rules })
    await own('ann', mine)
    await own('ann', { effect: 'allow', match: { tool: 'refund', exactArguments: { to: 'eve' } } })
    expect(await asked({ arguments: { to: 'eve' } })).toMatchObject({ action: 'decline', by: [{ rule: 'no' }] })
    expect(await asked({ arguments: { to: 'bob' } })).toBe('open')
    expect(await asked({ arguments: { to: 'dan' } })).toMatchObject({ action: 'accept' })
  })
})

describe('rules over REST', () => {
  it('are made for the desk by admins alone, and listed and removed by those whose they are', async () => {
    const { as, asked } = await setUp({ rules: [never] })
    const general = await as('root', 'POST', 'rules', small)
    expect([general.status, await general.json()]).toEqual([201, { ...small, source: 'store' }])
    const again = await as('root', 'POST', 'rules', { ...small })
    expect([again.status, (await as('root', 'POST', 'rules', never)).status]).toEqual([409, 409])
    const own = (await (await as('ann', 'POST', 'rules', { effect: 'deny', match: {} })).json()) as KnownRule
    expect(own).toMatchObject({ owner: 'ann', id: expect.stringMatching(/^own-/) })
    const listed = async (who: string) => {
      const { rules } = (await (await as(who, 'GET', 'rules')).json()) as { rules: KnownRule[] }
      return rules.map(({ id, source }) => [id, source])
    }
    const all = [
      ['never', 'code'],
      ['small', 'store'],
      [own.id, 'store'],
    ]
    expect([await listed('root'), await listed('audrey')]).toEqual([all, all])
    expect([await listed('ann'), await listed('bob')]).toEqual([[[own.id, 'store']], []])
    const removals = [
      ['bob', own.id],
      ['ann', 'small'],
      ['root', 'never'],
      ['audrey', 'small'],
      ['root', 'small'],
      ['ann', own.id],
    ]
    const statuses: number[] = []
    for (const [who = '', id] of removals) statuses.push((await as(who, 'DELETE', `rules/${id}`)).status)
    expect(statuses).toEqual([404, 404, 404, 403, 200, 200])
    expect(await asked({ arguments: { amount: 40 } })).toBe('open')
  })

  it.each<[string, object, string]>([
    ['a misspelled condition', { effect: 'deny', match: { tols: 'x' } }, 'tols'],
    ['an owner', { effect: 'allow', match: { tool: 'x' }, owner: 'bob' }, 'owner'],
    ['a name of one’s own', { id: 'mine', effect: 'allow', match: { tool: 'x' } }, '"id"'],
    ['whom to ask', { effect: 'ask', match: {}, audience: { principals: ['bob'] } }, 'admins'],
    ['everything', { effect: 'allow', match: { tool: '*' } }, 'names a server'],
    ['groups that nobody knows', { effect: 'deny', match: { group: 'ops' } }, 'directory'],
    ['no object', [], 'expected object'],
    ['too much', { effect: 'deny', match: { exactArguments: 'x'.repeat(20_000) } }, '16384 bytes'],
  ])('are refused with the reason: %s', async (_what, rule, reason) => {
    const { as } = await setUp()
    const response = await as('ann', 'POST', 'rules', rule)
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { code: 'rule-invalid', detail: expect.stringContaining(reason) },
    ])
  })

  it('are made by nobody who only looks, nor by nobody in particular for themselves', async () => {
    const { as } = await setUp()
    expect((await as('audrey', 'POST', 'rules', { effect: 'deny', match: {} })).status).toBe(403)
    const parts = createParts()
    closing.push(() => parts.close())
    expect(parts.rules.draft({ effect: 'deny', match: {} }, { owner: 'local' })).toMatchObject({
      code: 'person-unknown',
    })
  })

  it('are refused when they would allow, without saying so, what can destroy something', async () => {
    const { open, as, asked } = await setUp()
    await open({ destructive: true })
    const silent = await as('ann', 'POST', 'rules', { effect: 'allow', match: { tool: 'refund' } })
    expect([silent.status, await silent.json()]).toMatchObject([
      422,
      { detail: expect.stringContaining('"refund" of shop can destroy something') },
    ])
    const said = await as('ann', 'POST', 'rules', { effect: 'allow', match: { tool: 'refund', destructive: true } })
    expect(said.status).toBe(201)
    expect(await asked({ destructive: true })).toMatchObject({ action: 'accept' })
    expect(await asked()).toBe('open')
  })

  it('are tried on the calls that there were, as far as someone may see them', async () => {
    const { desk, open, as } = await setUp()
    for (const amount of [10, 40, 90]) await open({ arguments: { amount } })
    await open({ arguments: { amount: 20 }, principal: 'bob', destructive: true })
    await open({ schema: { type: 'object', properties: { a: { type: 'string' } } } })
    const rule: NewRule = { effect: 'allow', match: { tool: 'refund', arguments: { amount: { max: 50 } } } }
    const amounts = ({ matched }: Awaited<ReturnType<typeof desk.rules.try>>) =>
      matched.map(({ arguments: input, isRefused }) => [(input as { amount: number }).amount, isRefused])
    const all = await desk.rules.try(rule)
    expect(all).toMatchObject({ matchedCount: 3, looked: 4 })
    expect(amounts(all)).toEqual([
      [20, true],
      [40, undefined],
      [10, undefined],
    ])
    const seen = await (await as('ann', 'POST', 'rules/try', rule)).json()
    expect(amounts(seen)).toEqual([
      [40, undefined],
      [10, undefined],
    ])
    expect(await desk.rules.try({ effect: 'deny', match: { principal: 'bob' } })).toMatchObject({ matchedCount: 1 })
    expect(await desk.rules.list()).toEqual([])
  })

  it('are tried on calls whose arguments could be changed, and refused where one of these can destroy something', async () => {
    const { desk, open, as } = await setUp()
    const schema = { type: 'object', properties: { n: { type: 'number', default: 1 } } }
    await open({ tool: 'wipe', arguments: { n: 1 }, approves: true, schema, destructive: true })
    const rule: NewRule = { id: 'wipe', effect: 'allow', match: { tool: 'wipe' } }
    expect(await desk.rules.try(rule)).toMatchObject({ looked: 1, matched: [{ tool: 'wipe', isRefused: true }] })
    expect((await as('root', 'POST', 'rules', rule)).status).toBe(422)
  })

  it('count for nothing while their owner only looks on', async () => {
    const auditors = new Set<string>()
    const { asked, own } = await setUp({
      roles: ({ principal }) => (principal === 'root' ? 'admin' : auditors.has(principal) ? 'auditor' : undefined),
    })
    await own('ann', { effect: 'allow', match: { tool: 'refund' } })
    expect(await asked()).toMatchObject({ action: 'accept' })
    auditors.add('ann')
    expect(await asked()).toBe('open')
  })
})

describe('a rule that is removed', () => {
  it('decides nothing from then on, on every node, also when no hint comes', async () => {
    const store = memoryStore()
    closing.push(() => store.close())
    const [one, other] = [await setUp({ store }), await setUp({ store: quietStore(store) })]
    await one.desk.rules.add(small)
    expect(await other.asked({ arguments: { amount: 1 } })).toMatchObject({ by: [{ rule: 'small' }] })
    expect(await one.desk.rules.remove('small')).toBe(true)
    expect(await other.asked({ arguments: { amount: 2 } })).toBe('open')
  })
})

describe('a file of rules', () => {
  it('is read again when it has changed; with a mistake in it, the rules from before stay', async () => {
    const path = join(tmpdir(), `beckon-rules-${process.pid}.json`)
    closing.push(() => rmSync(path, { force: true }))
    const write = (...rules: object[]) => writeFileSync(path, JSON.stringify({ rules }, null, 1))
    const errors: Error[] = []
    write(small)
    const clock = createTestClock()
    const { asked } = await setUp({ clock, rules: path, onError: error => errors.push(error as Error) })
    const ten = { arguments: { amount: 10 } }
    expect(await asked(ten)).toMatchObject({ by: [{ rule: 'small' }] })
    write({ ...small, effect: 'permit' })
    expect(await asked(ten)).toMatchObject({ by: [{ rule: 'small' }] })
    expect(errors.map(({ message }) => message)).toEqual([
      `${path}:5: "effect": is "allow", "deny" or "ask".\nThe rules from before stay.`,
    ])
    write({ ...small, id: 'no', effect: 'deny' })
    expect(await asked(ten)).toMatchObject({ by: [{ rule: 'no' }] })
    rmSync(path)
    await clock.advance(2_000)
    await expect.poll(() => errors.length).toBe(2)
    expect(errors[1]?.message).toContain('ENOENT')
    expect(await asked(ten)).toMatchObject({ by: [{ rule: 'no' }] })
    expect(() => createDesk({ rules: path })).toThrow('ENOENT')
    write({ id: 'a' })
    expect(() => createDesk({ rules: path })).toThrow(`${path}:3: "effect"`)
    expect(() => createDesk({ rules: [{ ...never, match: { group: 'ops' } }] })).toThrow('Give the desk a directory')
  })
})

describe('an “allow” that meets a tool which can destroy something, and does not say so', () => {
  it('is refused, once in the log and in the audit, and a person is asked', async () => {
    const errors: Error[] = []
    const { desk, asked } = await setUp({ rules: [small], onError: error => errors.push(error as Error) })
    const destructive = { arguments: { amount: 10 }, destructive: true }
    expect(await asked(destructive)).toBe('open')
    expect(await asked(destructive)).toBe('open')
    expect(await asked({ arguments: { amount: 10 } })).toMatchObject({ by: [{ rule: 'small' }] })
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The rule "small" was refused\. "refund" of shop can destroy .*Write "destructive": true/),
    ])
    const told = (await desk.audit.query()).filter(({ event }) => event === 'rule-refused')
    expect(told).toMatchObject([{ rule: 'small', server: 'shop', tool: 'refund', session: '' }])
  })

  it('in a file allows no such call: its line is told, and keeps no other rule of the file from being read', async () => {
    const path = join(tmpdir(), `beckon-silent-rules-${process.pid}.json`)
    closing.push(() => rmSync(path, { force: true }))
    const write = (...rules: object[]) => writeFileSync(path, JSON.stringify({ rules }, null, 1))
    const errors: Error[] = []
    write(never)
    const { asked } = await setUp({ rules: path, onError: error => errors.push(error as Error) })
    const ten = { arguments: { amount: 10 }, destructive: true }
    await asked(ten)
    write(
      never,
      { id: 'all', effect: 'allow', match: { tool: 're*' } },
      { id: 'no', effect: 'deny', match: { tool: 'wipe' } },
    )
    expect(await asked(ten)).toBe('open')
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/:\d+: "refund" of shop can destroy .*\nUntil then it allows no such call\.$/s),
      expect.stringContaining('The rule "all" was refused.'),
    ])
    expect(await asked({ tool: 'wipe' })).toMatchObject({ action: 'decline' })
    write({ id: 'all', effect: 'allow', match: { tool: 're*', destructive: true } })
    expect(await asked(ten)).toMatchObject({ by: [{ rule: 'all' }] })
  })
})

describe('a tool of one’s own', () => {
  const refund: ToolConfig = { annotations: { requiresConfirmation: true } }

  async function call(config: ToolConfig, rules: readonly Rule[]) {
    const desk = createDesk({ rules })
    const server = createServer({ name: 'shop', version: '1', desk, wait: 'hold' })
    await desk.listen()
    server.tool('refund', config, async (_input, ctx) => ctx.json(await ctx.confirm.outcome('Refund?')))
    const client = createTestClient(server, { capabilities: {} })
    closing.push(
      () => desk.close(),
      () => server.close(),
      () => client.close(),
    )
    const result = client.callTool('refund', {}).then(({ structuredContent }) => structuredContent)
    result.catch(() => {})
    return { desk, result }
  }

  it('that requires confirmation is confirmed by a rule, unless its author wants a person', async () => {
    const allow: Rule = { id: 'ok', effect: 'allow', match: { tool: 'refund' } }
    expect(await (await call(refund, [allow])).result).toEqual({ action: 'accept', by: [{ rule: 'ok' }] })
    const { desk } = await call({ ...refund, person: 'present' }, [allow])
    await expect.poll(async () => (await desk.audit.query()).map(({ event }) => event)).toEqual(['asked'])
    const deny: Rule = { id: 'no', effect: 'deny', match: { tool: 'refund' }, reason: 'Closed.' }
    const denied = await call({ ...refund, person: 'present' }, [deny])
    expect(await denied.result).toMatchObject({ action: 'decline', reason: 'Closed.' })
  })

  it('that only reads, says so to rules', async () => {
    const rule: Rule = { id: 'reads', effect: 'allow', match: { readOnly: true } }
    const { result } = await call({ annotations: { readOnly: true } }, [rule])
    expect(await result).toMatchObject({ by: [{ rule: 'reads' }] })
  })
})
