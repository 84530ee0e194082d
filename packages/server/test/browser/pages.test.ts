import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { BeckonServer } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { urlAction } from '../../src/middleware/url-action/url-action.js'
import { createPages, html } from '../../src/pages/index.js'
import { connect, serve, textOf } from '../flows/opened.js'
import { launch, noBrowser, violations } from './chromium.js'

const phone = { width: 360, height: 720 }
const looks = [
  ['light', { width: 1024, height: 768 }],
  ['dark', { width: 1024, height: 768 }],
  ['light', phone],
  ['dark', phone],
] as const

const pictures = process.env.BECKON_TEST_PICTURES

async function look(page: Page, name: string): Promise<void> {
  for (const [colorScheme, size] of looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    expect([name, colorScheme, size.width, await violations(page)]).toEqual([name, colorScheme, size.width, []])
    const scrollsAside = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    expect([name, size.width, scrollsAside]).toEqual([name, size.width, false])
    if (pictures === undefined) continue
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${size.width}.png`) })
  }
}

/** Calls a tool, with a browser for the person. */
async function withBrowser(
  server: BeckonServer,
  tool: string,
  visit: (page: Page, url: string) => Promise<void>,
  javaScriptEnabled = true,
): Promise<string> {
  const context = await (await launch()).newContext({ javaScriptEnabled })
  const client = connect(server, {
    wire: 'rounds',
    replay: 'when-needed',
    answer: async ask => {
      if (ask.kind === 'url') await visit(await context.newPage(), ask.url)
      return 'accept'
    },
  })
  try {
    return textOf(await client.callTool(tool))
  } finally {
    await context.close()
  }
}

const login = credentials({
  message: 'Sign in to the warehouse, so that the stock can be read.',
  schema: z.object({
    username: z.string().min(1).meta({ title: 'User name' }),
    password: z.string().min(1).meta({ title: 'Password' }).describe('The one for the warehouse, not for the shop'),
  }),
  verify: ({ username, password }) => (password === 'correct horse' ? { id: username } : null),
})

describe.skipIf(noBrowser !== undefined)(
  `our pages in Chromium${noBrowser === undefined ? '' : ` (${noBrowser})`}`,
  () => {
    it('the sign-in page can be read, filled in and sent', async () => {
      const server = serve({ name: 'Warehouse' })
      server.tool('stock', login, {}, () => 'in')
      const said = await withBrowser(server, 'stock', async (page, url) => {
        const problems: string[] = []
        page.on('console', message => problems.push(message.text()))
        await page.goto(url)
        await look(page, 'sign-in')
        expect(await page.locator(':focus').getAttribute('autocomplete')).toBe('username')
        await page.getByLabel('User name').fill('ada')
        await page.getByLabel('Password').fill('battery staple')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
        await look(page, 'sign-in-wrong')
        expect(await page.getByLabel('User name').inputValue()).toBe('ada')
        expect(await page.getByLabel('Password').inputValue()).toBe('')
        await page.getByLabel('Password').fill('correct horse')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('heading', { name: 'Done' }).waitFor()
        await look(page, 'done')
        await page.goto(url)
        await page.getByRole('heading', { name: 'This is already done' }).waitFor()
        await page.goto(`${url}x`)
        await look(page, 'unknown')
        // Chromium notes statuses that say no. It would note what the policy keeps out as well.
        expect(problems.filter(text => !text.includes('Failed to load resource'))).toEqual([])
      })
      expect(said).toBe('in')
    }, 120_000)

    it('each can be read in any light and on a phone', async () => {
      const pages = createPages({ name: 'Warehouse' }, 'warehouse', false)
      const going = { message: 'Pay for the report.', csrf: html``, headers: {} }
      const shown: Record<string, Response> = {
        expired: pages.expired(),
        'already-done': pages.alreadyDone(),
        failed: pages.failed(
          'Access was not allowed at id.example. Nothing was granted. Try again where you were asked.',
        ),
        wait: pages.wait('The payment is being confirmed', 'Your request continues once the payment has arrived.'),
        'sign-in-first': pages.signIn(),
        forged: pages.forged(),
        'go-danger': pages.go({ ...going, url: 'https://xn--pple-43d.com/pay' }),
        'go-long': pages.go({ ...going, url: `https://${'checkout.'.repeat(12)}example/pay` }),
        leave: pages.leave('https://pay.example/checkout'),
      }
      const context = await (await launch()).newContext()
      const page = await context.newPage()
      for (const [name, response] of Object.entries(shown)) {
        const body = (await response.text()).replace(/<meta http-equiv="refresh"[^>]+>/, '')
        const headers = Object.fromEntries(response.headers)
        await page.route(`https://warehouse.example/${name}`, route =>
          route.fulfill({ status: response.status, headers, body }),
        )
        await page.goto(`https://warehouse.example/${name}`)
        await look(page, name)
      }
      await context.close()
    }, 180_000)

    it('have a label, a hint and what is wrong for every kind of field', async () => {
      const server = serve({ name: 'Warehouse' })
      const schema = z.object({
        username: z.string().min(3),
        password: z.string().min(1),
        apiKey: z.string().describe('From your settings page').optional(),
        otp: z.string().optional(),
        age: z.int().min(18),
        region: z.enum(['eu', 'us']).default('eu'),
        teams: z.array(z.enum(['Stock', 'Returns'])),
        stay: z.boolean().meta({ title: 'Stay signed in' }),
      })
      server.tool('stock', credentials({ message: 'Sign in.', schema, verify: () => true }), {}, () => 'in')
      const said = await withBrowser(server, 'stock', async (page, url) => {
        await page.goto(url)
        await look(page, 'every-field')
        for (const label of [
          'User name',
          'Password',
          'API key (optional)',
          'One-time code (optional)',
          'Age',
          'Region',
        ])
          expect([label, await page.getByLabel(label, { exact: true }).count()]).toEqual([label, 1])
        await page.getByLabel('User name').fill('ad')
        await page.getByLabel('Password').fill('correct horse')
        await page.getByLabel('Age').fill('17')
        await page.getByRole('button').click()
        await page.locator('[aria-invalid=true]').first().waitFor()
        expect(await page.locator('[aria-invalid=true]').count()).toBe(2)
        await look(page, 'every-field-wrong')
        await page.getByLabel('User name').fill('ada')
        await page.getByLabel('Password').fill('correct horse')
        await page.getByLabel('Age').fill('36')
        await page.getByRole('button').click()
        await page.getByRole('heading', { name: 'Done' }).waitFor()
      })
      expect(said).toBe('in')
    }, 180_000)

    it('work without script', async () => {
      const server = serve()
      server.tool('stock', login, {}, () => 'in')
      const said = await withBrowser(
        server,
        'stock',
        async (page, url) => {
          await page.goto(url)
          await page.getByLabel('User name').fill('ada')
          await page.getByLabel('Password').fill('correct horse')
          await page.getByRole('button', { name: 'Sign in' }).click()
          await page.getByRole('heading', { name: 'Done' }).waitFor()
        },
        false,
      )
      expect(said).toBe('in')
    }, 120_000)

    it('the page in between names the host, leads there, and another browser has no use for it', async () => {
      const server = serve({ brand: { name: 'Ada & Sons', accent: '#ffe100' } })
      let link = ''
      let arrived = ''
      server.tool(
        'publish',
        urlAction({
          message: 'Sign the contract, then come back.',
          url: ({ elicitationId }) => `https://sign.example/start?id=${elicitationId}`,
        }),
        {},
        () => 'published',
      )
      const other = await (await launch()).newContext()
      const said = await withBrowser(server, 'publish', async (page, url) => {
        link = url
        await page.route('https://sign.example/**', async route => {
          const id = new URL(route.request().url()).searchParams.get('id') ?? ''
          arrived = JSON.stringify(await route.request().allHeaders())
          await server.completeElicitation(id)
          await route.fulfill({ contentType: 'text/html', body: '<title>Signed</title>' })
        })
        await page.goto(url)
        await look(page, 'go')
        await page.getByRole('button', { name: 'Continue to sign.example' }).click()
        await page.waitForURL('https://sign.example/**')
        expect(await page.title()).toBe('Signed')
        const second = await other.newPage()
        await second.goto(url)
        await second.getByRole('heading', { name: 'This link is not yours' }).waitFor()
        await look(second, 'not-yours')
      })
      await other.close()
      expect(said).toBe('published')
      expect(arrived).not.toContain(new URL(link).host)
    }, 120_000)
  },
)
