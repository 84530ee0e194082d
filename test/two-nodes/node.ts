// One process: a server on the store that it is told of. Says where it listens, and serves until it is killed.
import { createServer } from 'beckon'
import { z } from 'zod'
import { openStore, type Where } from '../three-nodes/shared-stores.js'

const where: Where = JSON.parse(process.env.NODE_STORE ?? '')
const server = createServer({
  name: 'shop',
  version: '1',
  store: openStore(where),
  limits: { leaseMs: Number(process.env.NODE_LEASE_MS) },
})

server.tool('order', {}, async (_, ctx) => {
  const drink = await ctx.elicit({ question: 'Which drink?', schema: String })
  const isSure = await ctx.confirm(`One ${drink}?`)
  return ctx.text(isSure ? `One ${drink}.` : 'Nothing.')
})
server.tool('pay', {}, async (_, ctx) => {
  const elicitationId = await ctx.step('id', () => crypto.randomUUID())
  const url = `https://pay.example/?id=${elicitationId}`
  const { action } = await ctx.elicit.url('Pay first', url, { waitForCompletion: true, elicitationId })
  return ctx.text(action === 'accept' ? 'Paid.' : 'Not paid.')
})
// The callback of the payment page, which comes to whichever process.
server.tool('paid', { input: z.object({ id: z.string() }) }, async ({ id }, ctx) =>
  ctx.text(`${await server.completeElicitation(id)}`),
)
server.prompt(
  'greeting',
  {},
  async (_, ctx) => `Good ${await ctx.elicit({ question: 'Which drink?', schema: String })}!`,
)
server.resource('menu://today', {}, async (_, ctx) => ((await ctx.confirm('One menu?')) ? 'Soup.' : 'Nothing.'))

const { url } = await server.listen({ port: 0 })
process.stdout.write(`${url}\n`)
