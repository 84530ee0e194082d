// A program with something to offer, run by itself.
import { app } from '@beckon/app'
import { z } from 'zod'

const stock = {
  units: new Map([
    ['WH-7', 42],
    ['WH-9', 0],
  ]),
  lookup(warehouseId: string) {
    return { warehouseId, units: this.units.get(warehouseId) ?? 0 }
  },
}

const shop = app({ id: 'shop', name: 'The shop' })

const warehouseSchema = z.object({ warehouseId: z.string() })

shop
  .action('checkStock')
  .describe('How much there is in a warehouse')
  .annotate({ readOnly: true })
  .handler(async (_input, ctx) => {
    const answer = await ctx.elicit({
      question: 'Which warehouse should I check?',
      schema: warehouseSchema,
      jsonSchema: z.toJSONSchema(warehouseSchema),
    })
    if (answer === null) return { cancelled: true }
    return stock.lookup(answer.warehouseId)
  })

await shop.listen()
