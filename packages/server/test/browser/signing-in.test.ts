// A real browser, a real provider, and a link that somebody who is not signed in opens.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { file, files } from '../../src/files/index.js'
import { createServer } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { oidc } from '../../src/sign-in/oidc.js'
import { createTestClient } from '../../src/test/index.js'
import { identityProvider } from '../auth/identity-provider.js'
import { launch, noBrowser, violations } from './chromium.js'

const client = { client_id: 'pages', client_secret: 'a secret of the pages' }

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
}

describe.skipIf(noBrowser !== undefined)('a link to a page that is for one person', { timeout: 60_000 }, () => {
  async function setUp() {
    const idp = await identityProvider()
    const folder = await mkdtemp(join(tmpdir(), 'beckon-files-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      auth: { issuer: idp.issuer },
      signIn: oidc({ clientId: client.client_id, clientSecret: client.client_secret }),
      files: files({ to: folder }),
    })
    onTestFinished(() => server.close())
    const gate = credentials({
      message: 'Your customer number, please.',
      schema: z.object({ number: z.string() }),
      verify: ({ number }) => ({ id: number }),
    })
    server.tool('claim', {}, async (_input, ctx) => {
      const report = await ctx.elicit({ question: 'The report, please.', schema: file({ maxBytes: 1_000 }) })
      return report === null ? 'nothing' : `${report.name} of ${ctx.principal}: ${report.size} bytes, ${report.type}`
    })
    server.tool('orders', gate, {}, (_input, ctx) => `Orders of ${ctx.principal}`)
    const base = new URL((await server.listen({ port: 0 })).url).origin
    idp.knows({ ...client, redirect_uris: [`${base}/beckon/sign-in/callback`] })
    const context = await (await launch()).newContext()
    onTestFinished(() => context.close())
    async function call(
      visit: (page: Page, link: string) => Promise<'accept' | 'decline'>,
      tool = 'orders',
    ): Promise<string> {
      const testClient = createTestClient(server, {
        principal: `${idp.issuer}#alice`,
        answer: async ask => (ask.kind === 'url' ? visit(await context.newPage(), ask.url) : 'decline'),
      })
      return (await testClient.callTool(tool)).content[0]?.text ?? ''
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

  it('has them upload a file as themselves', async () => {
    const { idp, call } = await setUp()
    const told = await call(async (page, link) => {
      const complaints: string[] = []
      page.on('console', message => /Security Policy/.test(message.text()) && complaints.push(message.text()))
      await page.goto(link)
      await signIn(page, 'alice')
      await page.getByText('The report, please.').waitFor()
      const control = page.getByLabel('file')
      await control.setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(2_000) })
      await page.getByText('The file is too large: at most 1000 bytes are taken.').waitFor()
      await control.setInputFiles({ name: '<b>first</b>.txt', mimeType: 'text/plain', buffer: Buffer.from('first') })
      await page.getByText('5 bytes, text/plain').waitFor()
      await control.setInputFiles({ name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('the report') })
      await page.getByText('10 bytes, text/plain').waitFor()
      expect(await page.locator('.files li').count()).toBe(1)
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      expect(complaints).toEqual([])
      return 'accept'
    }, 'claim')
    expect(told).toBe(`report.txt of ${idp.issuer}#alice: 10 bytes, text/plain`)
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
