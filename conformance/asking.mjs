// The server of ours that published clients are tried on.
import { fileURLToPath } from 'node:url'
import { programOf } from '../test/programs/program.mjs'
import { startServer } from './start-server.mjs'

export async function askingOnStdio() {
  const server = await programOf(new URL('../packages/server/test/asking/main.ts', import.meta.url))
  return { command: process.execPath, args: [server] }
}

export async function startAsking() {
  return startServer([...(await askingOnStdio()).args, '--http'])
}

/**
 * The proxy before a server, with an inbox for what its client cannot show.
 * @param {string[]} behind the command of the server
 */
export function startProxy(behind) {
  const beckon = fileURLToPath(new URL('../packages/cli/bin/beckon.mjs', import.meta.url))
  return startServer([beckon, 'proxy', '--http', '0', '--', ...behind], { BECKON_BROWSER: 'none' })
}
