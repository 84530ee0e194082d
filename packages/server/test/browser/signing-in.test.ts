// A real browser, a real provider, and a link that somebody who is not signed in opens.
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createServer } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { oidc } from '../../src/sign-in/oidc.js'
import { createTestClient } from '../../src/test/index.js'
import { identityProvider } from '../auth/identity-provider.js'
import { launch, noBrowser } from './chromium.js'

const client = { client_id: 'pages', client_secret: 'a secret of the pages' }

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
}

describe.skipIf(noBrowser !== undefined)('a link to a page that is for one person', { timeout: 60_000 }, () => {
  async function setUp() {
    const idp = await identityProvider()
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      auth: { issuer: idp.issuer },
      signIn: oidc({ clientId: client.client_id, clientSecret: client.client_secret }),
    })
    onTestFinished(() => server.close())
    const gate = credentials({
      message: 'Your customer number, please.',
      schema: z.object({ number: z.string() }),
      verify: ({ number }) => ({ id: number }),
    })
    server.tool('orders', gate, {}, (_input, ctx) => `Orders of ${ctx.principal}`)
    const base = new URL((await server.listen({ port: 0 })).url).origin
    idp.knows({ ...client, redirect_uris: [`${base}/beckon/sign-in/callback`] })
    const context = await (await launch()).newContext()
    onTestFinished(() => context.close())
    async function call(visit: (page: Page, link: string) => Promise<'accept' | 'decline'>): Promise<string> {
      const testClient = createTestClient(server, {
        principal: `${idp.issuer}#alice`,
        answer: async ask => (ask.kind === 'url' ? visit(await context.newPage(), ask.url) : 'decline'),
      })
      return (await testClient.callTool('orders')).content[0]?.text ?? ''
    }
    return { idp, context, call }
  }

  it('leads to the provider, and back to that very page', async () => {
    const { idp, call } = await setUp()
    const told = await call(async (page, link) => {
      await page.goto(link)
      expect(new URL(page.url()).origin).toBe(idp.issuer)
      await signIn(page, 'alice')
      await page.getByText('Your customer number, please.').waitFor()
      expect(page.url()).toBe(link)
      await page.getByLabel('number').fill('7')
      await page.getByRole('button').click()
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      return 'accept'
    })
    expect(told).toBe(`Orders of ${idp.issuer}#alice`)
  })

  it('does so too for somebody whose session ended while they typed', async () => {
    const { idp, context, call } = await setUp()
    const told = await call(async (page, link) => {
      await page.goto(link)
      await signIn(page, 'alice')
      await page.getByLabel('number').fill('7')
      await context.clearCookies({ name: /page-/ })
      await page.getByRole('button').click()
      // The address is the same before and after: the page that came back has nothing in it.
      await expect.poll(() => page.getByLabel('number').inputValue(), { timeout: 30_000 }).toBe('')
      expect(page.url()).toBe(link)
      await page.getByLabel('number').fill('8')
      await page.getByRole('button').click()
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      return 'accept'
    })
    expect(told).toBe(`Orders of ${idp.issuer}#alice`)
  })

  it('is not for somebody else, who signs in as themselves', async () => {
    const { call } = await setUp()
    await call(async (page, link) => {
      await page.goto(link)
      await signIn(page, 'bob')
      await page.getByRole('heading', { name: 'This link is not yours' }).waitFor()
      return 'decline'
    })
  })
})
