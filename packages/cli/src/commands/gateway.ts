import { createGateway, type Gateway, listApps } from '@beckon/gateway'
import { usageError } from '../cli-error.js'
import { portOf } from '../desk/ports.js'
import { deskAt } from '../desk/remote.js'
import { exitCodes } from '../exit-codes.js'
import { plainLine } from '../plain-text.js'
import { untilStopped } from '../process/until-stopped.js'
import { openStore } from '../store/open-store.js'
import { type Command, defineCommand } from './command.js'

/** `beckon gateway` */
export const command: Command = defineCommand({
  usage: `Makes running applications tools: an MCP server that finds them, and connects to one
when a person has passed on the code that it shows.

Usage:
  beckon gateway                 on standard input and output, for a client that starts it
  beckon gateway --http <port>   over HTTP, at http://127.0.0.1:<port>/mcp
  beckon gateway --list          lists the applications that run, and connects to none`,
  options: {
    http: {
      type: 'string',
      value: 'port',
      help: 'serve HTTP on this port; applications in browsers connect to the same port',
    },
    stdio: {
      type: 'boolean',
      default: false,
      help: 'with --http: serve standard input and output as well, or alone where the port is taken',
    },
    list: { type: 'boolean', default: false, help: 'list the applications that run, and connect to none' },
    home: { type: 'string', value: 'dir', help: 'where .tesseron/instances is (default: your home folder)' },
    origin: {
      type: 'string',
      value: 'url',
      multiple: true,
      default: [] as string[],
      help: 'a page that may connect as an application, besides those of this machine',
    },
    store: {
      type: 'string',
      value: 'where',
      help: 'where claims are kept: memory, a SQLite file, postgres://... or redis://... (default: a file below --home)',
    },
    desk: {
      type: 'string',
      value: 'url',
      help: 'have asks of clients that cannot ask answered on a desk: https://name:token@desk.example, or without the token, which is then in BECKON_DESK_TOKEN',
    },
  },
  async run({ values }) {
    const { home, origin: allowedOrigins } = values
    if (values.list) return await list(home)
    const badOrigin = allowedOrigins.find(origin => !URL.canParse(origin) || new URL(origin).origin !== origin)
    if (badOrigin !== undefined) throw usageError(`"${badOrigin}" is not an origin. Write it as https://app.example`)
    const store = values.store === undefined ? undefined : await openStore(values.store)
    const desk = values.desk === undefined ? undefined : deskAt(values.desk).desk
    const server = { ...(store && { store }), ...(desk && { desk }) }
    const gateway = createGateway({ home, allowedOrigins, server, log: complain })
    try {
      await serve(gateway, portOf(values.http), values.stdio)
      return exitCodes.ok
    } finally {
      await gateway.close()
      await store?.close()
    }
  },
})

/** Until it is stopped, or the client that it was started by is gone. */
async function serve(gateway: Gateway, port: number | undefined, withStdio: boolean): Promise<void> {
  const ends = [untilStopped()]
  if (port !== undefined) {
    try {
      const { url } = await gateway.listen({ port })
      // Standard output is the client's where there is one.
      complain(`serving ${url}`)
    } catch (error) {
      // Two clients may start a gateway each, from one configuration: the second has its client all the same.
      if (!withStdio) throw error
      complain(`${error instanceof Error ? error.message : error} Pages cannot connect here; programs can.`)
    }
  }
  if (port === undefined || withStdio) ends.push(gateway.stdio().closed)
  await Promise.race(ends)
}

async function list(home: string | undefined): Promise<0> {
  const { apps, refused } = await listApps(home)
  for (const { name, status, pid, address } of apps)
    console.log(plainLine(`${status.padEnd(8)} ${name}  ${address}${pid === undefined ? '' : `  (process ${pid})`}`))
  for (const [file, why] of refused) console.log(plainLine(`refused  ${file}: ${why}`))
  if (apps.length + refused.size === 0) console.log('No applications run.')
  return exitCodes.ok
}

function complain(message: string): void {
  console.error(plainLine(`beckon gateway: ${message}`))
}
