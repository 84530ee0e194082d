// The web client of the MCP Inspector, in a process of its own, with everything that it keeps in a folder that goes with it. It needs
// a newer Node than this project does, which is installed with the peers where there is one for the machine.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../scripts/services/free-port.mjs'
import { startProgram } from './start-server.mjs'

const peers = fileURLToPath(new URL('./peers/node_modules/', import.meta.url))
const installed = `${peers}node-22/bin/node`
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isNewEnough = major > 22 || (major === 22 && minor >= 19)
const node = isNewEnough ? process.execPath : existsSync(installed) ? installed : undefined

/** Whether there is a Node that it runs on. */
export const hasInspector = node !== undefined
const entry = `${peers}@modelcontextprotocol/inspector/clients/launcher/build/index.js`

/**
 * @param {string} url of a server, which it knows as `legacy` and as `modern`
 */
export async function openInspector(url) {
  if (node === undefined) throw new Error('The Inspector needs Node 22.19 or later.')
  const folder = await mkdtemp(join(tmpdir(), 'inspector-'))
  const config = join(folder, 'servers.json')
  const entryFor = (/** @type {string} */ protocolEra) => ({ type: 'streamable-http', url, protocolEra })
  await writeFile(config, JSON.stringify({ mcpServers: { legacy: entryFor('legacy'), modern: entryFor('modern') } }))
  const port = async () => String(await freePort())
  const env = {
    HOME: folder,
    USERPROFILE: folder,
    MCP_STORAGE_DIR: folder,
    MCP_INSPECTOR_SECRET_STORE: 'file',
    MCP_AUTO_OPEN_ENABLED: 'false',
    DANGEROUSLY_OMIT_AUTH: 'true',
    CLIENT_PORT: await port(),
    SERVER_PORT: await port(),
    MCP_SANDBOX_PORT: await port(),
    MCP_APP_ORIGIN_PORT: await port(),
  }
  const address = `http://127.0.0.1:${env.CLIENT_PORT}`
  const addressIn = (/** @type {string} */ line) => (line.includes(address) ? address : undefined)
  const started = await startProgram([node, entry, '--web', '--config', config], { env, addressIn })
  return {
    url: address,
    async stop() {
      await started.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
