import { describe, expect, it } from 'vitest'
import type { Middleware } from '../../author/middleware.js'
import { createServer } from '../../server/create-server.js'
import { createTestClient, type TestClient } from '../../test/index.js'
import { cache } from '../cache/cache.js'
import { confirmed } from '../confirmed/confirmed.js'
import { guard } from '../guard/guard.js'
import { every, except, some } from './index.js'

const names = async (client: TestClient) => (await client.listTools()).map(({ name }) => name)
const text = (result: { content: { text?: string }[] }) => result.content[0]?.text
const yes: Middleware = (_ctx, next) => next()
const no: Middleware = ctx => ctx.error('No.')
const throws: Middleware = () => {
  throw new Error('Broken.')
}

async function run(...middleware: Middleware[]): Promise<{ said: string | undefined; runs: number }> {
  let runs = 0
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('t', ...middleware, {}, () => {
    runs++
    return 'ran'
  })
  return { said: text(await createTestClient(server, { principal: 'ann' }).callTool('t')), runs }
}

const ran = { said: 'ran', runs: 1 }

describe('some', () => {
  it('passes by the first that lets it, once, and is refused as by the last', async () => {
    expect(await run(some(no, yes, yes))).toEqual(ran)
    expect(await run(some(throws, yes))).toEqual(ran)
    expect(await run(some(throws, no))).toEqual({ said: 'No.', runs: 0 })
    expect(await run(some(no, throws))).toEqual({ said: 'Broken.', runs: 0 })
    expect(await run(some(some(no, no), every(yes, yes)))).toEqual(ran)
  })

  it('takes conditions', async () => {
    expect(await run(some(({ principal }) => principal === 'ann', no))).toEqual(ran)
    expect(await run(some(no, () => false))).toEqual({ said: 'Not authorized.', runs: 0 })
    expect(await run(some(no, async () => true))).toEqual(ran)
  })

  it('does not try another one after the call has passed', async () => {
    const late: Middleware = async (_ctx, next) => {
      await next()
      throw new Error('Late.')
    }
    expect(await run(some(late, yes))).toEqual({ said: 'Late.', runs: 1 })
  })

  it.each(['push', 'rounds'] as const)('asks only as far as it has to, on %s', async wire => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('t', some(confirmed('One?'), confirmed('Two?'), confirmed('Three?')), {}, () => 'ran')
    const client = createTestClient(server, { wire, answer: [false, true] })
    expect(text(await client.callTool('t'))).toBe('ran')
    expect(client.asked.map(({ message }) => message)).toEqual(['One?', 'Two?'])
  })
})

describe('every', () => {
  it('passes when each lets it', async () => {
    expect(await run(every(yes, () => true, yes))).toEqual(ran)
    expect(await run(every(yes, no, yes))).toEqual({ said: 'No.', runs: 0 })
    expect(await run(every(yes, () => false))).toEqual({ said: 'Not authorized.', runs: 0 })
    expect(await run(every(yes, throws))).toEqual({ said: 'Broken.', runs: 0 })
    expect(await run(every())).toEqual(ran)
  })

  it('has nobody enter the gates behind a member twice', async () => {
    let entered = 0
    const gate: Middleware = (_ctx, next) => {
      entered++
      return next()
    }
    const greedy: Middleware = async function greedy(_ctx, next) {
      await next()
      return next()
    }
    for (const combined of [every(greedy, gate), except('other', greedy, gate), every(every(greedy), gate)]) {
      entered = 0
      expect(await run(combined)).toEqual({ runs: 1, said: 'greedy called next() twice.' })
      expect(entered).toBe(1)
    }
  })

  it('lets nobody pass twice', async () => {
    const greedy: Middleware = async (_ctx, next) => {
      await next()
      return next()
    }
    for (const gate of [every(greedy), some(greedy), every(yes, some(greedy))])
      expect(await run(gate)).toMatchObject({ runs: 1, said: expect.stringContaining('called next() twice') })
  })

  it('keeps what its members do to results and around the handler', async () => {
    let runs = 0
    const server = createServer({ name: 's', version: '1.0.0' })
    const loud: Middleware = { name: 'loud', onResult: result => String(result).toUpperCase() }
    server.tool('t', every(cache({ ttlMs: 1_000 }), loud), {}, () => `run ${++runs}`)
    const client = createTestClient(server)
    expect([text(await client.callTool('t')), text(await client.callTool('t'))]).toEqual(['RUN 1', 'RUN 1'])
  })
})

describe('except', () => {
  it('lets through by name, and by a test of the call', async () => {
    expect(await run(except('t', no))).toEqual(ran)
    expect(await run(except(['a', 't'], no))).toEqual(ran)
    expect(await run(except('other', no))).toEqual({ said: 'No.', runs: 0 })
    expect(await run(except(ctx => ctx.principal === 'ann', no))).toEqual(ran)
    expect(await run(except(() => false, yes, no))).toEqual({ said: 'No.', runs: 0 })
  })
})

describe('what combined middleware hide', () => {
  it('is hidden by every, shown by some, and shown where it is excepted', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    const [a, b] = ['a', 'b'].map(name => guard({ name, key: name, hidden: true }))
    if (a === undefined || b === undefined) throw new Error('There are two.')
    const registered: Middleware = { name: 'c', onRegister: () => false }
    server.tool('both', every(a, b), {}, () => 'ran')
    server.tool('either', some(a, b), {}, () => 'ran')
    server.tool('open', except('open', a), {}, () => 'ran')
    server.tool('third', every(registered), {}, () => 'ran')
    server.tool('who', {}, (_input, ctx) => ctx.sessionId)
    const client = createTestClient(server, { principal: 'ann' })
    const session = server.session(text(await client.callTool('who')) ?? '')
    expect(await names(client)).toEqual(['open', 'who'])
    await session.authorize('a')
    expect(await names(client)).toEqual(['either', 'open', 'who'])
    await session.authorize('b')
    await session.authorize('c')
    expect(await names(client)).toEqual(['both', 'either', 'open', 'third', 'who'])
  })
})
