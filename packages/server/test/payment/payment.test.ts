import { describe, expect, it, vi } from 'vitest'
import { payment, stripe } from '../../src/middleware/payment/index.js'
import { memoryStore } from '../../src/store/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, identify, serve, textOf } from '../flows/opened.js'
import { Visitor } from '../flows/visitor.js'
import { opening, urlWires } from '../flows/wires.js'
import { notice } from './little-stripe.js'
import { buyer, price, shop } from './shop.js'

vi.setConfig({ testTimeout: 60_000 })

describe.each(urlWires)('payment on %s', wire => {
  it('has the person pay once for one call, and puts the receipt into the result', async () => {
    const store = await shop()
    const { provider, post, last } = store
    const who = store.visitor('alice')
    let page = ''
    const client = connect(store.server, {
      ...opening(wire, async url => {
        await who.submit(url)
        await post(notice('checkout.session.completed', provider.pay(last().id)))
        page = (await who.get(last().success_url)).text
      }),
      principal: 'alice',
    })
    const result = await client.callTool('print')
    expect(textOf(result)).toBe('printed cs_test_1')
    expect(page).toContain('The payment has arrived. You can close this page.')
    const receipt = { reference: 'cs_test_1', amount: 1250, currency: 'eur', paymentId: 'pi_cs_test_1' }
    expect(result._meta).toMatchObject({ 'beckon/receipt': receipt })
    expect(client.asked[0]?.message).toBe('Pay €12.50 for: A printed report')
    // The next call is another one.
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_2')
    expect(store.runs()).toBe(2)
    expect(provider.requests.map(({ form }) => form.get('client_reference_id'))).toEqual(
      provider.requests.map(({ key }) => key),
    )
  })
})

describe('a payment', () => {
  it('is settled when the person comes back, where there is no webhook', async () => {
    const store = await shop({ webhook: false })
    const client = buyer(store, async who => {
      const page = await who.get(store.last().success_url)
      expect(page.title).toBe('The payment is being confirmed')
      store.provider.pay(store.last().id)
      expect(await who.get(store.last().success_url)).toMatchObject({ title: 'Done' })
    })
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
  })

  it('of a person who closed the tab counts when the time is over', async () => {
    const clock = new FakeClock()
    const store = await shop({ webhook: false, server: { clock } })
    const paysAndLeaves = async () => void store.provider.pay(store.last().id)
    const client = buyer(store, paysAndLeaves, { wire: 'push' })
    const result = client.callTool('print')
    while (store.provider.checkouts.size === 0 || store.last().status === 'open')
      await new Promise(resolve => setImmediate(resolve))
    clock.advance(5 * 60_000)
    expect(textOf(await result)).toBe('printed cs_test_1')
  })

  it('that comes too late is there for the next call of that person for the same thing, and for nobody else', async () => {
    const clock = new FakeClock()
    const store = await shop({ server: { clock } })
    const { post, provider } = store
    const asked: string[] = []
    const client = buyer(store, async () => void asked.push(store.last().id), { wire: 'push' })
    const late = client.callTool('print', { pages: 3 })
    while (asked.length === 0) await new Promise(resolve => setImmediate(resolve))
    clock.advance(5 * 60_000)
    expect(textOf(await late)).toContain('did not finish in time')
    const told = await post(notice('checkout.session.completed', provider.pay('cs_test_1'), { at: clock.now() }))
    expect(told.status).toBe(204)
    const bob = buyer(store, who => who.get(store.last().cancel_url), { principal: 'bob' })
    expect(await bob.callTool('print', { pages: 3 })).toMatchObject({ isError: true })
    const other = buyer(store, who => who.get(store.last().cancel_url))
    expect(await other.callTool('print', { pages: 4 })).toMatchObject({ isError: true })
    expect(textOf(await client.callTool('print', { pages: 3 }))).toBe('printed cs_test_1')
    expect(await other.callTool('print', { pages: 3 })).toMatchObject({ isError: true })
    expect(store.runs()).toBe(1)
  })

  it('to one server is none to another in the same store', async () => {
    const clock = new FakeClock()
    const store = memoryStore({ clock })
    const paid = await shop({ server: { clock, store, name: 'paid' } })
    const asked: string[] = []
    const client = buyer(paid, async () => void asked.push(paid.last().id), { wire: 'push' })
    const late = client.callTool('print')
    while (asked.length === 0) await new Promise(resolve => setImmediate(resolve))
    clock.advance(5 * 60_000)
    await late
    await paid.post(notice('checkout.session.completed', paid.provider.pay('cs_test_1'), { at: clock.now() }))
    const other = await shop({
      server: { clock, store, name: 'other' },
      payment: { verify: async reference => ({ reference, status: 'open', ...price }) },
    })
    const declines = buyer(other, who => who.get(other.last().cancel_url))
    expect(await declines.callTool('print')).toMatchObject({ isError: true })
    expect(other.runs()).toBe(0)
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
  })

  it('is used by one of many calls at once', async () => {
    const clock = new FakeClock()
    const store = await shop({ server: { clock } })
    const asked: string[] = []
    const client = buyer(store, async () => void asked.push(store.last().id), { wire: 'push' })
    const late = client.callTool('print')
    while (asked.length === 0) await new Promise(resolve => setImmediate(resolve))
    clock.advance(5 * 60_000)
    await late
    await store.post(notice('checkout.session.completed', store.provider.pay('cs_test_1'), { at: clock.now() }))
    const again = buyer(store, (who, cancelUrl) => who.get(cancelUrl))
    const results = await Promise.all([1, 2, 3, 4].map(() => again.callTool('print')))
    expect(results.filter(result => textOf(result) === 'printed cs_test_1')).toHaveLength(1)
    expect(store.runs()).toBe(1)
  })

  it.each([
    ['another amount', { amount_total: 1 }],
    ['more', { amount_total: 125_000 }],
    ['another currency', { currency: 'jpy' }],
    ['an amount that is none', { amount_total: Number.NaN }],
  ])('of %s grants nothing', async (_name, change) => {
    const store = await shop({ webhook: true, payment: {} })
    const client = buyer(store, async who => {
      await store.post(notice('checkout.session.completed', store.provider.pay(store.last().id, change)))
      const page = await who.get(store.last().success_url)
      expect(page.title).toBe('That did not work')
    })
    const result = await client.callTool('print')
    expect(result).toMatchObject({ isError: true })
    expect(textOf(result)).toContain('not what was asked for')
    expect(store.runs()).toBe(0)
  })

  it('that the person turns away from is none', async () => {
    const store = await shop()
    const client = buyer(store, who => who.get(store.last().cancel_url))
    expect(textOf(await client.callTool('print'))).toBe('The person did not pay. Nothing was done.')
  })

  it('for a call that then fails is told of, and has a receipt', async () => {
    const store = await shop()
    const client = buyer(store, () =>
      store.post(notice('checkout.session.completed', store.provider.pay(store.last().id))),
    )
    expect(await client.callTool('print', { fail: true })).toMatchObject({ isError: true })
    expect(store.failures).toEqual(['cs_test_1'])
  })

  it('goes on in another process, without being asked for again', async () => {
    const shared = { ...memoryStore(), shared: true, close: async () => {} }
    const options = { store: shared, keys: 'a key that both processes have' }
    const store = await shop({ server: options })
    const client = buyer(
      store,
      () => store.post(notice('checkout.session.completed', store.provider.pay(store.last().id))),
      {
        replay: 'always',
      },
    )
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
    expect([client.asked.length, store.runs(), store.provider.requests.length]).toEqual([1, 1, 1])
  })
})

