// docs/asking.md: "What a function finds is remembered: a replay does not call it again." and "The answer is always one of those that were
// shown." Two searches are open together, and one is answered a round before the other: nothing here is named by the author.
import { expect, it } from 'vitest'
import { callRaw, type RawReply } from '../../test/raw-call.js'
import { choices, createServer } from '../index.js'

it.each(['when-needed', 'always'] as const)('gives each search what it found, with replay: %s', async replay => {
  const server = createServer({ name: 'travel', version: '1.0.0', replay })
  const searched: string[] = []
  const among = (kind: string) =>
    choices((search: string) => {
      searched.push(`${kind} ${search}`)
      return [{ value: `${kind}-${search || 'first'}`, label: `${kind} ${search || 'first'}` }]
    })
  server.tool('book', {}, async (_input, ctx) => {
    const [city, hotel] = await Promise.all([
      ctx.elicit({ question: 'Which city?', schema: among('city') }),
      ctx.elicit({ question: 'Which hotel?', schema: among('hotel') }),
    ])
    return `${city} ${hotel}`
  })
  const asksIn = ({ result }: RawReply): [string, string][] =>
    Object.entries(result.inputRequests).map(([id, { params }]) => [
      id,
      `${params.message.split('\n')[0]} ${params.requestedSchema.properties.choice?.oneOf?.map(one => one.const)}`,
    ])
  const idOf = (reply: RawReply, question: string) =>
    asksIn(reply).find(([, words]) => words.startsWith(question))?.[0] ?? ''
  const answer = (reply: RawReply, question: string, content: object) => ({
    requestState: reply.result.requestState,
    inputResponses: { [idOf(reply, question)]: { action: 'accept', content } },
  })
  const first = await callRaw(server, 'book')
  const second = await callRaw(server, 'book', answer(first, 'Which hotel?', { search: 'ritz' }))
  const third = await callRaw(server, 'book', answer(second, 'Which city?', { search: 'paris' }))
  expect(
    asksIn(third)
      .map(([, words]) => words)
      .sort(),
  ).toEqual(['Which city? city-paris', 'Which hotel? hotel-ritz'])
  expect(searched).toEqual(['city ', 'hotel ', 'hotel ritz', 'city paris'])
})
