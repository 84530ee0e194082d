import { McpServer } from '@modelcontextprotocol/server'
import { asks } from 'beckon'
import { party, type Tables, tool } from './tables.js'

export function createWithBeckon(tables: Tables): McpServer {
  const server = new McpServer({ name: 'tables', version: '1.0.0' })
  server.registerTool(
    'book',
    tool,
    asks(async ({ day }, ctx) => {
      const answer = await ctx.elicit({ question: `How many seats on ${day}?`, schema: party })
      if (answer === null) return ctx.text('Not booked.')
      if (!(await ctx.confirm(`Book ${answer.seats} seats on ${day}?`))) return ctx.text('Not booked.')
      return ctx.text(tables.book(day, answer.seats))
    }),
  )
  return server
}
