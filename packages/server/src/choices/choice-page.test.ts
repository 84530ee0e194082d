// The page of a long choice over real HTTP.
import { afterEach, expect, it, vi } from 'vitest'
import { choices, createServer } from '../index.js'
import { createTestClient, createTestDesk, type TestClientOptions } from '../test/index.js'
import { choicePage } from './index.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const many = Array.from({ length: 100_000 }, (_, index) => ({ value: `c${index}`, label: `City <${index}>` }))
const listed = choicePage('cities', many)

/** A tool that asks for one, called by ana, and what a browser does with the link. */
async function choose(page: typeof listed, visit: (link: string) => Promise<unknown>, options: TestClientOptions = {}) {
  const server = createServer({
    name: 'travel',
    version: '1.0.0',
    identify: request => /\bas=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1],
    choicePages: [page],
  })
  server.tool('t', {}, async (_input, ctx) =>
    String(await ctx.elicit({ question: 'Where to?', schema: choices(page, { title: 'City' }) })),
  )
  await server.listen({ port: 0 })
  const client = createTestClient(server, {
    principal: 'ana',
    answer: async ask => {
      if (ask.kind !== 'url') return 'decline'
      await visit(ask.url)
      return 'accept'
    },
    ...options,
  })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  return { text: (await client.callTool('t')).content[0]?.text, client }
}

/** Someone at the page. */
async function open(link: string, as = 'ana') {
  const response = await fetch(link, { headers: { cookie: `as=${as}` } })
  const cookie = `as=${as}; ${response.headers.get('set-cookie')?.split(';')[0] ?? ''}`
  const html = await response.text()
  const beckon = /name="beckon" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const send = async (fields: Record<string, string>) => {
    const sent = await fetch(link, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ beckon, ...fields }),
    })
    return { status: sent.status, html: await sent.text() }
  }
  return { status: response.status, html, send }
}

/** Each option, as it is sent and as it is read. */
const optionsIn = (html: string) =>
  Array.from(html.matchAll(/name="choice" value="([^"]*)"> <bdi>([^<]*)/g), ([, sent = '', label = '']) => ({
    sent,
    label,
  }))

it.each(['push', 'rounds'] as const)('a choice among 100,000 is found on a page of ours, on %s', async wire => {
  const { text, client } = await choose(
    listed,
    async link => {
      const page = await open(link)
      expect(optionsIn(page.html)).toHaveLength(20)
      const found = await page.send({ do: 'search', search: 'city <9999' })
      const [first, second] = optionsIn(found.html)
      expect([first?.label, second?.label]).toEqual(['City &lt;9999&gt;', 'City &lt;99990&gt;'])
      const choice = second?.sent ?? ''
      expect((await page.send({ do: 'choose', search: 'city <9999', choice })).html).toContain('Done')
    },
    { wire },
  )
  expect(text).toBe('c99990')
  // What is searched for stays between the person and the server.
  expect(JSON.stringify(client.messages)).not.toContain('city <9999')
})

it.each(['pay\u00adpal', '\u202ereversed', `a${'\u0336'.repeat(40)}`, '\u0301a', 'two\r\nlines', '"<&'])(
  'has %j chosen as it is, whatever a page shows of it',
  async value => {
    const odd = choicePage('odd', () => ['plain', value])
    const { text } = await choose(odd, async link => {
      const page = await open(link)
      const choice = optionsIn(page.html)[1]?.sent ?? ''
      expect((await page.send({ do: 'choose', search: '', choice })).html).toContain('Done')
    })
    expect(text).toBe(value)
  },
)

it('takes nothing that the search does not find, from nobody else, and is declined there', async () => {
  const searches: string[] = []
  const found = choicePage('found', async search => {
    searches.push(search)
    return search === 'a' ? ['a1', 'a2'] : ['b']
  })
  const { text } = await choose(found, async link => {
    expect((await open(link, 'bob')).status).toBe(403)
    const page = await open(link)
    const refused = await page.send({ do: 'choose', search: 'a', choice: 'b' })
    expect(refused).toMatchObject({ status: 422, html: expect.stringContaining('Choose one of these.') })
    expect((await page.send({ do: 'search', search: 'x'.repeat(1_000) })).status).toBe(200)
    expect((await page.send({ do: 'decline' })).html).toContain('Done')
  })
  expect(text).toBe('null')
  expect(searches).toEqual(['', 'a', 'x'.repeat(200)])
})

it('is asked in the question where the client opens no pages', async () => {
  const { text } = await choose(listed, async () => {}, {
    capabilities: { elicitation: { form: {} } },
    answer: ask => (ask.kind === 'form' ? { choice: 'c3' } : 'decline'),
  })
  expect(text).toBe('c3')
})

it('is refused where no server serves its page', async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.tool('t', {}, async (_input, ctx) => String(await ctx.elicit({ question: 'Where?', schema: choices(listed) })))
  await server.listen({ port: 0 })
  const client = createTestClient(server, { answer: () => 'accept' })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  expect((await client.callTool('t')).content[0]?.text).toContain('createServer({ choicePages: [cities] })')
})

it.each([
  ['an audience', { audience: { principals: ['lea'] } }],
  ['a passkey', { person: 'verified' }],
] as const)('is no page where an answer takes %s: only whoever called could open it', async (_what, terms) => {
  const desk = createTestDesk()
  const server = createServer({ name: 'travel', version: '1.0.0', choicePages: [listed], desk, wait: 'hold' })
  server.tool('t', {}, async (_input, ctx) =>
    String(await ctx.elicit({ question: 'Where to?', schema: choices(listed), ...terms })),
  )
  await server.listen({ port: 0 })
  const asked: string[] = []
  const client = createTestClient(server, {
    principal: 'ana',
    answer: ask => {
      asked.push(ask.kind)
      return 'decline'
    },
  })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  const result = client.callTool('t')
  result.catch(() => {})
  await vi.waitFor(() => expect(desk.asked).toHaveLength(1))
  expect(asked).toEqual([])
})
