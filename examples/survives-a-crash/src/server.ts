// One process of the server. All of them have the same key, and nothing else in common.
import { appendFileSync } from 'node:fs'
import { createServer } from 'beckon'
import { z } from 'zod'

const { BECKON_KEY = '', EFFECTS = '' } = process.env

const server = createServer({ name: 'transfers', version: '1.0.0', keys: BECKON_KEY })

server.tool('transfer', { description: 'Transfer money', input: z.object({ to: z.string() }) }, async ({ to }, ctx) => {
  const amount = await ctx.elicit({ question: `How much to ${to}?`, schema: z.number().min(1).max(1000) })
  if (amount === null) return ctx.text('Nothing transferred.')
  const reserved = await ctx.step('reserve', () => {
    appendFileSync(EFFECTS, `reserved ${amount}\n`)
    return amount
  })
  if (!(await ctx.confirm(`Transfer ${reserved} to ${to}?`))) return ctx.text('Nothing transferred.')
  await ctx.step('transfer', ({ id }) => appendFileSync(EFFECTS, `transferred ${reserved} under ${id.length > 0}\n`))
  return ctx.text(`Transferred ${reserved} to ${to}.`)
})

const { url } = await server.listen({ port: 0 })
console.log(url)
