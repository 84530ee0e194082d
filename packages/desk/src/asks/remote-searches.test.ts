// What someone types, over real sockets, at a server that reaches the desk by its token: who is heard, how much, and for how long.
import { rootChannel } from '@beckon/core/live'
import type { FoundOption } from '@beckon/core/widgets'
import { choices, createServer } from 'beckon'
import { createTestClient, createTestClock } from 'beckon/test'
import { listWidget } from 'beckon/widgets/ready'
import { expect, it, onTestFinished, vi } from 'vitest'
import { LiveClient } from '../../test/live-client.js'
import type { Access } from '../access/index.js'
import { createDesk } from '../create-desk.js'
import { RemoteSearches } from './remote-searches.js'

// A busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const token = 'a-token-of-the-shop'
const place = { session: 'call-shop.1', ask: 'shop.1.a' }

/** Whoever `as` says they are. */
const asTheySay: Access = {
  loopbackOnly: true,
  async authenticate({ query, header }) {
    const principal = new URLSearchParams(query).get('as') ?? header('x-as')
    return principal ? { principal, device: 'd' } : undefined
  },
  handle: async () => undefined,
}

async function listening() {
  const desk = createDesk({ access: asTheySay, servers: { shop: token, bank: 'a-token-of-the-bank' } })
  onTestFinished(() => desk.close())
  const { url } = await desk.listen({ port: 0 })
  const request = (method: string, path: string, body?: object, as = token) =>
    fetch(new URL(`/api/asks${path}`, url), {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  /** Someone at the inbox, who types. */
  const person = async (principal: string) => {
    const socket = `${url.replace('http', 'ws')}live?as=${principal}`
    const client = new LiveClient({ url: socket, dialect: '1.0', clientId: principal, now: () => Date.now() })
    await client.dial()
    onTestFinished(() => client.drop())
    await client.initialize()
    return async ({ session, ask }: typeof place, search: string) => {
      const wanted = { channel: rootChannel, session, requestId: ask, search }
      const { options } = (await client.request('beckon/find', wanted)) as { options?: FoundOption[] }
      return options
    }
  }
  return { url, request, person }
}

/** Opens an ask for ana whose page may search. */
const wanted = {
  id: 'a',
  call: '1',
  principal: 'ana',
  message: 'Where to?',
  schema: { type: 'object', properties: { search: { type: 'string' } } },
  widget: { name: 'list', html: '<p>', find: 'h' },
}

it('reaches the function of a server elsewhere, letter by letter, and the ask stays open', async () => {
  const { url, person } = await listening()
  const searches: string[] = []
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    widgets: [listWidget],
    desk: { url, token },
    wait: 'hold',
    identify: () => 'ana',
  })
  const find = (words: string) => {
    searches.push(words)
    if (words === 'fail') throw new Error('The database is away.')
    return Array.from({ length: 5 }, (_, at) => ({ value: `${words}${at}`, label: `${words} ${at}` }))
  }
  server.tool('t', {}, async (_input, ctx) => ({
    given: await ctx.elicit({ question: 'Where to?', schema: choices(find), widget: listWidget }),
  }))
  const client = createTestClient(server, { capabilities: {}, principal: 'ana' })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  let isOver = false
  const over = () => {
    isOver = true
  }
  client.callTool('t').then(over, over)
  const { session, id } = await vi.waitFor(
    async () => {
      const { asks } = (await (await fetch(new URL('/api/asks', url), { headers: { 'x-as': 'ana' } })).json()) as {
        asks: { session: string; id: string }[]
      }
      expect(asks).toHaveLength(1)
      return asks[0] as { session: string; id: string }
    },
    { timeout: 30_000 },
  )
  const ana = await person('ana')
  const at = { session, ask: id }
  for (const words of ['r', 'ro', 'rom'])
    expect((await ana(at, words))?.[0]).toEqual({ value: `${words}0`, label: `${words} 0` })
  // One who types fast has several on the way.
  const many = await Promise.all(['a', 'b', 'c', 'd'].map(words => ana(at, words)))
  expect(many.map(options => options?.[0]?.value)).toEqual(['a0', 'b0', 'c0', 'd0'])
  // What the author's function throws is nobody's to see, and the next search is heard.
  expect(await ana(at, 'fail')).toBeUndefined()
  expect(await ana(at, 'x'.repeat(1_000))).toHaveLength(5)
  expect(searches.at(-1)).toBe('x'.repeat(200))
  expect(await (await person('eve'))(at, 'of eve')).toBeUndefined()
  expect(searches).not.toContain('of eve')
  expect(isOver).toBe(false)
})

