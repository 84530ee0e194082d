import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../fake-clock.js'
import { connect, textOf } from '../flows/opened.js'
import { notice } from './little-stripe.js'
import { buyer, shop } from './shop.js'

vi.setConfig({ testTimeout: 60_000 })

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

describe('someone who comes back', () => {
  it.each(['return', 'cancel'])('to a payment that never was (%s) is told so', async what => {
    const { visitor } = await shop()
    const page = await visitor('alice').get(`https://shop.example/beckon/payment/${what}/nobody-made-this`)
    expect(page).toMatchObject({ status: 404, title: 'This link is not valid' })
  })

  it('in two tabs, and by a reload, sees that it was paid, and it counts once', async () => {
    const store = await shop({ webhook: false })
    const client = buyer(store, async who => {
      store.provider.pay(store.last().id)
      const tabs = await Promise.all([1, 2, 3].map(() => who.get(store.last().success_url)))
      tabs.push(await who.get(store.last().success_url))
      for (const tab of tabs)
        expect([tab.status, tab.text]).toEqual([200, expect.stringContaining('The payment has arrived. You can close')])
    })
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
    expect(store.runs()).toBe(1)
  })

  it('while the provider does not say whether it was paid is told to wait, and nothing is granted', async () => {
    const store = await shop()
    const client = buyer(store, async who => {
      store.provider.failWith = 500
      const page = await who.get(store.last().success_url)
      expect(page).toMatchObject({ status: 200, title: 'The payment is being confirmed' })
      store.provider.failWith = undefined
      await who.get(store.last().cancel_url)
    })
    expect(await client.callTool('print')).toMatchObject({ isError: true })
    expect(store.runs()).toBe(0)
  })

  it.each(['too late', 'after it was declined'])(
    'after a payment that was made %s is told so, and it is there for the next call',
    async when => {
      const clock = new FakeClock()
      const store = await shop({ server: { clock } })
      const who = store.visitor('alice')
      const client = connect(store.server, {
        wire: 'push',
        principal: 'alice',
        async answer(ask) {
          if (ask.kind === 'url') await who.submit(ask.url)
          if (when === 'too late') clock.advance(5 * 60_000)
          return 'decline'
        },
      })
      expect(await client.callTool('print')).toMatchObject({ isError: true })
      const unpaid = await who.get(store.last().success_url)
      expect(unpaid.status).toBe(410)
      store.provider.pay('cs_test_1')
      for (let visit = 0; visit < 2; visit++) {
        const page = await who.get(store.last().success_url)
        expect([page.status, page.title, page.text]).toEqual([200, 'Done', expect.stringContaining('a second time')])
      }
      expect(store.runs()).toBe(0)
      expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
      expect(store.runs()).toBe(1)
    },
  )
})
