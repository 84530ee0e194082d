// What the page of a widget finds while someone types, in a host's frame: by the tool that is for pages alone.
import { afterEach, describe, expect, it } from 'vitest'
import { choicePage } from '../choices/index.js'
import { type ChoiceSource, choices, createServer } from '../index.js'
import {
  createTestClient,
  createTestClock,
  type TestAsk,
  type TestClient,
  type TestClientOptions,
} from '../test/index.js'
import { listWidget } from './ready/index.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const many = Array.from({ length: 100_000 }, (_, index) => ({ value: `c${index}`, label: `City ${index}` }))
const capabilities = {
  elicitation: { form: {} },
  extensions: {
    'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'], elicitation: {} },
    'io.modelcontextprotocol/tasks': {},
  },
}

interface Host {
  readonly ask: TestAsk
  readonly nth: number
  readonly handle: string
  /** What the page of the host finds. */
  find(search: string, by?: TestClient): Promise<string[]>
}

/** A tool that asks for one in a page, and what its host does. */
function choosing(
  given: ChoiceSource | ReturnType<typeof choicePage>,
  answer: (host: Host) => Promise<object>,
  options: TestClientOptions = {},
) {
  const pages = 'source' in given ? { choicePages: [given] } : {}
  const server = createServer({ name: 's', version: '1.0.0', widgets: [listWidget], ...pages })
  server.tool('t', { task: 'optional' }, async (_input, ctx) => ({
    given: await ctx.elicit({ question: 'Where to?', schema: choices(given), widget: listWidget }),
  }))
  const asked: TestAsk[] = []
  const client: TestClient = createTestClient(server, {
    capabilities,
    ...options,
    answer: ask => {
      asked.push(ask)
      const handle = handleIn(client) ?? ''
      const find = async (search: string, by = client) => found(await by.callTool('beckon_find', { handle, search }))
      return answer({ ask, nth: asked.length, handle, find }) as never
    },
  })
  closing.push(
    () => client.close(),
    () => server.close(),
  )
  return { server, client, asked, given: () => client.callTool('t').then(givenIn) }
}

/** By what the page searches: as the last message with one says. */
function handleIn({ messages }: TestClient): string | undefined {
  const texts = messages.map(({ message }) => JSON.stringify(message))
  return texts.flatMap(text => /"find":"([^"]+)"/.exec(text)?.[1] ?? []).at(-1)
}

function found({ structuredContent }: { structuredContent?: unknown }): string[] {
  return (structuredContent as { options: { value: string }[] }).options.map(({ value }) => value)
}

function givenIn({ structuredContent }: { structuredContent?: unknown }): unknown {
  return (structuredContent as { given: unknown }).given
}

describe.each(['push', 'rounds', 'tasks'] as const)('a page on %s', wire => {
  it('finds among 100,000 while the ask stays open, and what it found can be chosen', async () => {
    const seen: string[][] = []
    const { given, asked } = choosing(
      many,
      async ({ find }) => {
        for (const search of ['', 'city 9999', '99998']) seen.push(await find(search))
        return { other: 'c99998', search: '99998' }
      },
      { wire },
    )
    expect(await given()).toBe('c99998')
    expect(seen.map(each => each.length)).toEqual([20, 19, 1])
    expect(asked).toHaveLength(1)
  })

  it('has the author’s function find, with the words as they are', async () => {
    const searches: string[] = []
    const source = async (search: string) => {
      searches.push(search)
      return [`${search}1`, `${search}2`]
    }
    const { given } = choosing(
      source,
      async ({ find }) => {
        expect(await find('Rö')).toEqual(['Rö1', 'Rö2'])
        await find('x'.repeat(5_000))
        return { other: 'Rö2', search: 'Rö' }
      },
      { wire },
    )
    expect(await given()).toBe('Rö2')
    expect(searches).toEqual(['', 'Rö', 'x'.repeat(200), 'Rö'])
  })
})

describe('a page that searches', () => {
  it('has nothing chosen that the search does not find: it is asked again', async () => {
    const { given, asked } = choosing(many, async ({ nth }) =>
      nth === 1 ? { other: 'c500', search: '99998' } : { choice: 'c99998' },
    )
    expect(await given()).toBe('c99998')
    expect(asked[1]).toMatchObject({ schema: { properties: { choice: { oneOf: [{ const: 'c99998' }] } } } })
  })

  it('finds for nobody but who called, by no other handle, and not for long', async () => {
    let refused = 0
    const clock = createTestClock()
    const { server, client, given } = choosing(
      many,
      async ({ find, handle }) => {
        const other = createTestClient(server, { capabilities, principal: 'bob' })
        closing.push(() => other.close())
        const tries = [find('1', other), client.callTool('beckon_find', { handle: `${handle}A`, search: '1' })]
        tries.push(client.callTool('beckon_find', {}), client.callTool('beckon_find', { search: '1' }))
        for (const { status } of await Promise.allSettled(tries)) if (status === 'rejected') refused++
        return { choice: 'c3' }
      },
      { principal: 'ana', clock },
    )
    expect(await given()).toBe('c3')
    expect(refused).toBe(4)
    const handle = handleIn(client) ?? ''
    await clock.advance(25 * 60 * 60 * 1000)
    await expect(client.callTool('beckon_find', { handle, search: '1' })).rejects.toThrow('unknown or has expired')
  })

  it('finds in another process what the server has by name, and not what a handler made', async () => {
    const cities = choicePage('cities', many)
    const keys = 'the same key for both of them'
    const [one, two] = [0, 1].map(() =>
      createServer({ name: 's', version: '1.0.0', widgets: [listWidget], choicePages: [cities], keys }),
    ) as [ReturnType<typeof createServer>, ReturnType<typeof createServer>]
    one.tool('named', {}, async (_input, ctx) => ({
      given: await ctx.elicit({ question: 'Where to?', schema: choices(cities), widget: listWidget }),
    }))
    one.tool('own', {}, async (_input, ctx) => ({
      given: await ctx.elicit({ question: 'Where to?', schema: choices(many), widget: listWidget }),
    }))
    const elsewhere = createTestClient(two, { capabilities })
    const tried: unknown[] = []
    const client: TestClient = createTestClient(one, {
      capabilities,
      answer: async () => {
        const handle = handleIn(client) ?? ''
        const looking = elsewhere.callTool('beckon_find', { handle, search: '99998' })
        tried.push(await looking.then(found, error => String(error)))
        return { choice: 'c1' }
      },
    })
    closing.push(
      () => client.close(),
      () => elsewhere.close(),
      () => one.close(),
      () => two.close(),
    )
    await client.callTool('named')
    await client.callTool('own')
    expect(tried).toEqual([['c99998'], expect.stringContaining('unknown or has expired')])
  })

  it('is offered nothing where no page is shown, and nobody is told of it', async () => {
    const { client, given, asked } = choosing(many, async () => ({ choice: 'c3' }), {
      capabilities: { elicitation: { form: {} } },
    })
    expect(await given()).toBe('c3')
    expect(handleIn(client)).toBeUndefined()
    expect(Object.keys((asked[0] as { schema: { properties: object } }).schema.properties)).toEqual([
      'choice',
      'search',
    ])
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['t'])
  })
})
