// The server of ours that published clients are tried on.
import { fileURLToPath } from 'node:url'
import { startServer } from './start-server.mjs'

/** Runs TypeScript from its source. */
const compiler = new URL('../test/typescript/register.mjs', import.meta.url).href
const server = fileURLToPath(new URL('../packages/server/test/asking/main.ts', import.meta.url))

export const askingOnStdio = { command: process.execPath, args: ['--import', compiler, server] }

export function startAsking() {
  return startServer([...askingOnStdio.args, '--http'])
}

/**
 * The proxy before a server, with an inbox for what its client cannot show.
 * @param {string[]} behind the command of the server
 */
export function startProxy(behind) {
  const beckon = fileURLToPath(new URL('../packages/cli/bin/beckon.mjs', import.meta.url))
  return startServer([beckon, 'proxy', '--http', '0', '--', ...behind], { BECKON_BROWSER: 'none' })
}
