import { afterEach, describe, expect, it } from 'vitest'
import { createServer } from '../index.js'
import { createTestClient, type TestAnswer, type TestAsk, type TestClientOptions } from '../test/index.js'
import { bestMatches } from './best-matches.js'
import { type ChoiceSource, choices } from './choice-schema.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const many = Array.from({ length: 100_000 }, (_, index) => ({ value: `c${index}`, label: `City ${index}` }))

/** A tool that asks for one, and a person with a script. */
async function choose(source: ChoiceSource, script: TestAnswer[], options: TestClientOptions = {}) {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('t', {}, async (_input, ctx) => ({
    content: [{ type: 'text', text: String(await ctx.elicit({ question: 'Where to?', schema: choices(source) })) }],
  }))
  const asked: TestAsk[] = []
  const client = createTestClient(server, {
    answer: ask => {
      asked.push(ask)
      return script[asked.length - 1] ?? 'decline'
    },
    ...options,
  })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  const result = await client.callTool('t')
  return { text: result.content[0]?.text, asked, options: asked.map(optionsOf) }
}

function optionsOf(ask: TestAsk): string[] {
  const field = ask.kind === 'form' ? ask.schema.properties.choice : undefined
  const { oneOf, enum: plain } = (field ?? {}) as { oneOf?: { const: string }[]; enum?: string[] }
  return oneOf?.map(option => option.const) ?? plain ?? []
}

describe.each(['push', 'rounds'] as const)('a choice among 100,000 on %s', wire => {
  it('is found by searching, and asked again until it is chosen', async () => {
    const script = [{ search: 'city 9999' }, { search: '99998' }, { choice: 'c99998' }]
    const { text, asked, options } = await choose(many, script, { wire })
    expect(text).toBe('c99998')
    expect(options[0]).toHaveLength(20)
    expect(options[1]?.slice(0, 3)).toEqual(['c9999', 'c99990', 'c99991'])
    expect(options[2]).toEqual(['c99998'])
    expect(asked[0]?.message).toContain('These are the first 20 of 100000.')
  })
})

describe('a choice', () => {
  it('of a few is a plain one', async () => {
    const { text, asked } = await choose(['red', { value: 'g', label: 'Green' }], [{ choice: 'g' }])
    expect(text).toBe('g')
    expect(asked).toMatchObject([{ message: 'Where to?', schema: { required: ['choice'] } }])
  })

  it('of what a function finds is asked once for each search, also when the call is replayed', async () => {
    const searches: string[] = []
    const find = async (search: string) => {
      searches.push(search)
      return Array.from({ length: 500 }, (_, index) => `${search}${index}`)
    }
    const { text, options } = await choose(find, [{ search: 'b' }, { choice: 'b1' }])
    expect(text).toBe('b1')
    expect(searches).toEqual(['', 'b'])
    expect(options[1]).toHaveLength(20)
  })

  it('does not repeat in the question what a person wrote, and keeps it in its field', async () => {
    const { asked } = await choose(many, [{ search: 'my secret wish' }])
    expect(asked[1]).toMatchObject({ schema: { properties: { search: { default: 'my secret wish' } } } })
    expect(asked[1]?.message).toBe('Where to?\n\nNothing matches. Search for something else.')
  })

  it('takes nothing that was not shown', async () => {
    const { text } = await choose(many, [{ choice: 'c500' }, { choice: 'c501' }, { choice: 'c502' }])
    expect(text).toContain('does not fit')
  })

  it('is declined', async () => {
    expect((await choose(many, ['decline'])).text).toBe('null')
    expect((await choose(['a'], ['decline'])).text).toBe('null')
  })

  it('ends when nothing is ever chosen', async () => {
    const { asked } = await choose(
      many,
      Array.from({ length: 100 }, () => ({})),
    )
    expect(asked).toHaveLength(20)
  })

  it('needs something to choose from, and shows so many', () => {
    expect(() => choices([])).toThrow('nothing to choose from')
    expect(() => choices(['a'], { maxShown: 101 })).toThrow('100 at most')
  })
})

it('ranks what is it before what begins with it, before what has a word that does, before the rest', () => {
  const list = ['New York', 'York', 'Yorkshire', 'Old Yorkers', 'Newyork', 'Paris']
  const found = bestMatches(list, ' YORK ', 10).map(({ value }) => value)
  expect(found).toEqual(['York', 'Yorkshire', 'New York', 'Old Yorkers', 'Newyork'])
  expect(bestMatches(list, 'new york', 10).map(({ value }) => value)).toEqual(['New York', 'Newyork'])
  expect(bestMatches(list, '', 2).map(({ value }) => value)).toEqual(['New York', 'York'])
})

it('reads each of 100,000 options once, and for a search after that only those that it shows', () => {
  let reads = 0
  const counted = Array.from({ length: 100_000 }, (_, index) => ({
    value: `c${index}`,
    get label() {
      reads++
      return `City ${index}`
    },
  }))
  bestMatches(counted, 'city 7', 20)
  expect(reads).toBe(100_020)
  bestMatches(counted, 'city 99', 20)
  expect(reads).toBe(100_040)
})
