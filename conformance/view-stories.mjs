// Hosts that show views: the bridge of `ext-apps` in Chromium shows our widgets, to an official client of either era, and to one
// that cannot ask.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createServer } from 'beckon'
import { defineWidget } from 'beckon/widgets'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { z } from 'zod'
import { none } from '../scripts/tally.mjs'

/** @typedef {import('../scripts/tally.mjs').Tally} Tally */
/** @typedef {import('playwright-core').Page} Page */

const executablePath = process.env.BECKON_TEST_CHROMIUM ?? '/usr/bin/chromium'
const uiExtension = 'io.modelcontextprotocol/ui'
const mimeTypes = ['text/html;profile=mcp-app']
const eras = /** @type {const} */ ({ 2025: 'legacy', 2026: { pin: '2026-07-28' } })

const seats = defineWidget({
  name: 'seats',
  schema: z.object({ seats: z.array(z.object({ row: z.string(), seat: z.number() })).min(1) }),
  module: `
    import { connectWidget } from 'beckon/widget'
    connectWidget(ask => {
      const title = document.createElement('h1')
      title.textContent = ask.question
      const buttons = ask.data.map(seat => {
        const button = document.createElement('button')
        button.textContent = 'Seat ' + seat
        button.onclick = () => ask.answer({ seats: seat === 0 ? [] : [{ row: 'A', seat }] })
        return button
      })
      document.body.replaceChildren(title, ...buttons)
    })`,
})

/** @returns {Promise<Tally>} */
export async function runViews() {
  if (!existsSync(executablePath)) {
    console.log('- views of a host: skipped, since there is no Chromium')
    return { ...none, skipped: 1 }
  }
  const server = createServer({ name: 'theatre', version: '1.0.0', widgets: [seats] })
  server.tool('book', { widget: seats }, async (_input, ctx) => ({
    given: await ctx.elicit({ question: 'Which seat?', widget: seats, data: [0, 4, 5] }),
  }))
  const { url } = await server.listen({ port: 0 })
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  const script = await hostScript()
  const tally = { ...none }
  try {
    for (const era of /** @type {const} */ (['2025', '2026']))
      for (const [what, story] of Object.entries({
        'an ask in a view': asksInView,
        'an ask in a result': asksInResult,
      })) {
        const name = `ext-apps app-bridge, ${what}, ${era}`
        try {
          const page = await browser.newPage()
          page.setDefaultTimeout(30_000)
          await page.goto('about:blank')
          await page.addScriptTag({ content: script, type: 'module' })
          await page.waitForFunction('globalThis.ask !== undefined')
          await story(url, era, page)
          await page.close()
          tally.passed++
          console.log(`✓ ${name}`)
        } catch (error) {
          tally.failed++
          console.error(`✗ ${name}`, error)
        }
      }
  } finally {
    await browser.close()
    await server.close()
  }
  return tally
}

/**
 * A client that has the ask rendered in the view that it names.
 * @param {string} url
 * @param {'2025' | '2026'} era
 * @param {Page} page
 */
async function asksInView(url, era, page) {
  const client = newClient(era, {
    elicitation: { form: {} },
    extensions: { [uiExtension]: { mimeTypes, elicitation: {} } },
  })
  let asked = 0
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked++
    const { ui } = /** @type {{ ui: { resourceUri: string } }} */ (params._meta)
    const html = await readView(client, ui.resourceUri)
    const answered = page.evaluate(
      ([text, sent]) => /** @type {any} */ (globalThis).ask(text, sent),
      /** @type {const} */ ([html, params]),
    )
    // The first answer does not fit what the author wants.
    await click(page, asked === 1 ? 'Seat 0' : 'Seat 5')
    return /** @type {any} */ (await answered)
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { structuredContent } = await client.callTool({ name: 'book', arguments: {} })
  assert.deepEqual(structuredContent, { given: { seats: [{ row: 'A', seat: 5 }] } })
  assert.equal(asked, 2)
  await client.close()
}

/**
 * A client that shows the views of tools and cannot ask: from the question to the result, which the model is told.
 * @param {string} url
 * @param {'2025' | '2026'} era
 * @param {Page} page
 */
async function asksInResult(url, era, page) {
  const client = newClient(era, { extensions: { [uiExtension]: { mimeTypes } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { tools } = await client.listTools()
  const meta = tools.find(({ name }) => name === 'book')?._meta
  const { ui } = /** @type {{ ui: { resourceUri: string } }} */ (meta ?? {})
  const html = await readView(client, ui.resourceUri)
  await page.exposeFunction('callTool', (/** @type {any} */ params) => client.callTool(params))
  const waiting = await client.callTool({ name: 'book', arguments: {} })
  const told = page.evaluate(
    ([text, result]) => /** @type {any} */ (globalThis).showResult(text, result),
    /** @type {const} */ ([html, waiting]),
  )
  await click(page, 'Seat 4')
  const { context, message } = /** @type {any} */ (await told)
  assert.deepEqual(context.structuredContent, { given: { seats: [{ row: 'A', seat: 4 }] } })
  assert.match(message.content[0].text, /has answered/)
  await client.close()
}

/**
 * @param {'2025' | '2026'} era
 * @param {object} capabilities
 */
function newClient(era, capabilities) {
  return new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: eras[era] }, capabilities })
}

/**
 * @param {Client} client
 * @param {string} uri
 */
async function readView(client, uri) {
  const { contents } = await client.readResource({ uri })
  const [view] = contents
  assert.equal(view?.mimeType, mimeTypes[0])
  return view !== undefined && 'text' in view ? view.text : ''
}

/**
 * @param {Page} page
 * @param {string} name
 */
async function click(page, name) {
  await page.frameLocator('iframe').locator('html[data-theme=dark]').getByRole('button', { name }).click()
}

/** @returns {Promise<string>} the host's page, as one script */
async function hostScript() {
  const entry = `${fileURLToPath(new URL('./peers/', import.meta.url))}view-host.mjs`
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'host' } },
  })
  const [{ output } = { output: [] }] = /** @type {{ output: { code?: string }[] }[]} */ ([built].flat())
  return output[0]?.code ?? ''
}
