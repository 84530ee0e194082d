// The inbox and one ask in a React, a Vue and a plain page of somebody else's, each built by Vite and used in a real Chromium.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { bearerAccess, createDesk } from '@beckon/desk'
import { chromium } from 'playwright-core'
import { buildPages } from './build-pages.js'
import { servePages } from './serve-pages.js'

const executablePath = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'
const token = 'a-token-of-ada-that-is-long-enough'
const inADay = () => Date.now() + 24 * 60 * 60 * 1000

if (!existsSync(executablePath)) console.log('elements: skipped, since there is no Chromium')
else await visitPages()

async function visitPages(): Promise<void> {
  const built = await buildPages()
  const pages = await servePages(built.folder, { token, desk: () => url })
  const desk = createDesk({
    access: bearerAccess({ tokens: { [token]: { principal: 'ada' } } }),
    allowedOrigins: [pages.origin],
  })
  const { url } = await desk.listen()
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  try {
    for (const kind of ['react', 'vue', 'plain']) {
      const open = (id: string, message: string) =>
        desk.open({ server: 'shop', call: `${kind}-${id}`, tool: 'refund' }, { id, message }, { expiresAt: inADay() })
      const one = await open('one', 'Refund this one?')
      const other = await open('other', 'Refund the other?')
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
      page.setDefaultTimeout(60_000)
      const query = new URLSearchParams({
        desk: `${url.replace(/^http/, 'ws')}live`,
        session: `call-${kind}-one`,
        request: `${kind}-one.one`,
      })
      await page.goto(`${pages.origin}/${kind}.html?${query}`)
      await page.locator('main > beckon-request, #app > beckon-request').getByRole('button', { name: 'Accept' }).click()
      assert.deepEqual((await one.outcome()).action, 'accept')
      await page.locator('beckon-inbox beckon-ask-list .row', { hasText: 'Refund the other?' }).click()
      await page.locator('beckon-inbox').getByRole('button', { name: 'Decline', exact: true }).click()
      assert.deepEqual((await other.outcome()).action, 'decline')
      await page.locator('output', { hasText: 'request: accept, inbox: decline' }).waitFor()
      await page.context().close()
      console.log(`elements: ok (${kind})`)
    }
  } finally {
    await browser.close()
    await desk.close()
    pages.close()
    await built.remove()
  }
}
