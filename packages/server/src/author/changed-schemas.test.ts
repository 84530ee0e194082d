// docs/asking.md: a schema is "any Standard Schema, a JSON Schema, or a shorthand"; a list "of any length" is searched, "100,000 options".
// SECURITY.md: "An answer is checked against its form before a tool gets it." A schema that is made once and changes, as what can be chosen
// changes, is the one of its first call for good.
import { expect, it } from 'vitest'
import { callRaw, type RawReply } from '../../test/raw-call.js'
import { choices, createServer } from '../index.js'

const asked = ({ result }: RawReply) => Object.values(result.inputRequests)[0]?.params.requestedSchema.properties ?? {}
const answered = (reply: RawReply, content: object) => ({
  requestState: reply.result.requestState,
  inputResponses: { [Object.keys(reply.result.inputRequests)[0] ?? '']: { action: 'accept', content } },
})
const textOf = (reply: RawReply) => reply.result.content?.[0]?.text

it('offers what a JSON Schema says now', async () => {
  const schema = {
    type: 'object',
    properties: { env: { type: 'string', enum: ['staging', 'production'] } },
    required: ['env'],
  }
  const server = createServer({ name: 's', version: '1' })
  server.tool('t', {}, async (_input, ctx) => JSON.stringify(await ctx.elicit({ question: 'Where?', schema })))
  expect(asked(await callRaw(server, 't')).env?.enum).toEqual(['staging', 'production'])
  // Nobody may deploy there any more.
  schema.properties.env.enum = ['staging']
  const later = await callRaw(server, 't')
  expect(asked(later).env?.enum).toEqual(['staging'])
  expect(textOf(await callRaw(server, 't', answered(later, { env: 'production' })))).not.toBe('{"env":"production"}')
})

it('offers what a shorthand says now', async () => {
  const targets: Record<string, string> = { staging: 'Staging', production: 'Production' }
  const server = createServer({ name: 's', version: '1' })
  server.tool('t', {}, async (_input, ctx) => JSON.stringify(await ctx.elicit({ question: 'Where?', schema: targets })))
  await callRaw(server, 't')
  delete targets.production
  const later = await callRaw(server, 't')
  expect(JSON.stringify(asked(later))).not.toContain('production')
})

it('finds what is in a list now', async () => {
  const cities = Array.from({ length: 150 }, (_, nth) => `City ${nth}`)
  const server = createServer({ name: 's', version: '1' })
  server.tool('t', {}, async (_input, ctx) =>
    String(await ctx.elicit({ question: 'Where to?', schema: choices(cities) })),
  )
  const search = async (search: string) => {
    const first = await callRaw(server, 't')
    const { choice } = asked(await callRaw(server, 't', answered(first, { search })))
    return choice?.enum ?? choice?.oneOf?.map(one => one.const)
  }
  expect(await search('City 149')).toEqual(['City 149'])
  cities.unshift('Paris')
  expect(await search('Paris')).toEqual(['Paris'])
  // What is found stands beside it in the list by now.
  expect(await search('City 149')).toEqual(['City 149'])
})
