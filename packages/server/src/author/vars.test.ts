import { describe, expect, it } from 'vitest'
import { createServer, defineTool, type Middleware } from '../index.js'
import { every, some } from '../middleware/combine/index.js'
import { createTestClient } from '../test/index.js'

const text = (result: { content: { text?: unknown }[] }) => result.content[0]?.text

interface User {
  id: string
}

const signedIn: Middleware<{ user: User }> = async function signedIn(ctx, next) {
  if (ctx.principal === undefined) return ctx.error('Sign in first.')
  ctx.set('user', { id: ctx.principal })
  return next()
}

const counted: Middleware<{ count: number }> = {
  name: 'counted',
  onCall(ctx, next) {
    ctx.set('count', (ctx.var.count ?? 0) + 1)
    return next()
  },
}

describe.each(['push', 'rounds', 'tasks'] as const)('what middleware add, on %s', wire => {
  it('is in ctx.var, by use, before the config, and for everything', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('use', { use: [signedIn, counted], task: 'optional' }, async (_input, ctx) => {
      if (!(await ctx.confirm('Sure?'))) return 'No.'
      return `${ctx.var.user.id} ${ctx.var.count}`
    })
    server.tool('before', signedIn, { use: [counted] }, (_input, ctx) => `${ctx.var.user.id}`)
    server.prompt('prompt', { use: [signedIn] }, (_args, ctx) => ctx.var.user.id)
    server.resource('notes://{id}', { use: [counted] }, (_resource, ctx) => `${ctx.var.count}`)
    const client = createTestClient(server, { wire, principal: 'ada', answer: [true] })
    expect(text(await client.callTool('use'))).toBe('ada 1')
    expect(text(await client.callTool('before'))).toBe('ada')
    expect((await client.getPrompt('prompt')).messages[0]?.content.text).toBe('ada')
    expect((await client.readResource('notes://1')).contents[0]?.text).toBe('1')
    const stranger = createTestClient(server, { wire })
    expect(await stranger.callTool('use')).toMatchObject({ isError: true, content: [{ text: 'Sign in first.' }] })
  })

  it('is of one call, and nothing of an object is in it', async () => {
    const server = createServer({ name: 's', version: '1.0.0' }).use(counted)
    server.tool('count', {}, (_input, ctx) => `${ctx.var.count}`)
    const bare = createServer({ name: 'b', version: '1.0.0' })
    bare.tool('names', {}, (_input, ctx) => `${'toString' in ctx.var} ${Object.keys(ctx.var)}`)
    const client = createTestClient(server, { wire })
    expect(text(await client.callTool('count'))).toBe('1')
    expect(text(await client.callTool('count'))).toBe('1')
    expect(text(await createTestClient(bare, { wire }).callTool('names'))).toBe('false ')
  })
})

it('is known through combined middleware', async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('every', { use: [every(signedIn, counted)] }, (_input, ctx) => `${ctx.var.user.id} ${ctx.var.count}`)
  server.tool('some', { use: [some(counted, signedIn)] }, (_input, ctx) => `${ctx.var.user?.id} ${ctx.var.count}`)
  const client = createTestClient(server, { principal: 'ada' })
  expect(text(await client.callTool('every'))).toBe('ada 1')
  expect(text(await client.callTool('some'))).toBe('undefined 1')
})

describe('a tool that is defined apart', () => {
  const whoami = defineTool('whoami', { use: [signedIn], description: 'Who?' }, (_input, ctx) => ctx.var.user.id)

  it('can be on several servers, beside what each has before everything', async () => {
    const seen: string[] = []
    const noting = (name: string): Middleware => {
      return function noting(_ctx, next) {
        seen.push(name)
        return next()
      }
    }
    for (const name of ['one', 'two']) {
      const server = createServer({ name, version: '1.0.0' }).use(noting(name))
      const client = createTestClient(server.tool(whoami), { principal: 'ada' })
      expect(await client.listTools()).toMatchObject([{ name: 'whoami', description: 'Who?' }])
      expect(text(await client.callTool('whoami'))).toBe('ada')
    }
    expect(seen).toEqual(['one', 'two'])
  })

  it('is told of to clients that are there already', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    const client = createTestClient(server, { wire: 'push' })
    await client.listTools()
    server.tool(whoami)
    await expect
      .poll(() => client.messages.some(({ message }) => 'method' in message && message.method.endsWith('list_changed')))
      .toBe(true)
  })
})

it('has prompts take texts alone', async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.prompt('brief', { args: { topic: { required: true }, tone: {} } }, ({ topic, tone }) => `${topic} ${tone}`)
  const client = createTestClient(server)
  expect((await client.getPrompt('brief', { topic: 'tea' })).messages[0]?.content.text).toBe('tea undefined')
  const odd = client.request('prompts/get', { name: 'brief', arguments: { topic: 'tea', tone: 5 } })
  await expect(odd).rejects.toMatchObject({ code: -32602 })
})
