// `node scripts/moving-picture.mjs`: an ask from its tool to its answer, as docs/screenshots/inbox.png, which moves (APNG). A real
// server whose tool asks, a real desk and its inbox in Chromium. The tool and who comes in are of this script, not of `npm start`.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { chromium } from 'playwright-core'
import { animate } from './apng.mjs'
import { ensureBuilt } from './build.mjs'
import { root } from './run.mjs'

const maxBytes = 500_000
const executablePath = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'
const file = join(root, 'docs/screenshots/inbox.png')

if (!existsSync(executablePath)) {
  console.error('There is no Chromium here. Say where it is with BECKON_TEST_CHROMIUM.')
  process.exit(1)
}
if (!(await ensureBuilt())) process.exit(1)
const { createDesk } = await import('@beckon/desk')
const { createServer } = await import('beckon')
const { createTestClient } = await import('beckon/test')

/** @type {import('@beckon/desk').Access} */
const access = {
  loopbackOnly: true,
  authenticate: async () => ({ principal: 'ana', device: 'browser' }),
  handle: async () => undefined,
}
const desk = createDesk({ access })
const { url } = await desk.listen({ port: 0 })
const server = createServer({ name: 'shop', version: '1.0.0', desk })
server.tool('refund', { description: 'Refunds an order' }, async (_input, ctx) => {
  const answer = await ctx.elicit({
    question: 'Order 1042 came broken. How much do we give back?',
    schema: {
      type: 'object',
      properties: {
        share: { type: 'string', title: 'How much', enum: ['All of it', 'Half', 'Nothing'] },
        note: { type: 'string', title: 'A word to the customer' },
      },
      required: ['share'],
    },
  })
  return ctx.json({ answer })
})
const client = createTestClient(server, { capabilities: {} })

const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--lang=en-GB'],
})
const page = await browser.newPage({ viewport: { width: 860, height: 680 }, locale: 'en-GB', colorScheme: 'light' })
/** @type {{ png: Buffer, ms: number }[]} */
const frames = []
const take = async (/** @type {number} */ ms) =>
  frames.push({ png: await page.screenshot({ animations: 'disabled', caret: 'hide' }), ms })

await page.goto(url)
await page.locator('beckon-inbox .body > *').first().waitFor({ state: 'attached' })
await take(1_200)
await client.callTool('refund')
const row = page.locator('beckon-ask-list .row').first()
await row.waitFor()
await take(1_200)
await row.click()
await page.locator('beckon-request article').waitFor()
await take(1_500)
await page.getByText('Half', { exact: true }).first().click()
await take(900)
const note = page.getByLabel('A word to the customer')
for (const words of ['Sorry about', 'Sorry about the plate!']) {
  await note.fill(words)
  await take(600)
}
await page
  .getByRole('button', { name: /^(Accept|Send|Submit|Answer)/ })
  .first()
  .click()
await page.locator('beckon-ask-list .row').first().waitFor({ state: 'detached' })
await take(2_500)

await browser.close()
await client.close()
await server.close()
await desk.close()
const picture = animate(frames)
if (picture.length > maxBytes) throw new Error(`The picture has ${picture.length} bytes, and may have ${maxBytes}.`)
await writeFile(file, picture)
console.log(`${relative(root, file)}: ${frames.length} frames, ${picture.length} bytes`)
