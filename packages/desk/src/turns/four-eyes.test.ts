// Approvals from a tool, on a real desk: who is asked, who counts, and what the tool is told, whatever its client can show.
import { createServer, type ToolConfig } from 'beckon'
import { confirmed } from 'beckon/confirmed'
import { createTestClient, type TestWire } from 'beckon/test'
import { afterEach, describe, expect, it } from 'vitest'
import { bearerAccess, createDesk } from '../index.js'

const people = { ann: 'token-of-ann-123456', bob: 'token-of-bob-123456', eve: 'token-of-eve-123456' }
type Name = keyof typeof people
const twoOf = { audience: { principals: ['ann', 'bob', 'eve'] }, quorum: 2 }
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function setUp(config: ToolConfig) {
  const tokens = Object.entries(people).map(([principal, token]) => [token, { principal }])
  const desk = createDesk({ access: bearerAccess({ tokens: Object.fromEntries(tokens) }) })
  const { url } = await desk.listen()
  const server = createServer({ name: 'shop', version: '1', desk, wait: 'hold', person: 'unchecked' })
  server.tool('refund', config, async (_input, ctx) => ctx.json(await ctx.confirm.outcome('Refund 40?')))
  server.tool('both', { task: 'optional' }, async (_input, ctx) => {
    const mine = ctx.confirm('Are you sure?')
    const theirs = ctx.confirm({ question: 'May she?', audience: { principals: ['bob'] } })
    return `${await mine} ${await theirs}`
  })
  server.tool('wipe', { use: [confirmed({ question: 'Wipe it?', ...twoOf })] }, () => 'wiped')
  closing.push(
    () => desk.close(),
    () => server.close(),
  )
  const send = (who: Name, path: string, body?: object) =>
    fetch(`${url}api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${people[who]}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const listed = async (who: Name) => {
    const { asks } = (await (await send(who, 'asks')).json()) as { asks: { session: string; id: string }[] }
    return asks
  }
  return {
    desk,
    server,
    listed,
    async act(who: Name, verb: 'answer' | 'decline', body: object = {}) {
      await expect.poll(() => listed(who), { timeout: 20_000 }).toHaveLength(1)
      const [ask] = await listed(who)
      return send(who, `asks/${[ask?.session, ask?.id].map(String).map(encodeURIComponent).join('/')}/${verb}`, body)
    },
    connect(wire: TestWire) {
      const client = createTestClient(server, { wire, principal: 'ann', answer: () => true })
      closing.push(() => client.close())
      return client
    },
  }
}

describe.each<TestWire>(['push', 'rounds', 'tasks'])('a tool that takes an approval, called on %s', wire => {
  it('goes on when two others agree, and is told who they were', async () => {
    const { connect, act } = await setUp({ approval: twoOf, task: 'optional' })
    const client = connect(wire)
    const result = client.callTool('refund')
    expect((await act('bob', 'answer')).status).toBe(202)
    expect((await act('eve', 'answer')).status).toBe(200)
    expect((await result).structuredContent).toEqual({
      action: 'accept',
      by: [{ principal: 'bob' }, { principal: 'eve' }],
    })
    // What its client could have shown, it was not shown.
    expect(client.asked).toEqual([])
  })

  it('is not approved by who called it', async () => {
    const { connect, act } = await setUp({ approval: twoOf, task: 'optional' })
    const result = connect(wire).callTool('refund')
    const own = await act('ann', 'answer')
    expect([own.status, await own.json()]).toMatchObject([403, { code: 'own-request' }])
    await act('bob', 'decline', { reason: 'Twice already.' })
    expect((await result).structuredContent).toMatchObject({ action: 'decline', reason: 'Twice already.' })
  })

  it('goes to others after a while, who decide, and those who were asked first no more', async () => {
    const escalation = { afterMs: 50, audience: { principals: ['eve'] } }
    const { connect, act, listed, desk } = await setUp({
      approval: { audience: { principals: ['bob'] }, remindAfterMs: [10], escalation },
      task: 'optional',
    })
    const result = connect(wire).callTool('refund')
    expect((await act('eve', 'answer')).status).toBe(200)
    expect((await result).structuredContent).toMatchObject({ action: 'accept', by: [{ principal: 'eve' }] })
    expect(await listed('bob')).toEqual([])
    const events = (await desk.audit.query()).map(({ event }) => event)
    expect(events).toEqual(expect.arrayContaining(['asked', 'reminded', 'escalated', 'accepted']))
  })

  it('asks who called and somebody else at once, each where they are', async () => {
    const { connect, act, listed } = await setUp({})
    const client = connect(wire)
    const result = client.callTool('both')
    await act('bob', 'answer')
    expect((await result).content).toMatchObject([{ text: 'true true' }])
    expect(client.asked).toHaveLength(1)
    expect(await listed('eve')).toEqual([])
  })
})

describe('an approval', () => {
  it('before a handler takes as many, by middleware', async () => {
    const { connect, act } = await setUp({})
    const result = connect('rounds').callTool('wipe')
    expect((await act('ann', 'answer')).status).toBe(403)
    expect((await act('bob', 'answer')).status).toBe(202)
    expect((await act('eve', 'answer')).status).toBe(200)
    expect((await result).content).toMatchObject([{ text: 'wiped' }])
  })

  it('by one other is not by who called', async () => {
    const { connect, act } = await setUp({ approval: { audience: { principals: ['ann', 'bob'] } } })
    const result = connect('rounds').callTool('refund')
    expect((await act('ann', 'answer')).status).toBe(403)
    expect((await act('bob', 'answer')).status).toBe(200)
    expect((await result).structuredContent).toMatchObject({ action: 'accept', by: [{ principal: 'bob' }] })
  })

  it('may be by who called, where the author says so', async () => {
    const approval = { audience: { principals: ['ann'] }, requesterCounts: true }
    const { connect, act } = await setUp({ approval })
    const result = connect('rounds').callTool('refund')
    expect((await act('ann', 'answer')).status).toBe(200)
    expect((await result).structuredContent).toMatchObject({ action: 'accept', by: [{ principal: 'ann' }] })
  })

  it('takes a desk, and people who could give it', () => {
    const bare = createServer({ name: 's', version: '1' })
    expect(() => bare.tool('t', { approval: twoOf }, () => 'x')).toThrow('createServer({ desk })')
    const desk = createDesk()
    closing.push(() => desk.close())
    const server = createServer({ name: 's', version: '1', desk })
    const wrong: [ToolConfig['approval'], string][] = [
      [{ audience: {} }, 'names nobody'],
      [{ audience: { principals: ['ann'] }, quorum: 2 }, 'names fewer people'],
      [{ quorum: 0.5 }, 'whole number'],
      [{ escalation: { afterMs: 1, audience: { groups: [] } } }, '`escalation.audience` names nobody'],
    ]
    for (const [approval = {}, reason] of wrong)
      expect(() => server.tool('t', { approval }, () => 'x'), reason).toThrow(reason)
  })

  it('of an ask on a server without a desk is as when nobody can be asked', async () => {
    const server = createServer({ name: 's', version: '1' })
    server.tool('t', {}, async (_input, ctx) => ctx.json(await ctx.confirm.outcome({ question: 'Go?', ...twoOf })))
    const client = createTestClient(server, { answer: () => true })
    closing.push(
      () => server.close(),
      () => client.close(),
    )
    expect((await client.callTool('t')).structuredContent).toEqual({ action: 'cancel', why: 'no-capability' })
    expect(client.asked).toEqual([])
  })
})
