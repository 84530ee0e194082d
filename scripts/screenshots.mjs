// `node scripts/screenshots.mjs`: a real desk with asks of every kind, and what its inbox looks like, in
// docs/screenshots. `node scripts/screenshots.mjs <folder>` writes elsewhere.

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { ensureBuilt } from './build.mjs'
import { root } from './run.mjs'
import { askEverything, askInThePast } from './screenshot-asks.mjs'

/** @typedef {import('playwright-core').Page} Page */

const folder = resolve(process.argv[2] ?? join(root, 'docs/screenshots'))
const executablePath = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'

if (!existsSync(executablePath)) {
  console.error('There is no Chromium here. Say where it is with BECKON_TEST_CHROMIUM.')
  process.exit(1)
}
if (!(await ensureBuilt())) process.exit(1)
await mkdir(folder, { recursive: true })

const { createDesk } = await import('@beckon/desk')
const { systemClock } = await import('beckon')

// Whoever a cookie says, and a clock that can be set back: so a day of history takes a second.
let behindMs = 0
/** @type {import('@beckon/desk').Access} */
const access = {
  loopbackOnly: true,
  async authenticate(request) {
    const principal = /\bas=(\w+)/.exec(request.header('cookie') ?? '')?.[1]
    return principal === undefined ? undefined : { principal, device: 'browser' }
  },
  async handle() {
    return undefined
  },
}
const clock = { ...systemClock, now: () => Date.now() - behindMs }
const desk = createDesk({ access, clock, tryIt() {} })
const { url } = await desk.listen({ port: 0 })

const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--lang=en-GB'],
})
const desktop = { viewport: { width: 1200, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const views = /** @type {const} */ ([
  { name: 'light', colorScheme: 'light', ...desktop },
  { name: 'dark', colorScheme: 'dark', ...desktop },
  { name: 'phone', colorScheme: 'light', ...phone },
])

const day = {
  setBack(/** @type {number} */ agoMs) {
    behindMs = agoMs
  },
  async put(/** @type {string} */ ask) {
    while (!(await call('ana', `/api/asks/${ask}`)).ok);
  },
  async end(
    /** @type {string} */ as,
    /** @type {string} */ ask,
    /** @type {'answer' | 'decline' | 'cancel'} */ how,
    /** @type {string | undefined} */ reason,
  ) {
    const body = JSON.stringify(reason === undefined ? {} : { reason })
    const response = await call(as, `/api/asks/${ask}/${how}`, { method: 'POST', body })
    if (!response.ok) throw new Error(`${ask} could not be ended: ${await response.text()}`)
  },
}
await takeAll('empty', async () => {})
await askInThePast(desk, day)
const asked = await askEverything(desk, day)
await takeAll('list', async page => {
  await page.locator('beckon-ask-list .row').first().waitFor()
})
for (const [name, words] of Object.entries(asked)) {
  await takeAll(name, async page => {
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    // A form is seen as a whole.
    const more = { form: 700, choices: 450 }[name] ?? 0
    await page.setViewportSize({ width, height: height + more })
    await page.locator('beckon-ask-list .row', { hasText: words }).first().click()
    await page.locator('beckon-request article').waitFor()
    await page.mouse.move(width - 1, 1)
  })
}
await takeAll('history', async page => {
  await page.getByRole('tab', { name: 'History' }).click()
  const row = page.locator('beckon-ask-list .row', { hasText: 'rollback' })
  if ((page.viewportSize()?.width ?? 0) > 700) await row.first().click()
  else await row.first().waitFor()
})
await browser.close()
await desk.close()

/**
 * A picture in every view. Each gets a page of its own, as someone who opens it would.
 * @param {string} name
 * @param {(page: Page) => Promise<void>} prepare
 */
async function takeAll(name, prepare) {
  for (const { name: view, ...options } of views) {
    const context = await browser.newContext({ ...options, locale: 'en-GB', timezoneId: 'Europe/Berlin' })
    await context.addCookies([{ name: 'as', value: 'ana', url }])
    const page = await context.newPage()
    page.on('console', message => console.error(`${name} ${view}: ${message.text()}`))
    await page.goto(url)
    await page.locator('beckon-inbox .body > *').first().waitFor({ state: 'attached' })
    await prepare(page)
    await page.screenshot({ path: join(folder, `${name}-${view}.png`), animations: 'disabled' })
    await context.close()
  }
  console.log(name)
}

/**
 * Calls the desk as someone.
 * @param {string} as
 * @param {string} path
 * @param {RequestInit} [init]
 */
function call(as, path, init = {}) {
  const { origin } = new URL(url)
  const headers = { cookie: `as=${as}`, origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  return fetch(new URL(path, url), { ...init, headers })
}
