// `node scripts/screenshots.mjs`: a real desk with asks of every kind, and what its inbox looks like, in
// docs/screenshots. `node scripts/screenshots.mjs <folder>` writes elsewhere.

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { ensureBuilt } from './build.mjs'
import { root } from './run.mjs'

/** @typedef {import('playwright-core').Page} Page */

const folder = resolve(process.argv[2] ?? join(root, 'docs/screenshots'))
const executablePath = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'
const hour = 3_600_000

if (!existsSync(executablePath)) {
  console.error('There is no Chromium here. Say where it is with BECKON_TEST_CHROMIUM.')
  process.exit(1)
}
if (!(await ensureBuilt())) process.exit(1)
await mkdir(folder, { recursive: true })

const { createDesk } = await import('@beckon/desk')
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
})
const views = /** @type {const} */ ([
  { name: 'light', colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1200, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
])

const desk = createDesk({ tryIt() {} })
const { link } = await desk.listen()
const storageState = await signIn(link)

await takeAll('empty', async () => {})
const asked = await askEverything()
await takeAll('list', async page => {
  await page.locator('beckon-ask-list .row').first().waitFor()
})
for (const [name, words] of Object.entries(asked)) {
  await takeAll(name, async page => {
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    // A form is seen as a whole.
    if (name === 'form' || name === 'choices') await page.setViewportSize({ width, height: height + 450 })
    await page.locator('beckon-ask-list .row', { hasText: words }).first().click()
    await page.locator('beckon-request article').waitFor()
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
  for (const { name: view, colorScheme, viewport } of views) {
    const context = await browser.newContext({ colorScheme, viewport, storageState, locale: 'en-GB' })
    const page = await context.newPage()
    page.on('console', message => console.error(`${name} ${view}: ${message.text()}`))
    await page.goto(new URL('/', link).href)
    await page.locator('beckon-inbox .body > *').first().waitFor({ state: 'attached' })
    await prepare(page)
    await page.screenshot({ path: join(folder, `${name}-${view}.png`) })
    await context.close()
  }
  console.log(name)
}

/** @param {string} address */
async function signIn(address) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('beckon-inbox').waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** Puts asks of every kind, and answers some others; gives the words to find each open one by. */
async function askEverything() {
  const shop = await (await desk.session('shop-1', { title: 'checkout', server: 'shop' })).startTurn()
  const ci = await (await desk.session('ci-1', { title: 'deploy', server: 'deploys' })).startTurn()
  const files = await (await desk.session('files-1', { title: 'organise', server: 'files' })).startTurn()
  const about = (/** @type {string} */ tool, /** @type {object} */ input) => ({
    _meta: { 'beckon/tool': tool, 'beckon/arguments': input },
  })
  const quietly = (/** @type {Promise<unknown>} */ ask) => void ask.catch(() => {})

  for (const [message, response] of /** @type {const} */ ([
    ['Remove 5 done todos? This cannot be undone.', 'accept'],
    ['Send the weekly report to 12 people?', 'accept'],
    ['Start the rollback of release 41?', 'decline'],
    ['Rename 230 photos by date?', 'accept'],
    ['Order 40 boxes of paper?', 'cancel'],
  ])) {
    const id = `past ${message}`
    const outcome = files.ask({ id, message, ...about('organise', {}) })
    await answer('files-1', id, response)
    await outcome
  }

  quietly(
    files.ask({
      message: 'Where should the scans go?',
      questions: [
        {
          id: 'folder',
          kind: 'single-select',
          title: 'Folder',
          message: 'The folder that new scans are filed under.',
          required: true,
          options: [
            'Bills',
            'Car',
            'Contracts',
            'Family',
            'Health',
            'House',
            'Insurance',
            'Taxes 2025',
            'Travel',
            'Work',
          ].map(label => ({ id: label.toLowerCase(), label })),
          allowFreeformInput: true,
        },
        {
          id: 'tags',
          kind: 'multi-select',
          title: 'Labels',
          message: 'Labels',
          min: 1,
          max: 3,
          options: [
            { id: 'paper', label: 'Paper' },
            { id: 'signed', label: 'Signed', description: 'Has a signature on it' },
            { id: 'important', label: 'Important', recommended: true },
          ],
          allowFreeformInput: true,
        },
      ],
      ...about('file_scans', { from: '/scans/inbox', count: 14 }),
    }),
  )
  quietly(
    shop.ask(
      {
        message: 'We need a few details to place the order.',
        questions: [
          {
            id: 'name',
            kind: 'text',
            title: 'Name',
            message: 'As it should stand on the parcel.',
            required: true,
            max: 60,
            defaultValue: 'Ana Lind',
          },
          { id: 'mail', kind: 'text', title: 'E-mail', message: 'For the receipt.', format: 'email', required: true },
          { id: 'when', kind: 'text', title: 'Delivery', message: 'Delivery', format: 'date-time' },
          {
            id: 'count',
            kind: 'integer',
            title: 'Boxes',
            message: 'Boxes',
            min: 1,
            max: 20,
            defaultValue: 2,
            required: true,
          },
          { id: 'gift', kind: 'boolean', title: 'Wrap it as a gift?', message: 'Wrap it as a gift?' },
          {
            id: 'size',
            kind: 'single-select',
            title: 'Size',
            message: 'Size',
            required: true,
            options: [
              { id: 's', label: 'Small' },
              { id: 'm', label: 'Medium', recommended: true },
              { id: 'l', label: 'Large' },
            ],
            allowFreeformInput: true,
          },
          { id: 'note', kind: 'text', title: 'Note', message: 'Anything that the driver should know.', max: 1000 },
        ],
        ...about('place_order', { sku: 'paper-a4', warehouse: 'north' }),
      },
      { timeoutMs: 2 * hour },
    ),
  )
  quietly(
    shop.ask(
      {
        message: 'Sign in to your bank to approve the payment of 84.20 €.',
        url: 'https://pаypal.com@pay.example.com:8443/checkout?order=7731',
        ...about('pay', { amount: 84.2, currency: 'EUR' }),
      },
      { timeoutMs: 4 * 60_000 },
    ),
  )
  quietly(
    ci.ask(
      {
        message: 'Deploy build 1842 to production? 3 services restart, and 2 migrations run.',
        ...about('deploy', { build: 1842, env: 'production', services: ['api', 'web', 'worker'] }),
      },
      { timeoutMs: 50 * 60_000 },
    ),
  )
  return { confirm: 'Deploy build', form: 'few details', choices: 'Where should', url: 'Sign in to your bank' }
}

/**
 * @param {string} session
 * @param {string} request
 * @param {string} response
 */
async function answer(session, request, response) {
  const context = await browser.newContext({ storageState })
  const page = await context.newPage()
  await page.goto(new URL(`/#${session}`, link).href)
  const buttons = { accept: 'Accept', decline: 'Decline', cancel: 'Dismiss' }
  await page.getByRole('heading', { level: 2 }).waitFor()
  const reason = page.getByRole('button', { name: 'Add a reason' })
  if (response === 'decline') {
    await reason.click()
    await page.getByLabel('Reason').fill('The fix is already on its way.')
  }
  // Names the ask, so that a picture of the wrong one fails.
  await page.getByText(request.replace('past ', '')).last().waitFor()
  await page.getByRole('button', { name: buttons[/** @type {keyof typeof buttons} */ (response)], exact: true }).click()
  await page.locator('.outcome').waitFor()
  await context.close()
}