describe('the same gate twice before a tool', () => {
  it.each(['when-needed', 'always'] as const)('is paid once, replayed %s', async replay => {
    const references: string[] = []
    const gate = payment({
      price,
      checkout({ elicitationId: reference }) {
        references.push(reference)
        return { url: 'https://pay.example', reference }
      },
      verify: reference => ({ reference, status: 'paid', amount: price.amount, currency: price.currency }),
    })
    const server = serve({ publicUrl: 'https://shop.example', identify })
    server.use(gate).tool('print', gate, {}, (_input, ctx) => ctx.var.payment.reference)
    const alice = new Visitor(server, { 'x-user': 'alice' })
    const client = connect(server, {
      replay,
      principal: 'alice',
      async answer(ask) {
        const url = ask.kind === 'url' ? ask.url : ''
        await alice.submit(url)
        await alice.get(url.replace('/beckon/go/', '/beckon/payment/return/'))
        return 'accept'
      },
    })
    expect(textOf(await client.callTool('print'))).toBe(references[0])
    expect([references.length, client.asked.length]).toEqual([1, 1])
  })
})

describe('a price', () => {
  it('can depend on the call, and is asked for once', async () => {
    let asked = 0
    const store = await shop({
      payment: {
        price: ({ subject }) => {
          asked++
          const { pages = 1 } = subject.input as { pages?: number }
          return { amount: pages * 10, currency: 'jpy', description: `${pages} pages` }
        },
      },
    })
    const client = buyer(
      store,
      () => store.post(notice('checkout.session.completed', store.provider.pay(store.last().id))),
      {
        replay: 'always',
      },
    )
    await client.callTool('print', { pages: 7 })
    expect(client.asked[0]?.message).toBe('Pay ¥70 for: 7 pages')
    expect(store.last()).toMatchObject({ amount_total: 70, currency: 'jpy' })
    expect(asked).toBe(1)
  })

  it.each([0, -5, 1.5, Number.NaN])('of %s is none', async amount => {
    const store = await shop({ payment: { price: { ...price, amount } } })
    const client = buyer(store, async () => {})
    expect(await client.callTool('print')).toMatchObject({ isError: true })
    expect(store.provider.requests).toEqual([])
  })
})

describe('payment()', () => {
  it('has a name, words and a time of its own', async () => {
    const clock = new FakeClock()
    const store = await shop({
      server: { clock },
      payment: { name: 'print', message: 'A coin, please.', timeoutMs: 1_000 },
    })
    const links: string[] = []
    const client = connect(store.server, {
      principal: 'alice',
      answer(ask) {
        links.push(ask.kind === 'url' ? ask.url : '')
        clock.advance(1_000)
        return 'decline'
      },
    })
    await client.callTool('print').catch(() => {})
    expect(client.asked[0]?.message).toBe('A coin, please.')
    expect(store.last().success_url).toMatch(/^https:\/\/shop\.example\/beckon\/print\/return\/[\w-]+$/)
    expect(await store.visitor('alice').get(links[0] ?? '')).toMatchObject({ title: 'This link has expired' })
  })

  it('needs a way to know what was paid', async () => {
    const { checkout } = stripe({ secretKey: 'sk' })
    expect(() => payment({ price, checkout })).toThrow('needs `verify`, `webhook`, or both')
  })
})
