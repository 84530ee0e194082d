import type { AnsweredBy, Content, NoAnswer } from '@beckon/core'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  type BeckonServer,
  type Context,
  createServer,
  defineTool,
  type FormOutcome,
  type Middleware,
  type PromptHandler,
  type ToolHandler,
  type ToolResult,
} from '../index.js'

declare const ctx: Context
declare const middleware: Middleware
const server: BeckonServer = createServer({ name: 's', version: '1' })

const person = z.object({ name: z.string(), age: z.string().transform(Number).optional() })
interface StockLevel {
  units: number
}

type Person = { name: string; age?: number | undefined }

describe('confirm', () => {
  it('is a boolean, by a text or by options', () => {
    expectTypeOf(ctx.confirm('Sure?')).toEqualTypeOf<Promise<boolean>>()
    expectTypeOf(ctx.confirm({ question: 'Sure?', key: 'sure', timeoutMs: 5 })).toEqualTypeOf<Promise<boolean>>()
    expectTypeOf(ctx.confirm({ question: 'Sure?', timeout: 5, fallback: 'relay' })).toEqualTypeOf<Promise<boolean>>()
  })

  it('needs a question', () => {
    // @ts-expect-error nothing to ask
    ctx.confirm({ key: 'sure' })
    // @ts-expect-error a confirm has no form
    ctx.confirm({ question: 'Sure?', schema: String })
  })
})

describe('elicit', () => {
  it('is the validated value or null', () => {
    expectTypeOf(ctx.elicit({ question: 'Who?', schema: person })).resolves.toEqualTypeOf<Person | null>()
    const valibot = v.object({ a: v.optional(v.string(), 'x') })
    expectTypeOf(ctx.elicit({ question: 'Who?', schema: valibot })).resolves.toEqualTypeOf<{ a: string } | null>()
    const ark = type({ 'a?': "'x' | 'y'" })
    expectTypeOf(ctx.elicit({ question: 'Who?', schema: ark })).resolves.toEqualTypeOf<{ a?: 'x' | 'y' } | null>()
  })

  it('is the bare value of a shorthand, a primitive or a field', () => {
    expectTypeOf(ctx.elicit({ question: 'q', schema: String })).resolves.toEqualTypeOf<string | null>()
    expectTypeOf(ctx.elicit({ question: 'q', schema: Number })).resolves.toEqualTypeOf<number | null>()
    expectTypeOf(ctx.elicit({ question: 'q', schema: Boolean })).resolves.toEqualTypeOf<boolean | null>()
    expectTypeOf(ctx.elicit({ question: 'q', schema: ['a', 'b'] })).resolves.toEqualTypeOf<'a' | 'b' | null>()
    expectTypeOf(ctx.elicit({ question: 'q', schema: [['a', 'b']] })).resolves.toEqualTypeOf<('a' | 'b')[] | null>()
    expectTypeOf(ctx.elicit({ question: 'q', schema: { low: 'Low', high: 'High' } })).resolves.toEqualTypeOf<
      'low' | 'high' | null
    >()
    expectTypeOf(ctx.elicit({ question: 'q', schema: z.email() })).resolves.toEqualTypeOf<string | null>()
    expectTypeOf(ctx.elicit({ question: 'q', schema: { type: 'integer' } })).resolves.toEqualTypeOf<number | null>()
  })

  it('follows a JSON Schema', async () => {
    const answer = await ctx.elicit({
      question: 'q',
      schema: {
        type: 'object',
        properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } },
        required: ['name'],
      },
    })
    if (answer === null) return
    expectTypeOf(answer.name).toEqualTypeOf<string>()
    expectTypeOf(answer.tags).toEqualTypeOf<('x' | 'y')[] | undefined>()
  })

  it('takes proposed values that fit', () => {
    ctx.elicit({ question: 'q', schema: person, initial: { name: 'Ada' } })
    ctx.elicit({ question: 'q', schema: ['a', 'b'], initial: 'a' })
    // @ts-expect-error the wrong type
    ctx.elicit({ question: 'q', schema: person, initial: { name: 5 } })
    // @ts-expect-error no such choice
    ctx.elicit({ question: 'q', schema: ['a', 'b'], initial: 'c' })
  })

  it('needs a question and a schema', () => {
    // @ts-expect-error nothing to fill in
    ctx.elicit({ question: 'q' })
    // @ts-expect-error nothing to ask
    ctx.elicit({ schema: String })
    // @ts-expect-error a list of numbers is not a shorthand
    ctx.elicit({ question: 'q', schema: [1, 2] })
  })
})

