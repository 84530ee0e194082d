import { type BeckonServer, createServer } from 'beckon'
import { z } from 'zod'

/** A server with one tool that asks: once for details, once for a go-ahead. */
export function createCafe(): BeckonServer {
  const server = createServer({ name: 'cafe', version: '1.0.0' })
  server.tool(
    'order_coffee',
    { description: 'Order a coffee at the counter', annotations: { requiresConfirmation: true } },
    async (_input, ctx) => {
      const order = await ctx.elicit({
        question: 'What would you like?',
        schema: z.object({
          drink: z.enum(['espresso', 'cappuccino', 'filter']).describe('Drink'),
          cups: z.int().min(1).max(4).default(1).describe('How many cups'),
          extras: z
            .array(z.enum(['oat milk', 'sugar', 'cinnamon']))
            .default([])
            .describe('Extras'),
          name: z.string().min(1).describe('A name for the cup'),
        }),
      })
      if (order === null) return ctx.text('No coffee today.')
      if (!(await ctx.confirm(`Order ${order.cups} ${order.drink} for ${order.name}?`)))
        return ctx.text('Nothing ordered.')
      const number = await ctx.step('order', () => 1 + Math.floor(Math.random() * 99))
      return ctx.text(`Order ${number}: ${order.cups} ${order.drink} for ${order.name}. Coming up.`)
    },
  )
  return server
}
