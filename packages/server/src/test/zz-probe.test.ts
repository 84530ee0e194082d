import { expect, it, describe } from 'vitest'
import { z } from 'zod'
import { createServer } from '../index.js'
import { createTestClient, createTestClock } from './index.js'

describe.each(['push', 'rounds', 'tasks'] as const)('%s', wire => {
  it('same key twice', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => {
      const a = await ctx.elicit({ question: 'A', schema: String, key: 'k' })
      const b = await ctx.elicit({ question: 'B', schema: String, key: 'k' })
      return `${a}${b}`
    })
    const client = createTestClient(server, { wire, answer: ask => ask.message })
    console.log(wire, JSON.stringify(await client.callTool('act')), client.asked.map(a => a.key))
  })
  it('invalid then valid', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => {
      const a = await ctx.elicit({ question: 'A', schema: z.object({ n: z.number().refine(n => n > 5, 'too small') }) })
      return JSON.stringify(a)
    })
    const client = createTestClient(server, { wire, answer: [{ n: 1 }, { n: 'x' }, { n: 7 }] })
    console.log(wire, JSON.stringify(await client.callTool('act')), client.asked.map(a => a.message))
    const client2 = createTestClient(server, { wire, answer: () => ({ n: 1 }) })
    console.log(wire, JSON.stringify(await client2.callTool('act')), client2.asked.length)
  })
  it('keyed invalid', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => {
      const a = await ctx.elicit({ question: 'A', key: 'k', schema: z.object({ n: z.number().refine(n => n > 5, 'too small') }) })
      const b = await ctx.confirm({ question: 'sure?', key: 'k2' })
      return JSON.stringify([a, b])
    })
    const client = createTestClient(server, { wire, answer: [{ n: 1 }, { n: 'x' }, { n: 7 }, true] })
    console.log(wire, JSON.stringify(await client.callTool('act')), client.asked.map(a => a.key))
  })
  it('malformed reply', async () => {
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => JSON.stringify(await ctx.elicit({ question: 'A', schema: String })))
    const client = createTestClient(server, { wire, answer: [{ action: 'accept', content: 5 }, { action: 'accept', content: [] }, 'ok'] })
    console.log(wire, JSON.stringify(await client.callTool('act').catch(String)), client.asked.length)
  })
  it('middleware asks', async () => {
    const runs: string[] = []
    const server = createServer({ name: 's', version: '1' }).tool('act', async (ctx, next) => { runs.push('m'); return (await ctx.confirm('mw?')) ? next() : 'no' }, { task: 'optional' }, async (_i, ctx) => { runs.push('h'); return JSON.stringify(await ctx.elicit({ question: 'A', schema: String })) })
    const client = createTestClient(server, { wire, answer: [true, 'x'] })
    console.log(wire, JSON.stringify(await client.callTool('act')), runs)
  })
  it('thrown errors', async () => {
    const server = createServer({ name: 's', version: '1' })
      .tool('act', { task: 'optional' }, async (_i, ctx) => { await ctx.confirm('x'); throw new Error('boom') })
      .tool('form', { task: 'optional' }, async (_i, ctx) => String(await ctx.elicit({ question: 'x', schema: z.object({ a: z.object({}) }) })))
      .tool('secret', { task: 'optional' }, async (_i, ctx) => String(await ctx.elicit({ question: 'x', schema: z.object({ password: z.string() }) })))
      .tool('urlonly', { task: 'optional' }, async (_i, ctx) => JSON.stringify(await ctx.elicit.url('x', 'https://a.example')))
      .tool('sample', { task: 'optional' }, async (_i, ctx) => JSON.stringify(await ctx.sample({ messages: [] })))
    const client = createTestClient(server, { wire, answer: () => true, capabilities: { elicitation: {} } })
    for (const t of ['act', 'form', 'secret', 'urlonly', 'sample']) console.log(wire, t, JSON.stringify(await client.callTool(t).catch(e => ({ code: e.code, m: e.message, d: e.data }))))
  })
  it('tool timeout does not count people', async () => {
    const clock = createTestClock()
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional', timeoutMs: 1000 }, async (_i, ctx) => String(await ctx.confirm('x')) + String(await ctx.confirm('y')))
    const client = createTestClient(server, { wire, clock, answer: async () => { await clock.advance(5000); return true } })
    console.log(wire, JSON.stringify(await client.callTool('act').catch(e => ({ code: e.code, m: e.message, d: e.data }))))
  })
  it('url wait + held round', async () => {
    const clock = createTestClock()
    const server = createServer({ name: 's', version: '1' }).tool('act', { task: 'optional' }, async (_i, ctx) => JSON.stringify(await ctx.elicit.url('x', 'https://a.example', { waitForCompletion: true, elicitationId: 'e' })))
    const client = createTestClient(server, { wire, clock, answer: () => true })
    const call = client.callTool('act').then(r => JSON.stringify(r), e => String(e))
    for (let i = 0; i < 20; i++) await clock.advance(10_000)
    console.log(wire, await server.completeElicitation('e'), await call, client.messages.length)
    const call2 = createTestClient(server, { wire, clock, answer: () => true }).callTool('act').then(r => JSON.stringify(r), e => String(e))
    for (let i = 0; i < 40; i++) await clock.advance(10_000)
    console.log(wire, 'expired', await call2)
  })
})
