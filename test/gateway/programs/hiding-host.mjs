// A development server as other tools of the protocol have one, in a process of its own: the page talks to it, and it talks to the
// gateway. It keeps the gateway's connection when the page goes, answers a page that comes back by itself, and what the
// gateway says while there is no page is lost. The gateway hears nothing of any of that.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'

const [home = '', script = ''] = process.argv.slice(2)
const html =
  '<!doctype html><html lang="en"><title>Todos</title><output id="code"></output><script type="module" src="/page.js"></script>'
const pagePath = '/app'
const gatewayPath = '/gateway'

const server = createServer((request, response) => {
  const isScript = request.url === '/page.js'
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.end(isScript ? readFileSync(script) : html)
})
const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false })

/** @type {{ code: string, sessionId: string, resumeToken: string, hello: object } | undefined} */
let session
/** @type {import('ws').WebSocket | undefined} */
let page
/** @type {import('ws').WebSocket | undefined} */
let gateway

const replayed = 'a-hello-that-the-page-has-had-an-answer-to'
const token = () => randomBytes(12).toString('hex')

/** @param {Record<string, any>} message */
const write = message => JSON.stringify({ jsonrpc: '2.0', ...message })

/** @param {object} more */
function welcome(more) {
  const { sessionId, resumeToken } = session ?? {}
  // It does not know what the agent can do, and after a reload it has forgotten.
  const capabilities = { streaming: true, subscriptions: true, sampling: false, elicitation: false }
  return {
    sessionId,
    resumeToken,
    protocolVersion: '1.2.0',
    capabilities,
    agent: { id: 'agent', name: 'Agent' },
    ...more,
  }
}

/** @param {Record<string, any>} params */
function begin(params) {
  session = { code: 'KM4N-9P', sessionId: `s_${token()}`, resumeToken: token(), hello: params }
  const { code, sessionId, resumeToken } = session
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const claim = {
    code,
    sessionId,
    resumeToken,
    mintedAt: Date.now(),
    expiresAt: Date.now() + 600_000,
    boundAgent: null,
  }
  const transport = { kind: 'ws', url: `ws://127.0.0.1:${port}${gatewayPath}` }
  const folder = join(home, '.tesseron', 'instances')
  mkdirSync(folder, { recursive: true })
  const about = { version: 2, instanceId: 'inst-1', appName: 'Todos', addedAt: Date.now(), pid: process.pid }
  writeFileSync(
    join(folder, 'inst-1.json'),
    JSON.stringify({ ...about, transport, helloHandledByHost: true, hostMintedClaim: claim }),
    { mode: 0o600 },
  )
  return welcome({ claimCode: code })
}

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, opened => {
    opened.on('error', () => {})
    if (request.url === pagePath) attachPage(opened)
    else attachGateway(opened)
  })
})

/** @param {import('ws').WebSocket} opened */
function attachPage(opened) {
  opened.on('message', data => {
    const text = String(data)
    const { id, method, params } = JSON.parse(text)
    if (method === 'tesseron/hello') opened.send(write({ id, result: begin(params) }))
    else if (method === 'tesseron/resume') {
      if (session === undefined || params.resumeToken !== session.resumeToken)
        return opened.send(write({ id, error: { code: -32011, message: 'No such session.' } }))
      session.resumeToken = token()
      opened.send(write({ id, result: welcome({}) }))
    } else return gateway?.send(text)
    page = opened
  })
  opened.on('close', () => {
    if (page === opened) page = undefined
  })
}

/** @param {import('ws').WebSocket} opened */
function attachGateway(opened) {
  gateway = opened
  opened.send(write({ id: replayed, method: 'tesseron/hello', params: session?.hello }))
  opened.on('message', data => {
    const text = String(data)
    if (JSON.parse(text).id !== replayed) page?.send(text)
  })
}

server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.stdout.write(`${port}\n`)
})
