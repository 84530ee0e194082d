// The code of the same page for fastmcp, in TypeScript.
import { type BeckonServer, ElicitationNotAvailableError } from 'beckon'
import { z } from 'zod'

const ContactInfo = z.object({ name: z.string(), email: z.string() })

export function fastmcp(server: BeckonServer): void {
  server.tool('delete_all', {}, async (_input, ctx) => {
    try {
      const result = await ctx.elicit.form('Delete all items? This cannot be undone.', Boolean)
      if (result.action === 'accept' && result.content) {
        return 'Deleted.'
      }
      return 'Cancelled.'
    } catch (error) {
      if (!(error instanceof ElicitationNotAvailableError)) throw error
      return 'Confirmation required. Ask the user to confirm deletion, then retry.'
    }
  })

  server.tool('shorthands', {}, async (_input, ctx) => {
    const outcomes = [
      await ctx.elicit.form('Pick a color', ['red', 'green', 'blue']), // enum
      await ctx.elicit.form('Enter email', String), // string
      await ctx.elicit.form('Confirm?', Boolean), // boolean
      await ctx.elicit.form('Contact details', ContactInfo), // flat dataclass
    ]
    return { said: outcomes.map(outcome => (outcome.action === 'accept' ? outcome.content : outcome.action)) }
  })
}
