import { type BeckonServer, createServer } from 'beckon'
import { z } from 'zod'

/** A travel agency. Its tool asks for a form, for a yes or no, and, of clients that have that, to visit a page. */
export function createAgency(): BeckonServer {
  return createServer({ name: 'travel-agency', version: '1.0.0' }).tool(
    'book',
    { description: 'Book a trip', task: 'optional', input: z.object({ to: z.string() }) },
    async ({ to }, ctx) => {
      const trip = await ctx.elicit({
        question: `How do you want to travel to ${to}?`,
        schema: z.object({ seats: z.int().min(1).max(9), by: z.enum(['train', 'plane']) }),
      })
      if (trip === null) return 'Nothing booked.'
      const { seats, by } = trip
      if (!(await ctx.confirm(`Book ${seats} seats on the ${by} to ${to}?`))) return 'Nothing booked.'
      if (ctx.agentCapabilities.elicitation?.url) {
        const { action } = await ctx.elicit.url('Accept the terms.', 'https://travel.example/terms')
        if (action !== 'accept') return 'Nothing booked.'
      }
      return `Booked ${seats} by ${by} to ${to}.`
    },
  )
}
