// A person with a device, at our own page: Chromium with a virtual authenticator, and the command that checks what was signed.
import { type AddressInfo, createServer as createTcp } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type BeckonServer, createServer } from '../../src/index.js'
import { passkeys } from '../../src/passkeys/index.js'
import { receipts, verifyReceipt } from '../../src/receipts/index.js'
import { createTestClient, type TestClient } from '../../src/test/index.js'
import { launch, noBrowser, violations } from './chromium.js'

const patienceMs = 120_000

async function freePort(): Promise<number> {
  const server = createTcp()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

describe.skipIf(noBrowser !== undefined)('a passkey on our own page', { timeout: patienceMs }, () => {
  let browser: Browser
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    browser = await launch()
  }, patienceMs)
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  async function start(withoutPasskey: 'enrol' | 'refuse' = 'enrol') {
    const port = await freePort()
    const url = `http://localhost:${port}`
    const server: BeckonServer = createServer({
      name: 'bank',
      version: '1.0.0',
      publicUrl: url,
      identify: request => /\bas=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1],
      passkeys: passkeys({ withoutPasskey }),
    })
    server.tool(
      'pay',
      { input: z.object({ to: z.string() }), annotations: { destructive: true } },
      async ({ to }, ctx) => ctx.json(await ctx.confirm.outcome({ question: `Pay 5 to ${to}?`, person: 'verified' })),
    )
    server.tool('send', {}, async (_input, ctx) =>
      ctx.json(
        await ctx.elicit.form('Send money', z.object({ amount: z.number(), to: z.string() }), { person: 'verified' }),
      ),
    )
    await server.listen({ port })
    closing.push(() => server.close())
    return { server, url }
  }

  /** Someone with a browser, and a device that verifies that it is them, or does not. */
  async function person(
    url: string,
    as: string,
    isUserVerified = true,
  ): Promise<{ page: Page; context: BrowserContext }> {
    const context = await browser.newContext()
    closing.push(() => context.close())
    await context.addCookies([{ name: 'as', value: as, url }])
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        automaticPresenceSimulation: true,
      },
    })
    return { page, context }
  }

  const heading = (page: Page, text: string) => page.getByRole('heading', { name: text }).waitFor()
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

  function calling(server: BeckonServer, act: (link: string) => Promise<void>, as = 'ana'): TestClient {
    const client = createTestClient(server, {
      wire: 'rounds',
      principal: as,
      async answer(ask) {
        // Whatever the client could show by itself, it is sent to a page.
        expect(ask.kind).toBe('url')
        await act(ask.kind === 'url' ? ask.url : '')
        return 'accept'
      },
    })
    closing.push(() => client.close())
    return client
  }

  it('is made first, then confirms, and what came of it is signed', async () => {
    const { server, url } = await start()
    const { page } = await person(url, 'ana')
    const client = calling(server, async link => {
      await page.goto(link)
      await heading(page, 'Create a passkey first')
      await press(page, 'Create a passkey')
      await heading(page, 'Confirm with your passkey')
      expect(await page.locator('.message').textContent()).toBe('Pay 5 to ben?')
      expect(await page.locator('pre').textContent()).toContain('"ben"')
      expect(await violations(page)).toEqual([])
      await press(page, 'Confirm with passkey')
      await heading(page, 'Done')
    })
    const result = await client.callTool('pay', { to: 'ben' })
    const { receipt, ...outcome } = result.structuredContent as { receipt: string }
    expect(outcome).toEqual({ action: 'accept', by: [{ principal: 'ana' }] })
    expect(result._meta).toEqual({ 'beckon/receipts': [receipt] })
    const jwks = await (await fetch(`${url}/beckon/receipts/jwks.json`)).json()
    expect(jwks).toEqual(await server.receiptKeys())
    expect(await verifyReceipt(receipt, jwks)).toMatchObject({
      isValid: true,
      receipt: { iss: url, server: 'bank', tool: 'pay', where: 'page', by: [{ principal: 'ana', method: 'passkey' }] },
    })
    expect(await server.passkeys.of('ana')).toHaveLength(1)
  })

  it('confirms a form as it was filled in, and not as somebody changed it afterwards', async () => {
    const { server, url } = await start()
    const { page } = await person(url, 'ana')
    const client = calling(server, async link => {
      await page.goto(`${url}/beckon/passkeys/mine`)
      await press(page, 'Add a passkey')
      await page.getByText('Added 2').waitFor()
      await page.goto(link)
      await page.getByLabel('Amount').fill('5')
      await page.getByLabel('To').fill('ben')
      await press(page, 'Continue')
      await heading(page, 'Confirm with your passkey')
      // A changed amount, behind the person's back.
      await page.locator('input[name=content]').evaluate(input => {
        ;(input as HTMLInputElement).value = JSON.stringify({ amount: 500, to: 'cem' })
      })
      await press(page, 'Confirm with passkey')
      await page.getByText('was for something else').waitFor()
      await page.goto(link)
      await page.getByLabel('Amount').fill('5')
      await page.getByLabel('To').fill('ben')
      await press(page, 'Continue')
      await press(page, 'Confirm with passkey')
      await heading(page, 'Done')
    })
    const result = await client.callTool('send')
    expect(result.structuredContent).toMatchObject({
      action: 'accept',
      content: { amount: 5, to: 'ben' },
      receipt: expect.any(String),
    })
    // What was typed could be found by trying: it goes to the tool, and not to the client by itself.
    expect(result._meta).toBeUndefined()
  })

  it('is of no use to somebody else, nor twice', async () => {
    const { server, url } = await start()
    const [ana, ben] = [await person(url, 'ana'), await person(url, 'ben')]
    const client = calling(server, async link => {
      await ben.page.goto(link)
      await heading(ben.page, 'This link is not yours')
      await ana.page.goto(link)
      await press(ana.page, 'Create a passkey')
      await heading(ana.page, 'Confirm with your passkey')
      const sent = ana.page.waitForRequest(request => request.method() === 'POST')
      await press(ana.page, 'Confirm with passkey')
      const body = (await sent).postData() ?? ''
      await heading(ana.page, 'Done')
      const again = await ana.context.request.post(link, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        data: body,
      })
      expect(again.status()).toBe(410)
    })
    expect((await client.callTool('pay', { to: 'ben' })).structuredContent).toMatchObject({ action: 'accept' })
  })

  it('does not count from a device that does not verify that it is them', async () => {
    const { server, url } = await start()
    const { page } = await person(url, 'ana', false)
    const client = calling(server, async link => {
      await page.goto(link)
      await press(page, 'Create a passkey')
      await page.getByText('That was not confirmed.').waitFor()
      await press(page, 'Decline')
      await heading(page, 'Done')
    })
    expect((await client.callTool('pay', { to: 'ben' })).structuredContent).toEqual({
      action: 'decline',
      by: [{ principal: 'ana' }],
    })
    expect(await server.passkeys.of('ana')).toEqual([])
  })

  it('is removed by its person with their device, and by nobody with their session alone', async () => {
    const { server, url } = await start()
    const [ana, thief] = [await person(url, 'ana'), await person(url, 'ana')]
    await ana.page.goto(`${url}/beckon/passkeys/mine`)
    await ana.page.getByLabel('Name').fill('Laptop')
    await press(ana.page, 'Add a passkey')
    await heading(ana.page, 'Laptop')
    expect(await violations(ana.page)).toEqual([])
    await thief.page.goto(`${url}/beckon/passkeys/mine`)
    await press(thief.page, 'Remove Laptop')
    await thief.page.getByText('That was not confirmed.').waitFor()
    // Nor with a form that has no word of a device in it.
    await thief.page
      .locator('form[data-passkey]')
      .first()
      .evaluate(form => {
        const { elements } = form as HTMLFormElement
        const [removal] = [...form.querySelectorAll('button')]
        ;(elements.namedItem('do') as HTMLInputElement).value = removal?.value ?? ''
        ;(form as HTMLFormElement).submit()
      })
    await thief.page.getByRole('alert').getByText('The passkey could not be checked.').waitFor()
    expect(await server.passkeys.of('ana')).toMatchObject([{ name: 'Laptop' }])
    await press(ana.page, 'Remove Laptop')
    await ana.page.getByText('You have none here yet.').waitFor()
    expect(await server.passkeys.of('ana')).toEqual([])
  })

  it('is wanted from the beginning where the author says so, and an admin helps whoever lost theirs', async () => {
    const { server, url } = await start('refuse')
    const { page } = await person(url, 'ana')
    const refused = calling(server, async link => {
      await page.goto(link)
      await page.getByText('you have none here').waitFor()
    })
    expect((await refused.callTool('pay', { to: 'ben' })).structuredContent).toMatchObject({ action: 'cancel' })
    await page.goto(`${url}/beckon/passkeys/mine`)
    await page.getByLabel('Name').fill('Laptop')
    await press(page, 'Add a passkey')
    await page.getByRole('heading', { name: 'Laptop' }).waitFor()
    expect(await server.passkeys.removeAll('ana')).toBe(1)
    await page.reload()
    await page.getByText('You have none here yet.').waitFor()
  })
})

