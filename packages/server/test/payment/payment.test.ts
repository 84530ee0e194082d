import { describe, expect, it, vi } from 'vitest'
import { memoryStore } from '../../src/store/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, textOf } from '../flows/opened.js'
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
        page = (await who.get(last().success_url)).title
      }),
      principal: 'alice',
    })
    const result = await client.callTool('print')
    expect(textOf(result)).toBe('printed cs_test_1')
    expect(page).toBe('This is already done')
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

describe('the page of a payment', () => {
  it('is for who was asked to pay, in the browser that they went on in', async () => {
    const store = await shop()
    const client = buyer(store, async who => {
      for (const [user, url] of [
        ['bob', store.last().success_url],
        ['bob', store.last().cancel_url],
        ['alice', store.last().cancel_url],
      ] as const)
        expect(await store.visitor(user).get(url)).toMatchObject({ status: 403, title: 'This link is not yours' })
      await store.post(notice('checkout.session.completed', store.provider.pay(store.last().id)))
      expect(await who.get(store.last().cancel_url)).toMatchObject({ title: 'This is already done' })
    })
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
  })
})

describe('a provider', () => {
  it('that is down is a clear result', async () => {
    const store = await shop()
    store.provider.failWith = 503
    const client = buyer(store, async () => {})
    expect(textOf(await client.callTool('print'))).toContain(
      'The page could not be prepared: Stripe answered with status 503.',
    )
    expect(client.asked).toEqual([])
  })

  it('that does not say whether an earlier payment came in has nobody pay twice', async () => {
    const clock = new FakeClock()
    const store = await shop({ webhook: false, server: { clock } })
    const asked: string[] = []
    const client = buyer(store, async () => void asked.push(store.last().id), { wire: 'push' })
    const late = client.callTool('print')
    while (asked.length === 0) await new Promise(resolve => setImmediate(resolve))
    store.provider.failWith = 500
    clock.advance(5 * 60_000)
    expect(textOf(await late)).toContain('does not say whether it was paid')
    expect(textOf(await client.callTool('print'))).toContain('does not say whether it was paid')
    store.provider.failWith = undefined
    store.provider.pay('cs_test_1')
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
    expect(store.provider.requests).toHaveLength(1)
  })

  it.each([
    ['javascript:alert(1)', 'refused'],
    ['http://pay.example', 'refused'],
  ])('that leads to %s leads nowhere', async (url, reason) => {
    const store = await shop({ payment: { checkout: () => ({ url, reference: 'r' }) } })
    const client = buyer(store, async () => {})
    expect(textOf(await client.callTool('print'))).toContain(reason)
    expect(client.asked).toEqual([])
  })

  it('that gives one reference twice is not believed', async () => {
    const store = await shop({ payment: { checkout: () => ({ url: 'https://pay.example', reference: 'same' }) } })
    const bob = connect(store.server, { principal: 'bob', answer: ['decline'] })
    await bob.callTool('print')
    const client = buyer(store, async () => {})
    expect(textOf(await client.callTool('print'))).toContain('gave before')
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