describe('elicit.form', () => {
  it('has content on accept only', async () => {
    const outcome = await ctx.elicit.form('Who?', person, { key: 'who', attempts: 2, allow: ['name'] })
    expectTypeOf(outcome).toEqualTypeOf<FormOutcome<Person>>()
    expectTypeOf(outcome.action).toEqualTypeOf<'accept' | 'decline' | 'cancel'>()
    // @ts-expect-error not known yet
    outcome.content
    switch (outcome.action) {
      case 'accept':
        expectTypeOf(outcome.content).toEqualTypeOf<Person>()
        break
      case 'decline':
        expectTypeOf(outcome.reason).toEqualTypeOf<string | undefined>()
        // @ts-expect-error declined
        outcome.content
        break
      default:
        expectTypeOf(outcome.action).toEqualTypeOf<'cancel'>()
        // @ts-expect-error turned away
        outcome.content
    }
  })

  it('has the bare value of a shorthand', async () => {
    const outcome = await ctx.elicit.form('Which?', ['a', 'b'])
    if (outcome.action === 'accept') expectTypeOf(outcome.content).toEqualTypeOf<'a' | 'b'>()
    const many = await ctx.elicit.form('Which?', [['a', 'b']])
    if (many.action === 'accept') expectTypeOf(many.content).toEqualTypeOf<('a' | 'b')[]>()
    const titled = await ctx.elicit.form('Which?', { low: 'Low', high: 'High' })
    if (titled.action === 'accept') expectTypeOf(titled.content).toEqualTypeOf<'low' | 'high'>()
  })
})

describe('the other verbs', () => {
  it('have what they say', () => {
    expectTypeOf(ctx.elicit.url('Pay', 'https://a.example', { waitForCompletion: true })).resolves.toEqualTypeOf<{
      action: 'accept' | 'decline' | 'cancel'
      reason?: string
      why?: NoAnswer
    }>()
    expectTypeOf(ctx.confirm.outcome({ question: 'Go on?', person: 'present' })).resolves.toEqualTypeOf<{
      action: 'accept' | 'decline' | 'cancel'
      reason?: string
      by?: readonly AnsweredBy[]
      receipt?: string
      why?: NoAnswer
    }>()
    // @ts-expect-error there is no such rule
    ctx.confirm({ question: 'Go on?', person: 'asleep' })
    expectTypeOf(
      ctx.elicitInput({ message: 'q', requestedSchema: { type: 'object', properties: {} } }),
    ).resolves.toEqualTypeOf<{
      action: 'accept' | 'decline' | 'cancel'
      content?: Content
    }>()
    expectTypeOf(ctx.step('one', () => ({ id: 1 }))).resolves.toEqualTypeOf<{ id: number }>()
    expectTypeOf(ctx.step('two', async ({ id }) => id)).resolves.toEqualTypeOf<string>()
    expectTypeOf(ctx.text('a').json(1).image('', 'image/png')).toEqualTypeOf<ToolResult<number>>()
    expectTypeOf(ctx.error('a')).toEqualTypeOf<ToolResult<never>>()
    expectTypeOf(ctx.canAsk.url).toEqualTypeOf<boolean>()
    expectTypeOf(ctx.agentCapabilities.elicitation?.url).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(ctx.principal).toEqualTypeOf<string | undefined>()
    expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>()
    expectTypeOf(ctx.roots()).resolves.toEqualTypeOf<{ uri: string; name?: string }[]>()
    expectTypeOf(ctx.session.get<{ a: 1 }>('x')).resolves.toEqualTypeOf<{ a: 1 } | undefined>()
  })

  it('can be taken apart', () => {
    server.tool('apart', {}, async (_input, { confirm, elicit, step, text }) => {
      expectTypeOf(await confirm('Sure?')).toEqualTypeOf<boolean>()
      expectTypeOf(await elicit({ question: 'q', schema: ['a', 'b'] })).toEqualTypeOf<'a' | 'b' | null>()
      expectTypeOf(await step('one', () => 1)).toEqualTypeOf<number>()
      return text('Done.')
    })
  })

  it('cannot be replaced', () => {
    // @ts-expect-error every member is read-only
    ctx.confirm = async () => true
  })
})

