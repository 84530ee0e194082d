import {
  type CallToolResult,
  type GetPromptResult,
  McpServer,
  type ReadResourceResult,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type as arktype } from 'arktype'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Context } from '../author/context.js'
import type { Middleware } from '../author/middleware.js'
import { asks } from './asks.js'

const server = new McpServer({ name: 'types', version: '1.0.0' })
const inputSchema = z.object({ env: z.enum(['staging', 'prod']), count: z.number().default(1) })

describe('asks', () => {
  it('takes the arguments of a tool from its schema', () => {
    server.registerTool(
      'deploy',
      { inputSchema, outputSchema: z.object({ ok: z.boolean() }) },
      asks(async ({ env, count }, ctx) => {
        expectTypeOf(env).toEqualTypeOf<'staging' | 'prod'>()
        expectTypeOf(count).toEqualTypeOf<number>()
        expectTypeOf(ctx).toEqualTypeOf<Context>()
        if (!(await ctx.confirm(`Deploy to ${env}?`))) return ctx.text('Not deployed.')
        const answer = await ctx.elicit({ question: 'When?', schema: z.object({ at: z.string() }) })
        expectTypeOf(answer).toEqualTypeOf<{ at: string } | null>()
        return ctx.json({ ok: true })
      }),
    )
    server.registerTool(
      'other',
      { inputSchema: arktype({ env: 'string' }) },
      asks(async ({ env }) => {
        expectTypeOf(env).toEqualTypeOf<string>()
      }),
    )
    server.registerTool(
      'raw',
      { inputSchema: { env: z.string() } },
      asks(async ({ env }, ctx) => {
        expectTypeOf(env).toEqualTypeOf<string>()
        return ctx.text(env)
      }),
    )
  })

  it('gives a tool without a schema the context alone', () => {
    server.registerTool(
      'plain',
      { description: 'Plain' },
      asks(async ctx => {
        expectTypeOf(ctx).toEqualTypeOf<Context>()
        return ctx.text('a')
      }),
    )
    server.registerTool(
      'silent',
      {},
      asks(() => 'a'),
    )
  })

  it('takes the arguments of a prompt from its schema', () => {
    server.registerPrompt(
      'brief',
      { argsSchema: z.object({ topic: z.string() }) },
      asks(async ({ topic }, ctx) => {
        expectTypeOf(topic).toEqualTypeOf<string>()
        expectTypeOf(ctx).toEqualTypeOf<Context>()
        return topic
      }),
    )
    server.registerPrompt(
      'short',
      {},
      asks(async ctx => {
        expectTypeOf(ctx).toEqualTypeOf<Context>()
        return { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }] }
      }),
    )
  })

  it('gives a resource its URI, and a template its variables', () => {
    server.registerResource(
      'report',
      'report://today',
      {},
      asks(async (uri, ctx) => {
        expectTypeOf(uri).toEqualTypeOf<URL>()
        expectTypeOf(ctx).toEqualTypeOf<Context>()
        return uri.href
      }),
    )
    server.registerResource(
      'note',
      new ResourceTemplate('note://{id}', { list: undefined }),
      {},
      asks(async (uri, { id }, ctx) => {
        expectTypeOf(uri).toEqualTypeOf<URL>()
        expectTypeOf(id).toExtend<string | string[] | undefined>()
        expectTypeOf(ctx).toEqualTypeOf<Context>()
        return { contents: [{ uri: uri.href, text: String(id) }] }
      }),
    )
  })

  it('stands by itself when its arguments are named', () => {
    const handler = asks<[args: { env: string }]>(async ({ env }, ctx) => ctx.text(env))
    expectTypeOf(handler).parameters.toEqualTypeOf<[args: { env: string }, ctx: ServerContext]>()
    expectTypeOf<Awaited<ReturnType<typeof handler>>>().toExtend<
      CallToolResult & GetPromptResult & ReadResourceResult
    >()
    server.registerTool('named', { inputSchema: z.object({ env: z.string() }) }, handler)
  })

  it('knows what middleware before it add', () => {
    const signedIn: Middleware<{ user: string }> = (_ctx, next) => next()
    server.registerTool(
      'who',
      { inputSchema },
      asks(
        async ({ env }, ctx) => {
          expectTypeOf(env).toEqualTypeOf<'staging' | 'prod'>()
          expectTypeOf(ctx.var.user).toEqualTypeOf<string>()
          return ctx.text(env)
        },
        { use: [signedIn] },
      ),
    )
  })

  it('takes the results of the SDK', () => {
    server.registerTool(
      'result',
      {},
      asks(async (): Promise<CallToolResult> => ({ content: [{ type: 'text', text: 'a' }] })),
    )
  })

  it('refuses arguments that the schema does not have, and results that are none', () => {
    server.registerTool(
      'wrong',
      { inputSchema },
      // @ts-expect-error there is no `nope`
      asks(async ({ nope }, ctx) => ctx.text(nope)),
    )
    server.registerTool(
      'wrong',
      { inputSchema },
      // @ts-expect-error a number is no result
      asks(async (_args, _ctx) => 7),
    )
    // @ts-expect-error that is no option
    asks(async ctx => ctx.text('a'), { nope: true })
  })
})
