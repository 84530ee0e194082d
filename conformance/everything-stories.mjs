// A published server behind our proxy: `server-everything`, which asks a client of 2025, for an official client that shows nothing.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startProxy } from './asking.mjs'
import { row } from './client-stories.mjs'
import { personAt } from './inbox-person.mjs'

/** @typedef {import('./peers-table.mjs').Row} Row */

const entry = fileURLToPath(
  new URL('./peers/node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)
const eras = /** @type {const} */ ({ 2025: 'legacy', 2026: 'auto' })

/** @returns {Promise<Row[]>} */
export async function runEverything() {
  const rows = []
  for (const era of /** @type {const} */ (['2025', '2026'])) {
    const proxy = await startProxy([process.execPath, entry])
    try {
      rows.push(await tryIt(proxy, era))
    } finally {
      await proxy.stop()
    }
  }
  return rows
}

/**
 * @param {import('./start-server.mjs').Started} proxy
 * @param {'2025' | '2026'} era of the client
 */
function tryIt(proxy, era) {
  const from = '@modelcontextprotocol/server-everything'
  const who = { peer: 'server-everything, a server', from, era, over: 'http, behind `beckon proxy`' }
  return row(who, async tell => {
    const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: eras[era] } })
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url)))
    const accept = personAt(proxy)
    const call = async (/** @type {string} */ name, /** @type {Record<string, unknown>} */ input = {}) => {
      const { content } = await client.callTool({ name, arguments: input })
      return content[0]?.type === 'text' ? content.map(part => ('text' in part ? part.text : '')).join('\n') : ''
    }
    try {
      await tell('form', 'yes', async () => {
        const content = { name: 'Ada Lovelace', check: true, integer: 7 }
        const [text] = await Promise.all([
          call('trigger-elicitation-request'),
          accept('Please provide inputs', content),
        ])
        assert.match(text, /Ada Lovelace/)
      })
      // It refuses the call until a page was visited, and then asks for another: it never asks for a yes alone.
      await tell('url', 'yes', async () => {
        const input = { url: 'https://example.com/flow', message: 'Go on there.', errorPath: true }
        const visits = accept('Open this link').then(() => accept('Go on there.'))
        const [text] = await Promise.all([call('trigger-url-elicitation', input), visits])
        assert.match(text, /completed the URL elicitation/)
      })
    } finally {
      await client.close()
    }
  })
}
