import { describe, expect, it } from 'vitest'
import { createServer } from '../server/create-server.js'
import { createTestClient } from '../test/index.js'
import type { Middleware } from './middleware.js'

const text = (result: { content: { text?: unknown }[] }) => result.content.map(block => block.text).join()

function noting(name: string, seen: string[]): Middleware {
  return async function noting(_ctx, next) {
    seen.push(`${name} in`)
    const result = await next()
    seen.push(`${name} out`)
    return result
  }
}

describe('middleware', () => {
  it('stands around the handler: the server’s outside, the tool’s inside, in their order', async () => {
    const seen: string[] = []
    const server = createServer({ name: 'm', version: '1.0.0' }).use(noting('all', seen))
    server.tool('t', noting('first', seen), noting('second', seen), {}, async () => {
      seen.push('handler')
      return 'done'
    })
    expect(text(await createTestClient(server).callTool('t'))).toBe('done')
    expect(seen).toEqual(['all in', 'first in', 'second in', 'handler', 'second out', 'first out', 'all out'])
  })

  it('may answer by itself, and then nothing inside runs', async () => {
    let ran = false
    const server = createServer({ name: 'm', version: '1.0.0' })
    server.tool(
      't',
      ctx => ctx.error('Not you.'),
      {},
      async () => {
        ran = true
        return 'done'
      },
    )
    expect(await createTestClient(server).callTool('t')).toMatchObject({
      isError: true,
      content: [{ text: 'Not you.' }],
    })
    expect(ran).toBe(false)
  })

  it('cannot let a call pass twice', async () => {
    let runs = 0
    const server = createServer({ name: 'm', version: '1.0.0' })
    async function greedy(_ctx: unknown, next: () => Promise<unknown>): Promise<unknown> {
      await next()
      return next()
    }
    server.tool('t', greedy, {}, async () => {
      runs++
      return 'done'
    })
    expect(await createTestClient(server).callTool('t')).toMatchObject({
      isError: true,
      content: [{ text: 'greedy called next() twice.' }],
    })
    expect(runs).toBe(1)
  })

  it.each(['push', 'rounds', 'tasks'] as const)('may ask before the handler runs, on %s', async wire => {
    const server = createServer({ name: 'm', version: '1.0.0' })
    const gate: Middleware = async (ctx, next) =>
      (await ctx.confirm(`Run ${ctx.subject.name}?`)) ? next() : ctx.text('No.')
    server.tool('t', gate, { task: 'optional' }, async (_input, ctx) => ctx.json(await ctx.confirm('Sure?')))
    const client = createTestClient(server, { wire, answer: [true, true, false] })
    expect(text(await client.callTool('t'))).toBe('true')
    expect(text(await client.callTool('t'))).toBe('No.')
    expect(client.asked.map(({ message }) => message)).toEqual(['Run t?', 'Sure?', 'Run t?'])
  })

  it('stands around prompts and resources as well', async () => {
    const seen: string[] = []
    const server = createServer({ name: 'm', version: '1.0.0' })
    server.use((ctx, next) => {
      seen.push(`${ctx.subject.kind} ${ctx.subject.name}`)
      return next()
    })
    server.prompt('p', {}, async () => 'hello').resource('notes://all', {}, async () => 'notes')
    const client = createTestClient(server)
    await client.getPrompt('p')
    await client.readResource('notes://all')
    expect(seen).toEqual(['prompt p', 'resource notes://all'])
  })
})