describe('a server', () => {
  it('that has no passkeys and no desk asks nobody, and never takes a form for it', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('pay', { person: 'verified' }, async (_input, ctx) => ctx.json(await ctx.confirm.outcome('Pay?')))
    const client = createTestClient(server, { answer: () => 'accept' })
    expect((await client.callTool('pay')).structuredContent).toEqual({ action: 'cancel', why: 'no-capability' })
    await client.close()
    await server.close()
  })

  it('with passkeys has to know people', () => {
    expect(() => createServer({ name: 's', version: '1.0.0', passkeys: passkeys() })).toThrow('identify')
  })

  it.each(['push', 'rounds', 'tasks'] as const)(
    'signs every answer on %s where it is told to, once over replays',
    async wire => {
      const server = createServer({ name: 's', version: '1.0.0', receipts: receipts() })
      server.tool('pay', { task: 'optional' }, async (_input, ctx) => {
        const first = await ctx.confirm.outcome('Pay?')
        const second = await ctx.elicit.form('How much?', z.object({ amount: z.number() }))
        return ctx.json({ receipts: [first.receipt, second.receipt] })
      })
      const client = createTestClient(server, {
        wire,
        principal: 'ana',
        replay: 'always',
        answer: ask => (ask.kind === 'form' ? { amount: 5 } : 'accept'),
      })
      const { structuredContent, _meta } = await client.callTool('pay')
      const [confirmed = '', typed = ''] = (structuredContent as { receipts: string[] }).receipts
      const jwks = await server.receiptKeys()
      for (const jws of [confirmed, typed])
        expect(await verifyReceipt(jws, jwks)).toMatchObject({
          receipt: { iss: 's', tool: 'pay', where: 'client', by: [{ principal: 'ana', method: 'click' }] },
        })
      expect(_meta).toEqual({ 'beckon/receipts': [confirmed] })
      await client.close()
      await server.close()
    },
  )
})
