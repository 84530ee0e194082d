import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type Action, app, type Context } from '../index.js'

const shop = app({ id: 'shop', name: 'Shop' })

describe('the types of an action', () => {
  it('give the handler what the input schema makes of the input', () => {
    shop
      .action('add')
      .input(z.object({ sku: z.string(), quantity: z.coerce.number().default(1) }))
      .handler((input, ctx) => {
        expectTypeOf(input).toEqualTypeOf<{ sku: string; quantity: number }>()
        expectTypeOf(ctx).toEqualTypeOf<Context>()
      })
  })

  it('know nothing of an input without a schema', () => {
    shop.action('bare').handler(input => expectTypeOf(input).toEqualTypeOf<unknown>())
  })

  it('hold the handler to what the output schema takes, in whichever order', () => {
    const output = z.object({ total: z.number() })
    const input = z.object({ sku: z.string() })
    expectTypeOf(
      shop
        .action('a')
        .output(output)
        .handler(() => ({ total: 1 })),
    ).toEqualTypeOf<Action>()
    shop
      .action('b')
      .input(input)
      .output(output)
      .timeout({ ms: 5 })
      .handler(async ({ sku }) => ({ total: sku.length }))
    shop
      .action('c')
      .output(output)
      .annotate({ readOnly: true })
      .input(input)
      .describe('C')
      .handler(({ sku }) => ({ total: sku.length }))
    const totals = shop.action('d').output(output)
    // @ts-expect-error the total is a number
    totals.handler(() => ({ total: 'one' }))
    // @ts-expect-error there is no total
    totals.handler(async () => ({}))
  })
})

describe('the types of asking', () => {
  it('come from the schema', () => {
    shop.action('ask').handler(async (_input, ctx) => {
      expectTypeOf(await ctx.confirm({ question: 'Sure?' })).toEqualTypeOf<boolean>()
      expectTypeOf(await ctx.confirm('Sure?')).toEqualTypeOf<boolean>()
      const answer = await ctx.elicit({ question: 'Which?', schema: z.object({ id: z.string() }) })
      expectTypeOf(answer).toEqualTypeOf<{ id: string } | null>()
      expectTypeOf(await ctx.elicit({ question: 'Which?', schema: ['red', 'green'] })).toEqualTypeOf<
        'red' | 'green' | null
      >()
      expectTypeOf(await ctx.sample({ prompt: 'Think.' })).toEqualTypeOf<unknown>()
      expectTypeOf(await ctx.sample({ prompt: 'Think.', schema: z.object({ n: z.number() }) })).toEqualTypeOf<{
        n: number
      }>()
      expectTypeOf(ctx.agentCapabilities.elicitation).toEqualTypeOf<boolean>()
      expectTypeOf(ctx.canAsk.form).toEqualTypeOf<boolean>()
    })
  })
})

describe('the types of a resource', () => {
  it('emit what is read', () => {
    shop
      .resource('route')
      .describe('Where')
      .read(() => '/cart')
      .subscribe(emit => {
        expectTypeOf(emit).toEqualTypeOf<(value: string) => void>()
        return () => {}
      })
  })
})
