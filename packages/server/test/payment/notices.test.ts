import { describe, expect, it, vi } from 'vitest'
import { textOf } from '../flows/opened.js'
import { notice } from './little-stripe.js'
import { buyer, shop } from './shop.js'

vi.setConfig({ testTimeout: 60_000 })

describe('a notice', () => {
  it.each([
    'that nobody signed',
    'signed with another secret',
    'whose body was changed',
    'that is old',
    'from the future',
    'with a signature of an older scheme',
  ])('%s is refused', async name => {
    const store = await shop()
    const client = buyer(store, async who => {
      const paid = { ...store.last(), payment_status: 'paid', status: 'complete' } as const
      const forged = await forge(name, paid)
      const response = await store.post(forged)
      expect(response.status).toBe(400)
      await who.get(store.last().cancel_url)
    })
    expect(await client.callTool('print')).toMatchObject({ isError: true })
    expect(store.runs()).toBe(0)
  })

  it('that comes twice, or after something else, changes nothing', async () => {
    const store = await shop()
    const { post, provider } = store
    const send = async (type: string, change = {}) => (await post(notice(type, { ...store.last(), ...change }))).status
    const client = buyer(store, async () => {
      // Not paid yet, then paid, then everything again and out of order.
      expect(await send('checkout.session.completed')).toBe(204)
      provider.pay(store.last().id)
      expect(await send('checkout.session.async_payment_succeeded')).toBe(204)
      expect(await send('checkout.session.async_payment_succeeded')).toBe(204)
      expect(await send('checkout.session.expired', { status: 'expired', payment_status: 'unpaid' })).toBe(204)
      expect(await send('checkout.session.async_payment_failed', { payment_status: 'unpaid' })).toBe(204)
    })
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
    expect(await send('checkout.session.completed')).toBe(204)
    const again = buyer(store, who => who.get(store.last().cancel_url))
    expect(await again.callTool('print')).toMatchObject({ isError: true })
    expect(store.runs()).toBe(1)
  })

  it('that a payment failed ends the call', async () => {
    const store = await shop()
    const client = buyer(store, () => store.post(notice('checkout.session.async_payment_failed', { ...store.last() })))
    expect(textOf(await client.callTool('print'))).toContain('did not go through')
  })

  it('about something else, or about nobody’s payment, does nothing', async () => {
    const { post } = await shop()
    expect((await post(notice('invoice.paid', {}))).status).toBe(204)
    expect(
      (await post(notice('checkout.session.completed', { id: 'cs_unknown', payment_status: 'paid' }))).status,
    ).toBe(204)
  })
})

async function forge(how: string, paid: object): Promise<Request> {
  const type = 'checkout.session.completed'
  const good = notice(type, paid)
  const body = await good.clone().text()
  const change = (headers: Record<string, string>, text = body) =>
    new Request(good.url, { method: 'POST', headers: { ...Object.fromEntries(good.headers), ...headers }, body: text })
  switch (how) {
    case 'that nobody signed':
      return change({ 'stripe-signature': '' })
    case 'signed with another secret':
      return notice(type, paid, { secret: 'whsec_of-somebody-else' })
    case 'whose body was changed':
      return change({}, body.replace('cs_test_1', 'cs_test_2'))
    case 'that is old':
      return notice(type, paid, { at: Date.now() - 3_600_000 })
    case 'from the future':
      return notice(type, paid, { at: Date.now() + 3_600_000 })
    default:
      return change({ 'stripe-signature': (good.headers.get('stripe-signature') ?? '').replace('v1=', 'v0=') })
  }
}