it('tells a server what is typed about its own asks, while it waits for them and says that it looks', async () => {
  const { request, person } = await listening()
  expect((await request('POST', '', wanted)).status).toBe(201)
  const ana = await person('ana')
  // Nobody waits for it yet.
  expect(await ana(place, 'a')).toBeUndefined()
  const outcome = `/${place.session}/${place.ask}/outcome`
  const plain = request('GET', `${outcome}?waitMs=1500`)
  expect(await ana(place, 'b')).toBeUndefined()
  expect(await (await plain).json()).toEqual({})
  // Another server is told nothing, and cannot answer in its place.
  const bank = 'a-token-of-the-bank'
  expect((await request('GET', `${outcome}?searches=1`, undefined, bank)).status).toBe(404)
  const waiting = request('GET', `${outcome}?searches=1`)
  const found = vi.waitFor(async () => {
    const options = await ana(place, 'c')
    expect(options).toBeDefined()
    return options
  })
  const { search } = (await (await waiting).json()) as { search: { id: string; search: string } }
  expect(search.search).toBe('c')
  const answer = `/${place.session}/${place.ask}/searches/${search.id}`
  expect((await request('PUT', answer, { options: [] }, bank)).status).toBe(404)
  expect((await request('PUT', answer, { options: 'all' })).status).toBe(400)
  const odd = [{ value: 'x', label: 'X' }, { value: 1, label: 'n' }, 'y', { value: 'z', label: 'z'.repeat(2_000) }]
  const long = Array.from({ length: 300 }, (_, n) => ({ value: `${n}`, label: `${n}` }))
  expect((await request('PUT', answer, { options: [...odd, ...long] })).status).toBe(200)
  expect(await found).toHaveLength(97)
  expect((await found)?.[0]).toEqual({ value: 'x', label: 'X' })
  expect((await request('PUT', answer, { options: [] })).status).toBe(404)
})

it('waits for seconds, and has so many searches of an ask wait', async () => {
  const clock = createTestClock()
  const searches = new RemoteSearches(clock)
  const over = new AbortController()
  const first = searches.next(place, over.signal)
  const asked = Array.from({ length: 20 }, (_, n) => searches.find(place, `${n}`))
  expect(await first).toMatchObject({ search: '0' })
  expect(await searches.next(place, over.signal)).toMatchObject({ search: '1' })
  // Those that are too many are told at once.
  expect(await Promise.all(asked.slice(16))).toEqual([undefined, undefined, undefined, undefined])
  await clock.advance(5_000)
  expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]))
})

it('waits for a server that comes back in a moment, and not for one that went away', async () => {
  const clock = createTestClock()
  const searches = new RemoteSearches(clock)
  const over = new AbortController()
  const waiting = searches.next(place, over.signal)
  over.abort()
  expect(await waiting).toBeUndefined()
  const found = searches.find(place, 'a')
  const again = await searches.next(place, new AbortController().signal)
  searches.found(place, again?.id ?? '', [{ value: 'a', label: 'A' }])
  expect(await found).toEqual([{ value: 'a', label: 'A' }])
  await clock.advance(2_000)
  expect(await searches.find(place, 'b')).toBeUndefined()
})
