// Hosts that show views, in Chromium: the bridge of `ext-apps` and the components of `@mcp-ui/client` show our widgets, to an
// official client of either era, and to one that cannot ask; and so does the Inspector's web client.
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { chromium } from 'playwright-core'
import { findChromium, findHeadlessShell } from '../scripts/services/chromium.mjs'
import { none } from '../scripts/tally.mjs'
import { inspectorStories, runInInspector } from './inspector-stories.mjs'
import { hasInspector, openInspector } from './inspector-web.mjs'
import { openHosts } from './view-hosts.mjs'
import { startViews } from './view-server.mjs'

/** @typedef {import('../scripts/tally.mjs').Tally} Tally */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./view-hosts.mjs').Host} Host */

const uiExtension = 'io.modelcontextprotocol/ui'
const mimeTypes = ['text/html;profile=mcp-app']
const eras = /** @type {const} */ ({ 2025: 'legacy', 2026: { pin: '2026-07-28' } })
const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic']

/** @returns {Promise<Tally>} */
export async function runViews() {
  const executablePath = process.env.BECKON_TEST_CHROMIUM ?? findHeadlessShell() ?? findChromium()
  if (executablePath === undefined) {
    console.log('- views of a host: skipped, since there is no Chromium')
    return { ...none, skipped: 1 }
  }
  const { url, close, given } = await startViews()
  const hosts = await openHosts()
  const inspector = hasInspector ? await openInspector(url) : undefined
  if (inspector === undefined) console.log("- MCP Inspector's web client: skipped, since it needs Node 22.19")
  const browser = await chromium.launch({ executablePath, args })
  const tally = { ...none, skipped: inspector === undefined ? 1 : 0 }
  /**
   * @param {string} name
   * @param {(page: Page) => Promise<unknown>} story
   */
  const run = async (name, story) => {
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    try {
      await story(page)
      tally.passed++
      console.log(`✓ ${name}`)
    } catch (error) {
      tally.failed++
      console.error(`✗ ${name}`, error)
    }
    await page.close()
  }
  try {
    for (const era of /** @type {const} */ (['2025', '2026'])) {
      for (const host of hosts.all)
        for (const [what, story] of Object.entries(hostStories))
          await run(`${host.name}, ${what}, ${era}`, async page => {
            await host.open(page)
            await story(url, era, { ...host, page })
          })
      if (inspector === undefined) continue
      const at = /** @type {const} */ ({
        2025: { server: 'legacy', revision: '2025-11-25' },
        2026: { server: 'modern', revision: '2026-07-28' },
      })[era]
      for (const [what, story] of Object.entries(inspectorStories))
        await run(`MCP Inspector's web client, ${what}, ${at.revision}`, page =>
          runInInspector(page, inspector.url, { ...at, story, given }),
        )
    }
  } finally {
    await browser.close()
    await inspector?.stop()
    await hosts.close()
    await close()
  }
  return tally
}

/** @typedef {Host & { page: Page }} Opened */

/** @type {Record<string, (url: string, era: '2025' | '2026', host: Opened) => Promise<void>>} */
const hostStories = {
  'an ask in a view': asksInView,
  'an ask in a result': asksInResult,
  'an upload in a view': uploadsInView,
}

/**
 * A client that has the ask rendered in the view that it names.
 * @param {string} url
 * @param {'2025' | '2026'} era
 * @param {Opened} host
 */
async function asksInView(url, era, host) {
  const { page } = host
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
    await click(host, asked === 1 ? 'Seat 0' : 'Seat 5')
    return /** @type {any} */ (await answered)
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { structuredContent } = await client.callTool({ name: 'book', arguments: {} })
  assert.deepEqual(structuredContent, { given: { seats: [{ row: 'A', seat: 5 }] } })
  assert.equal(asked, 2)
  await client.close()
}

/**
 * A file from the frame of a host straight to the server: its client has the id alone.
 * @param {string} url
 * @param {'2025' | '2026'} era
 * @param {Opened} host
 */
async function uploadsInView(url, era, host) {
  const { page } = host
  const client = newClient(era, {
    elicitation: { form: {} },
    extensions: { [uiExtension]: { mimeTypes, elicitation: {} } },
  })
  /** @type {unknown} */
  let answer
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { ui } = /** @type {{ ui: { resourceUri: string } }} */ (params._meta)
    const html = await readView(client, ui.resourceUri)
    const answered = page.evaluate(
      ([text, sent]) => /** @type {any} */ (globalThis).ask(text, sent),
      /** @type {const} */ ([html, params]),
    )
    const view = host.view(page)
    const script = { name: 'script.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 hello') }
    await view.getByLabel('File').setInputFiles(script)
    await view.getByText('script.pdf was uploaded').waitFor()
    await click(host, 'Send file')
    answer = await answered
    return /** @type {any} */ (answer)
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const { structuredContent } = await client.callTool({ name: 'send', arguments: {} })
  assert.deepEqual(structuredContent, { given: { name: 'script.pdf', size: 14 } })
  assert.doesNotMatch(JSON.stringify(answer), /script|PDF/)
  await client.close()
}

/**
 * A client that shows the views of tools and cannot ask: from the question to the result, which the model is told.
 * @param {string} url
 * @param {'2025' | '2026'} era
 * @param {Opened} host
 */
async function asksInResult(url, era, host) {
  const { page } = host
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
  await click(host, 'Seat 4')
  const { context, message } = /** @type {any} */ (await told)
  assert.match(message.content[0].text, /has answered/)
  const given = { given: { seats: [{ row: 'A', seat: 4 }] } }
  // Where a host does not let a view tell the model things by themselves, the message has them.
  assert.deepEqual(context?.structuredContent ?? JSON.parse(message.content[1].text), given)
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
 * @param {Opened} host
 * @param {string} name
 */
async function click({ page, view }, name) {
  await view(page).locator('html[data-theme=dark]').getByRole('button', { name }).click({ noWaitAfter: true })
}
