// One process: a server on the store that it is told of. Says where it listens, and serves until it is killed.
import { createServer } from 'beckon'
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
server.tool('where', {}, (_, ctx) => ctx.text(`${process.pid}`))

const { url } = await server.listen({ port: 0 })
process.stdout.write(`${url}\n`)
