// The page of a host that shows views, with the bridge that `@modelcontextprotocol/ext-apps` publishes for hosts. It runs in a
// browser; what the host knows of a server is outside, in Node.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

/** @type {import('@standard-schema/spec').StandardSchemaV1} */
const anything = { '~standard': { version: 1, vendor: 'host', validate: value => ({ value }) } }
const page = /** @type {any} */ (globalThis)

/**
 * Shows a view, and gives its bridge once it has begun.
 * @param {string} html
 */
async function show(html) {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  document.body.replaceChildren(frame)
  const capabilities = { serverTools: {}, updateModelContext: {}, message: {} }
  const bridge = new AppBridge(null, { name: 'host', version: '1.0.0' }, capabilities, {
    hostContext: { theme: 'dark' },
  })
  const begun = new Promise(resolve => {
    bridge.oninitialized = () => resolve(undefined)
  })
  const { contentWindow } = frame
  if (contentWindow === null) throw new Error('There is no frame.')
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow))
  frame.srcdoc = html
  await begun
  return bridge
}

/** An ask that the host renders in a view. */
page.ask = async (/** @type {string} */ html, /** @type {Record<string, unknown>} */ params) => {
  const bridge = await show(html)
  return bridge.request({ method: 'elicitation/create', params }, anything, { timeout: 60_000 })
}

/** The result of a tool in its view; resolves with what the model is told. */
page.showResult = async (/** @type {string} */ html, /** @type {any} */ result) => {
  const bridge = await show(html)
  /** @type {Promise<unknown>} */
  const told = new Promise(resolve => {
    /** @type {unknown} */
    let context
    bridge.onupdatemodelcontext = async given => {
      context = given
      return {}
    }
    bridge.onmessage = async message => {
      resolve({ context, message })
      return {}
    }
  })
  bridge.oncalltool = params => page.callTool(params)
  await bridge.sendToolInput({ arguments: {} })
  await bridge.sendToolResult(result)
  return told
}
