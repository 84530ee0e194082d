// The page of a host that shows views with the components that `@mcp-ui/client` publishes. What the host knows of a server is
// outside, in Node. Its components want a page between the host's and the view's: that is `/sandbox`.
import { AppFrame, AppRenderer } from '@mcp-ui/client'
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const page = /** @type {any} */ (globalThis)
const sandbox = { url: new URL(page.sandbox), permissions: 'allow-scripts allow-same-origin' }
const root = createRoot(document.body.appendChild(document.createElement('main')))
const hostInfo = { name: 'mcp-ui host', version: '1.0.0' }
const hostContext = /** @type {const} */ ({ theme: 'dark' })
/** @type {import('@standard-schema/spec').StandardSchemaV1} */
const anything = { '~standard': { version: 1, vendor: 'host', validate: value => ({ value }) } }

/** An ask that the host renders in a view. */
page.ask = async (/** @type {string} */ html, /** @type {Record<string, unknown>} */ params) => {
  const appBridge = new AppBridge(null, hostInfo, { serverTools: {} }, { hostContext })
  appBridge.oncalltool = given => page.callTool(given)
  /** @type {Promise<void>} */
  const begun = new Promise((resolve, reject) => {
    const props = { html, sandbox, appBridge, onInitialized: () => resolve(), onError: reject }
    root.render(createElement(AppFrame, { key: String(Math.random()), .../** @type {any} */ (props) }))
  })
  await begun
  return appBridge.request({ method: 'elicitation/create', params }, anything, { timeout: 60_000 })
}

/** The result of a tool in its view; resolves with what the model is told. */
page.showResult = (/** @type {string} */ html, /** @type {any} */ toolResult) =>
  new Promise((resolve, reject) => {
    const props = {
      html,
      sandbox,
      hostInfo,
      hostContext,
      toolName: 'book',
      toolInput: {},
      toolResult,
      hostCapabilities: { serverTools: {}, message: {} },
      onCallTool: page.callTool,
      onMessage: async (/** @type {unknown} */ message) => {
        resolve({ message })
        return {}
      },
      onError: reject,
    }
    root.render(createElement(AppRenderer, { key: String(Math.random()), .../** @type {any} */ (props) }))
  })