describe('server.tool', () => {
  it('has the input of a Standard Schema', () => {
    server.tool('zod', { input: z.object({ n: z.string().transform(Number) }) }, async (input, context) => {
      expectTypeOf(input).toEqualTypeOf<{ n: number }>()
      expectTypeOf(context).toEqualTypeOf<Context>()
      return 'Done.'
    })
    server.tool('valibot', { input: v.object({ a: v.optional(v.string(), 'x') }) }, input => {
      expectTypeOf(input).toEqualTypeOf<{ a: string }>()
    })
    server.tool('arktype', { input: type({ 'a?': "'x' | 'y'" }) }, input => {
      expectTypeOf(input).toEqualTypeOf<{ a?: 'x' | 'y' }>()
    })
  })

  it('has an object for a JSON Schema, and nothing without one', () => {
    server.tool('json', { input: { type: 'object', properties: { a: { type: 'string' } } } }, input => {
      expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>()
    })
    server.tool('none', { description: 'No input' }, input => {
      expectTypeOf(input).toEqualTypeOf<Record<string, never>>()
    })
    // @ts-expect-error the arguments of a tool are an object
    server.tool('string', { input: { type: 'string' } }, () => 'x')
  })

  it('takes middleware before its config', () => {
    const chained = server.tool('one', middleware, { input: z.object({ a: z.string() }) }, async ({ a }, context) => {
      expectTypeOf(a).toEqualTypeOf<string>()
      expectTypeOf(context).toEqualTypeOf<Context>()
    })
    expectTypeOf(chained).toEqualTypeOf<BeckonServer>()
    server.tool(
      'three',
      middleware,
      (_ctx, next) => next(),
      middleware,
      { input: person },
      async input => {
        expectTypeOf(input).toEqualTypeOf<Person>()
      },
    )
    server.tool('bare', middleware, {}, input => {
      expectTypeOf(input).toEqualTypeOf<Record<string, never>>()
    })
    // @ts-expect-error a config comes before the handler
    server.tool('no-config', middleware, async () => 'x')
    // @ts-expect-error middleware comes before the config
    server.tool('late', { description: 'x' }, middleware, async () => 'x')
  })

  it('takes a text, what ctx builds, a raw result, an object or nothing', () => {
    server.tool('text', {}, () => 'x')
    server.tool('built', {}, (_input, context) => context.json({ a: 1 }))
    server.tool('raw', {}, () => ({ content: [{ type: 'text', text: 'x' }], isError: true }))
    server.tool('nothing', {}, async () => {})
    // @ts-expect-error a number is no result
    server.tool('number', {}, () => 5)
    server.tool('object', {}, () => ({ removed: 5 }))
    server.tool('list', {}, async () => [1, 2])
    server.tool('interface', {}, async () => ({}) as StockLevel)
    // @ts-expect-error nor is a promise of one
    server.tool('later', {}, async () => 5)
  })

  it('takes a handler that was written apart', () => {
    const input = z.object({ a: z.string() })
    const handler: ToolHandler<typeof input> = async ({ a }, context) => context.text(a)
    server.tool('apart', { input }, handler)
    // @ts-expect-error a handler for another input
    server.tool('apart', { input: z.object({ a: z.number() }) }, handler)
  })

  it('knows its config', () => {
    server.tool(
      'all',
      {
        title: 'All',
        output: z.object({ a: z.number() }),
        annotations: { destructive: true, requiresConfirmation: true, idempotent: false },
        task: 'optional',
        timeoutMs: 5,
      },
      () => ({ a: 1 }),
    )
    // @ts-expect-error no such word
    server.tool('task', { task: 'sometimes' }, () => {})
    // @ts-expect-error no such annotation
    server.tool('hint', { annotations: { destructiveHint: true } }, () => {})
  })
})

describe('what middleware add', () => {
  const signedIn: Middleware<{ user: { id: string } }> = (context, next) => {
    context.set('user', { id: 'ada' })
    // @ts-expect-error a number is no user
    context.set('user', 7)
    // @ts-expect-error nothing of that name is added
    context.set('role', 'admin')
    return next()
  }
  const counted: Middleware<{ count: number }> = { name: 'counted', onCall: (_ctx, next) => next() }

  it('is known to the handler, by use', () => {
    server.tool('one', { use: [signedIn, middleware, counted] }, (_input, context) => {
      expectTypeOf(context.var.user).toEqualTypeOf<{ id: string }>()
      expectTypeOf(context.var.count).toEqualTypeOf<number>()
      // @ts-expect-error what it adds is not the handler's to replace
      context.var.count = 5
      // @ts-expect-error nobody adds that
      context.var.role
    })
    server.tool('none', { use: [middleware, (_ctx, next) => next()] }, (_input, context) => {
      expectTypeOf(context).toEqualTypeOf<Context>()
    })
    server.prompt('one', { use: [signedIn] }, (_args, context) => context.var.user.id)
    server.resource('notes://{id}', { use: [counted] }, (_resource, context) => `${context.var.count}`)
  })

  it('is known to the handler, before the config', () => {
    server.tool('one', signedIn, counted, { input: z.object({ a: z.string() }) }, ({ a }, context) => {
      expectTypeOf(a).toEqualTypeOf<string>()
      expectTypeOf(context.var.user.id).toEqualTypeOf<string>()
      expectTypeOf(context.var.count).toEqualTypeOf<number>()
    })
    server.prompt('one', signedIn, {}, (_args, context) => context.var.user.id)
    server.resource('notes://{id}', counted, {}, (_resource, context) => `${context.var.count}`)
  })

  it('is known to everything behind a server’s own', () => {
    const known = server.use(signedIn)
    known.tool('one', { use: [counted] }, (_input, context) => {
      expectTypeOf(context.var.user.id).toEqualTypeOf<string>()
      expectTypeOf(context.var.count).toEqualTypeOf<number>()
    })
    expectTypeOf(known).toExtend<BeckonServer>()
  })
})

