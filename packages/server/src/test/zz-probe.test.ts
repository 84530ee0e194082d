import { expect, it, describe } from 'vitest'
import { z } from 'zod'
import { createServer } from '../index.js'
import { createTestClient, createTestClock } from './index.js'

describe.each(['push', 'rounds', 'tasks'] as const)('%s', wire => {
  it('url expires', async () => {
    const clock = createTestClock()
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => JSON.stringify(await ctx.elicit.url('x', 'https://a.example', { waitForCompletion: true })))
    const client = createTestClient(server, { wire, clock, answer: () => true })
    const call2 = client.callTool('act').then(r => JSON.stringify(r), e => String(e))
    for (let i = 0; i < 40; i++) await clock.advance(10_000)
    console.log(wire, 'expired', await call2, client.messages.length)
  })
  it('url wait, replay, two asks after', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => {
      const [u, c] = await Promise.all([ctx.elicit.url('x', 'https://a.example', { waitForCompletion: true, elicitationId: 'e' }), ctx.confirm('c?')])
      return JSON.stringify([u, c, await ctx.confirm('d?')])
    })
    const client = createTestClient(server, { wire, answer: ask => { if (ask.kind === 'url') setImmediate(() => server.completeElicitation('e')); return true } })
    console.log(wire, JSON.stringify(await client.callTool('act').catch(String)), client.asked.map(a => a.message))
  })
  it('catch swallow, loops, many asks', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => {
      let n = 0
      for (let i = 0; i < 20; i++) { try { if (await ctx.confirm('Again?')) n++ } catch { } }
      return String(n)
    }).tool('endless', { task: 'optional' }, async (_i, ctx) => { for (;;) await ctx.confirm('Again?') })
    const client = createTestClient(server, { wire, answer: () => true })
    console.log(wire, JSON.stringify(await client.callTool('act').catch(String)), client.asked.length)
    console.log(wire, JSON.stringify(await client.callTool('endless').catch(String)), client.asked.length)
  })
  it('random in message with step', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => {
      const r = await ctx.step('r', () => Math.random())
      await ctx.confirm(`a ${r}`)
      const late = await ctx.step('slow', () => new Promise<number>(resolve => setTimeout(resolve, 5, 7)))
      const [x, y] = await Promise.all([ctx.confirm('x'), ctx.step('par', () => 3)])
      return JSON.stringify([late, x, y])
    })
    const client = createTestClient(server, { wire, answer: () => true })
    console.log(wire, JSON.stringify(await client.callTool('act').catch(String)), client.asked.length)
  })
  it('undefined step, non-object structured content, output schema', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => {
      const r = await ctx.step('r', () => undefined)
      const d = await ctx.step('d', () => new Date(0))
      await ctx.confirm('x')
      return ctx.json([r === undefined, String(r), typeof d, String(d)])
    }).tool('out', { task: 'optional', output: z.object({ a: z.number() }) }, (_i, ctx) => ctx.json({ a: 'x' }))
      .tool('in', { task: 'optional', input: z.object({ a: z.number() }) }, ({ a }) => String(a))
    const client = createTestClient(server, { wire, answer: () => true })
    for (const t of ['act', 'out', 'in']) console.log(wire, JSON.stringify(await client.callTool(t, { a: 'x' }).catch(String)))
  })
  it('session', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', {}, async (_i, ctx) => {
      const n = ((await ctx.session.get<number>('n')) ?? 0) + 1
      await ctx.session.set('n', n)
      return String(n)
    })
    const a = createTestClient(server, { wire }); const b = createTestClient(server, { wire }); const p = createTestClient(server, { wire, principal: 'p' }); const q = createTestClient(server, { wire, principal: 'p' })
    const t = []
    for (const c of [a, a, b, p, q]) t.push((await c.callTool('act')).content[0]?.text)
    console.log(wire, t.join())
  })
})
