import { memoryStore } from 'beckon'
import { createTestClock } from 'beckon/test'
import { expect, it, onTestFinished } from 'vitest'
import { createDesk } from '../create-desk.js'
import { deskStore } from '../desk-parts.js'
import { WidgetPages } from './widget-pages.js'

const day = 24 * 60 * 60 * 1000

function setUp() {
  const clock = createTestClock()
  const store = memoryStore({ clock })
  const pages = () => new WidgetPages({ store: deskStore(store), clock })
  const keep = (server: string, n: number, node = pages()) =>
    node.keep(server, { name: 'seats', html: `<p>${n}</p>`, data: null }, clock.now() + day)
  return { clock, store, keep }
}

it('keeps a hundred different pages of a server at a time, on any node, and those of others beside them', async () => {
  const { clock, store, keep } = setUp()
  for (let n = 0; n < 100; n++) await keep('shop', n)
  await expect(keep('shop', 100)).rejects.toThrow('keeps 100 pages')
  expect(await store.count('desk/widgets of shop', { upTo: 1_000 })).toBe(100)
  await expect(keep('shop', 7)).resolves.toMatchObject({ name: 'seats' })
  await expect(keep('bank', 100)).resolves.toMatchObject({ name: 'seats' })
  // Their asks are over, and so is the week after that.
  await clock.advance(9 * day)
  await expect(keep('shop', 100)).resolves.toMatchObject({ name: 'seats' })
  expect(await store.count('desk/widgets of shop', { upTo: 1_000 })).toBe(1)
})

it('keeps a page for the longest of its asks, whichever node opens which', async () => {
  const { clock, store } = setUp()
  const node = () => new WidgetPages({ store, clock })
  const widget = { name: 'seats', html: '<p>', data: null }
  const { page } = await node().keep('shop', widget, clock.now() + 300 * day)
  await node().keep('shop', widget, clock.now() + day)
  await clock.advance(100 * day)
  const request = { path: `/widgets/${page}`, method: 'GET' } as Parameters<
    NonNullable<WidgetPages['access']['handle']>
  >[0]
  expect(await node().access.handle?.(request)).toMatchObject({ status: 200 })
})

it('refuses one page more with a reason, to a server in another process', async () => {
  const errors: unknown[] = []
  const desk = createDesk({ servers: { shop: 'a-token-of-the-shop' }, onError: error => errors.push(error) })
  onTestFinished(() => desk.close())
  const { url } = await desk.listen()
  const open = (n: number) =>
    fetch(new URL('/api/asks', url), {
      method: 'POST',
      headers: { authorization: 'Bearer a-token-of-the-shop', 'content-type': 'application/json' },
      body: JSON.stringify({
        id: `a${n}`,
        message: 'Which?',
        schema: { type: 'object', properties: { seat: { type: 'string' } } },
        widget: { name: 'seats', html: `<p>${n}</p>` },
      }),
    })
  for (let n = 0; n < 100; n++) expect((await open(n)).status).toBe(201)
  const refused = await open(100)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('keeps 100 pages') })
  expect(errors).toEqual([])
})

it('lets a page send to the one origin that it was kept with, under an address of its own', async () => {
  const { clock, store } = setUp()
  const pages = new WidgetPages({ store, clock })
  const policyOf = async (page: string) => {
    const request = { path: `/widgets/${page}`, method: 'GET' } as Parameters<
      NonNullable<WidgetPages['access']['handle']>
    >[0]
    const { headers = [] } = (await pages.access.handle?.(request)) ?? {}
    return headers.filter(([name]) => name === 'Content-Security-Policy').map(([, value]) => value)
  }
  const widget = { name: 'upload', html: '<p>' }
  const until = clock.now() + day
  const plain = await pages.keep('shop', widget, until)
  const shop = await pages.keep('shop', { ...widget, connect: 'https://shop.example' }, until)
  const bank = await pages.keep('shop', { ...widget, connect: 'http://127.0.0.1:8080' }, until)
  expect(new Set([plain.page, shop.page, bank.page]).size).toBe(3)
  expect((await policyOf(plain.page)).join()).not.toContain('connect-src')
  expect(await policyOf(shop.page)).toEqual([expect.stringMatching(/; connect-src https:\/\/shop\.example$/)])
  expect(await policyOf(bank.page)).toEqual([expect.stringMatching(/; connect-src http:\/\/127\.0\.0\.1:8080$/)])
})

it.each([
  'https://*.example',
  '*',
  'https:',
  'https://a.example/path',
  'https://a.example; script-src *',
  'https://a.example,https://b.example',
  'wss://a.example',
  "'self'",
  '',
])('keeps no page that would send to %j', async connect => {
  const { clock, store } = setUp()
  const pages = new WidgetPages({ store, clock })
  const kept = pages.keep('shop', { name: 'upload', html: '<p>', connect }, clock.now() + day)
  await expect(kept).rejects.toThrow('an origin')
})
