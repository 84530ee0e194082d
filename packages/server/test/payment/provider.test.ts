import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { stripe } from '../../src/middleware/payment/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, textOf } from '../flows/opened.js'
import { notice, secretKey, webhookSecret } from './little-stripe.js'
import { buyer, shop } from './shop.js'

vi.setConfig({ testTimeout: 60_000 })

describe('a provider', () => {
  it.each([
    ['is too slow', () => new Promise(() => {}), 50],
    ['is not there', () => Promise.resolve(), 600_000],
  ])('that %s is a clear result, and nobody is asked', async (_how, wait, answerMs) => {
    const http = createServer(async (request, response) => {
      await wait()
      response.destroy()
      request.destroy()
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const apiUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    try {
      const store = await shop({ payment: stripe({ secretKey: 'sk', apiUrl, answerMs }) })
      const client = buyer(store, async () => {})
      expect(textOf(await client.callTool('print'))).toBe(
        'The page could not be prepared: Stripe could not be reached. Nothing was done.',
      )
      expect(client.asked).toEqual([])
    } finally {
      http.closeAllConnections()
      http.close()
    }
  })

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

describe('stripe', () => {
  it.each([
    ['as old as it may be', 600, 204],
    ['older than that', 601, 400],
  ])('takes a notice that is %s', async (_how, seconds, status) => {
    const now = 1_700_000_000_000
    const taking = stripe({ secretKey, webhookSecret, toleranceMs: 600_000, now: () => now })
    const store = await shop({ payment: taking })
    const told = notice('checkout.session.completed', { id: 'cs' }, { at: now - seconds * 1000 })
    expect((await store.post(told)).status).toBe(status)
  })

  it('has keys', () => {
    expect(() => stripe({ secretKey: '' })).toThrow('must not be empty')
    expect(() => stripe({ secretKey, webhookSecret: '' })).toThrow('must not be empty')
  })
})
