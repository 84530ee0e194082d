// Hosts made of what is published for them, each a page of its own in a browser.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Host
 * @property {string} name
 * @property {(page: Page) => Promise<void>} open makes a page the host's
 * @property {(page: Page) => import('playwright-core').FrameLocator} view what a page shows of a server
 */

/** Keeps a view apart from the page of its host, as MCP Apps have it: passes on what either says. */
const sandboxPage = `<!doctype html><style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100% }</style><script type="module">
const view = document.createElement('iframe')
addEventListener('message', ({ source, data }) => {
  if (source === view.contentWindow) parent.postMessage(data, '*')
  else if (source !== parent) return
  else if (data?.method === 'ui/notifications/sandbox-resource-ready') {
    view.setAttribute('sandbox', 'allow-scripts')
    view.srcdoc = data.params.html
    document.body.replaceChildren(view)
  } else view.contentWindow?.postMessage(data, '*')
})
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`

/** @returns {Promise<{ all: Host[], close(): Promise<void> }>} */
export async function openHosts() {
  const bridge = await scriptOf('view-host.mjs')
  const components = await scriptOf('mcp-ui-host.mjs')
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(request.url?.startsWith('/sandbox') ? sandboxPage : '<!doctype html><body></body>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  /** @type {Host} */
  const bare = {
    name: 'ext-apps app-bridge',
    async open(page) {
      // A page of no address would be kept from this machine, to which the widget that uploads sends.
      await page.goto(`http://localhost:${port}/`)
      await run(page, bridge)
    },
    view: page => page.frameLocator('iframe'),
  }
  /** @type {Host} */
  const mcpUi = {
    name: '@mcp-ui/client',
    async open(page) {
      // The page in between is another origin than the host's.
      await page.goto(`http://localhost:${port}/`)
      await page.evaluate(`globalThis.sandbox = 'http://127.0.0.1:${port}/sandbox'`)
      await run(page, components)
    },
    view: page => page.frameLocator('iframe').frameLocator('iframe'),
  }
  return {
    all: [bare, mcpUi],
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/**
 * @param {Page} page
 * @param {string} content
 */
async function run(page, content) {
  await page.addScriptTag({ content, type: 'module' })
  await page.waitForFunction('globalThis.ask !== undefined')
}

/**
 * @param {string} file in `peers`
 * @returns {Promise<string>} a host's page, as one script
 */
async function scriptOf(file) {
  const entry = fileURLToPath(new URL(`./peers/${file}`, import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'host' } },
  })
  const [{ output } = { output: [] }] = /** @type {{ output: { code?: string }[] }[]} */ ([built].flat())
  return output[0]?.code ?? ''
}