describe('a tool with an output', () => {
  const output = z.object({ units: z.number(), at: z.string().default('now') })

  it('returns what fits, in any of the ways to say it', () => {
    server.tool('plain', { output }, () => ({ units: 5 }))
    server.tool('built', { output }, async (_input, context) => context.json({ units: 5 }))
    server.tool('worded', { output }, (_input, context) => context.text('Five.').json({ units: 5 }))
    server.tool('failed', { output }, (_input, context) => context.error('Nobody knows.'))
    server.tool('raw', { output }, () => ({ content: [{ type: 'text', text: '5' }], structuredContent: { units: 5 } }))
    server.tool('json', { output: { type: 'object' } }, (_input, context) => context.json({ any: 'thing' }))
  })

  it('returns nothing else', () => {
    // @ts-expect-error the wrong type
    server.tool('wrong', { output }, () => ({ units: '5' }))
    // @ts-expect-error the wrong type, built
    server.tool('built', { output }, (_input, context) => context.json({ units: '5' }))
    // @ts-expect-error a text alone has no structured content
    server.tool('text', { output }, (_input, context) => context.text('Five.'))
    // @ts-expect-error nor has a string
    server.tool('string', { output }, () => 'Five.')
    // @ts-expect-error nor has nothing
    server.tool('nothing', { output }, () => {})
  })
})

describe('defineTool', () => {
  it('is typed as server.tool is, and can be registered anywhere', () => {
    const signedIn: Middleware<{ user: string }> = (_ctx, next) => next()
    const tool = defineTool(
      'stock',
      { use: [signedIn], input: z.object({ id: z.string() }), output: z.object({ units: z.number() }) },
      ({ id }, context) => {
        expectTypeOf(id).toEqualTypeOf<string>()
        expectTypeOf(context.var.user).toEqualTypeOf<string>()
        return { units: 5 }
      },
    )
    expectTypeOf(server.tool(tool)).toEqualTypeOf<BeckonServer>()
    // @ts-expect-error it does not fit its own output
    defineTool('wrong', { output: z.object({ units: z.number() }) }, () => ({ units: '5' }))
  })
})

describe('server.prompt and server.resource', () => {
  it('have their arguments', () => {
    const args = { who: { required: true }, tone: { description: 'How' } } as const
    server.prompt('p', middleware, { args }, async (given, context) => {
      expectTypeOf(given).toEqualTypeOf<{ readonly who: string; readonly tone: string | undefined }>()
      expectTypeOf(context).toEqualTypeOf<Context>()
      return 'x'
    })
    server.prompt('p', { args: { who: { required: true }, tone: {} } }, ({ who, tone }) => {
      expectTypeOf(who).toEqualTypeOf<string>()
      expectTypeOf(tone).toEqualTypeOf<string | undefined>()
      return who
    })
    // @ts-expect-error there is no such argument
    server.prompt('p', { args: { who: {} } }, ({ nope }) => `${nope}`)
    const handler: PromptHandler = given => {
      expectTypeOf(given).toEqualTypeOf<Record<string, string>>()
      return 'x'
    }
    server.prompt('loose', {}, handler)
    server.resource('notes://{id}', { mimeType: 'text/plain' }, ({ uri, vars }, context) => {
      expectTypeOf(uri).toEqualTypeOf<string>()
      expectTypeOf(vars).toEqualTypeOf<Record<string, string>>()
      expectTypeOf(context).toEqualTypeOf<Context>()
      return new Uint8Array()
    })
    // @ts-expect-error a prompt says something
    server.prompt('silent', {}, () => {})
  })
})
