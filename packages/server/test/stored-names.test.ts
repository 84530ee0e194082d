// What a server has in a store has the same names with every release, says in which format it is, and its names open nothing.
import { expect, it } from 'vitest'
import { cache } from '../src/middleware/cache/cache.js'
import { rateLimit } from '../src/middleware/rate-limit/rate-limit.js'
import { urlAction } from '../src/middleware/url-action/url-action.js'
import { memoryStore, type Store } from '../src/store/index.js'
import { login, right } from './flows/login.js'
import { connect, serve, textOf } from './flows/opened.js'
import { Visitor } from './flows/visitor.js'

/** A store of this process, where nothing is sealed, that notes what is written. */
function notingStore() {
  const written = new Map<string, unknown>()
  const inMemory = memoryStore()
  const store: Store = {
    ...inMemory,
    set(key, value, options) {
      written.set(key, value)
      return inMemory.set(key, value, options)
    },
    compareAndSet(key, version, value, options) {
      // A date in the past deletes it.
      if (options?.expiresAt !== 0) written.set(key, value)
      return inMemory.compareAndSet(key, version, value, options)
    },
  }
  return { store, written }
}

it('keeps everything under the names that it always had, with a format number, and no id in a name', async () => {
  const { store, written } = notingStore()
  const server = serve({ store })
  const signed = urlAction({ message: 'Sign it.', url: 'https://sign.example/' })
  const limited = rateLimit({ max: 100, windowMs: 60_000 })
  server.tool('open', { use: [limited, cache({ ttlMs: 60_000 })] }, async (_input, ctx) => {
    for (const place of [ctx.session, ctx.userStore, ctx.store]) await place.set('cart', ['book'])
    await ctx.session.authorize('staff')
    return ctx.sessionId
  })
  server.tool('stock', login(), {}, () => 'all of it')
  server.tool('publish', signed, {}, () => 'published')
  const client = connect(server, { wire: 'push', capabilities: { elicitation: { form: {} } }, answer: [] })

  const ids = [textOf(await client.callTool('open'))]
  for (const tool of ['stock', 'publish']) {
    const [link = ''] = /http:\S+/.exec(textOf(await client.callTool(tool))) ?? []
    await new Visitor().submit(link, right)
    ids.push(link.split('/').at(-1) ?? '')
  }

  const names = [...written.keys()]
  expect([...new Set(names.map(name => name.replace(/[\w-]{43}/g, '<digest>')))].sort()).toEqual([
    'shop/attempts/<digest>',
    'shop/authorized/<digest>',
    'shop/cache/<digest>',
    'shop/completion/<digest>',
    'shop/flow/<digest>',
    'shop/linked/<digest>',
    'shop/rate/<digest>',
    'shop/server/cart',
    'shop/session/<digest>/cart',
    'shop/session/<digest>/credentials',
  ])
  expect([...written].filter(([, value]) => !isFormatted(value))).toEqual([])
  expect(names.filter(name => ids.some(id => name.includes(id)))).toEqual([])
})

function isFormatted(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1
}
