import { describe, expect, it } from 'vitest'
import { payment, stripe } from '../../src/middleware/payment/index.js'
import { launch, noBrowser, violations } from '../browser/chromium.js'
import { connect, serve, textOf } from '../flows/opened.js'
import { opening } from '../flows/wires.js'
import { identify } from '../oauth/signed-in.js'
import { littleStripe, secretKey, webhookSecret } from './little-stripe.js'

const title = `a payment in Chromium${noBrowser === undefined ? '' : ` (${noBrowser})`}`

describe.skipIf(noBrowser !== undefined)(title, { timeout: 120_000 }, () => {
  async function shop(webhook = true) {
    const provider = await littleStripe()
    const server = serve({ identify })
    const { url } = await server.listen({ port: 0 })
    const base = new URL(url).origin
    const price = { amount: 1250, currency: 'EUR', description: 'A printed report' }
    const paid = payment({ price, ...stripe({ secretKey, apiUrl: provider.url, ...(webhook && { webhookSecret }) }) })
    server.tool('print', paid, {}, (_input, ctx) => `printed ${ctx.var.payment.reference}`)
    // To where it was registered, as the provider does.
    provider.deliver = notice => fetch(new Request(notice.url.replace('https://shop.example', base), notice))
    const browser = async (user: string) => {
      const context = await (await launch()).newContext()
      await context.addCookies([{ name: 'user', value: user, url: base }])
      return context
    }
    return { server, provider, base, browser }
  }

  it.each([
    ['the webhook', true],
    ['the way back', false],
  ])('is made at the provider, and settled by %s', async (_how, webhook) => {
    const { server, browser, provider } = await shop(webhook)
    const context = await browser('alice')
    const client = connect(server, {
      ...opening('rounds', async url => {
        const page = await context.newPage()
        await page.goto(url)
        expect(await page.textContent('main')).toContain(new URL(provider.url).hostname)
        expect(await violations(page)).toEqual([])
        await page.getByRole('button').click()
        await page.getByRole('button', { name: 'Pay' }).click()
        await page.waitForURL(/\/beckon\/payment\/return\//)
        expect(await page.getByRole('heading').innerText()).toBe('Done')
        expect(await page.getByText('The payment has arrived').count()).toBe(1)
        expect(await violations(page)).toEqual([])
      }),
      principal: 'alice',
    })
    expect(textOf(await client.callTool('print'))).toBe('printed cs_test_1')
    await context.close()
  })

  it('that the person turns away from says so to both', async () => {
    const { server, browser } = await shop()
    const context = await browser('alice')
    const client = connect(server, {
      ...opening('rounds', async url => {
        const page = await context.newPage()
        await page.goto(url)
        await page.getByRole('button').click()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.waitForURL(/\/beckon\/payment\/cancel\//)
        expect(await page.getByText('You did not pay').count()).toBe(1)
      }),
      principal: 'alice',
    })
    expect(textOf(await client.callTool('print'))).toBe('The person did not pay. Nothing was done.')
    await context.close()
  })

  it('is nothing that one person makes another one pay', async () => {
    // Bob wants Alice to pay for his report.
    const { server, browser, provider } = await shop()
    const alices = await browser('alice')
    const bob = connect(server, {
      principal: 'bob',
      async answer(ask) {
        const page = await alices.newPage()
        await page.goto(ask.kind === 'url' ? ask.url : '')
        expect(await page.getByRole('heading').innerText()).toBe('This link is not yours')
        return 'decline'
      },
    })
    expect(await bob.callTool('print')).toMatchObject({ isError: true })
    expect([...provider.checkouts.values()].map(({ payment_status }) => payment_status)).toEqual(['unpaid'])
    await alices.close()
  })
})
