// The code of Tesseron's page "Elicitation". An action of theirs is a tool here.
import type { BeckonServer } from 'beckon'
import { z } from 'zod'

export const warehouseSchema = z.object({ warehouseId: z.string() })
const stock = { lookup: (warehouseId: string) => ({ warehouseId, units: 7 }) }

export function tesseron(server: BeckonServer): void {
  server.tool(
    'clearCompleted',
    { annotations: { destructive: true, requiresConfirmation: true } },
    async (_input, ctx) => {
      const ok = await ctx.confirm({
        question: 'Remove 5 completed todos? This cannot be undone.',
      })
      if (!ok) return { removed: 0, cancelled: true }
      return { removed: 5 }
    },
  )

  server.tool('checkStock', {}, async (_input, ctx) => {
    const answer = await ctx.elicit({
      question: 'Which warehouse should I check?',
      schema: warehouseSchema,
      jsonSchema: z.toJSONSchema(warehouseSchema),
    })
    if (answer === null) return { cancelled: true }
    return stock.lookup(answer.warehouseId)
  })
}
