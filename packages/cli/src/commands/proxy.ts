import type { ServerContext } from '@modelcontextprotocol/server'
import { usageError } from '../cli-error.js'
import { headersOf } from '../connect/headers.js'
import { commandTarget, type Target, targetOf } from '../connect/target.js'
import { portOf } from '../desk/ports.js'
import { exitCodes } from '../exit-codes.js'
import { untilStopped } from '../process/until-stopped.js'
import { Approvals } from '../proxy/approvals.js'
import type { Downstream } from '../proxy/downstream.js'
import { PendingCalls } from '../proxy/pending-calls.js'
import { PromisedOutputs } from '../proxy/promised-outputs.js'
import { openProxyDesk, type ProxyDesk, proxyDeskAt } from '../proxy/proxy-desk.js'
import { serveHttp } from '../proxy/serve-http.js'
import { serveStdio } from '../proxy/serve-stdio.js'
import { type ListedServer, serversIn } from '../proxy/server-list.js'
import { Servers } from '../proxy/servers.js'
import { Upstream } from '../proxy/upstream.js'
import { type Connect, Upstreams } from '../proxy/upstreams.js'
import { type Command, defineCommand } from './command.js'

/** `beckon proxy` */
export const command: Command = defineCommand({
  usage: `Stands between an MCP client and an MCP server, and gives a client that cannot ask the inbox.

Usage:
  beckon proxy -- <server command...>     in a client's configuration, before the server's own command
  beckon proxy <url>                      for a server that runs elsewhere
  beckon proxy --config <file>            for several servers at once: their tools are <server>__<tool>

Everything passes unchanged, in whichever era client and server speak; asks that the client cannot
show appear in an inbox, whose link is printed to standard error with every ask.`,
  options: {
    config: {
      type: 'string',
      value: 'file',
      help: 'a file with "mcpServers", as hosts have it: by name, with command, args and env, or url and headers',
    },
    http: {
      type: 'string',
      value: 'port',
      help: 'serve HTTP at /mcp on this port (0: any that is free), instead of stdio',
    },
    desk: {
      type: 'string',
      value: 'url',
      help: 'have asks answered on a desk that runs elsewhere, instead of one of its own: https://name:token@desk.example, or without the token, which is then in BECKON_DESK_TOKEN',
    },
    principal: {
      type: 'string',
      value: 'name',
      help: 'who calls, as that desk knows them: what is asked is for them, unless a rule says otherwise, and where it does, they do not approve their own calls',
    },
    'desk-port': { type: 'string', value: 'port', help: 'the port of its own inbox (default: any that is free)' },
    open: { type: 'boolean', default: false, help: 'open the inbox in a browser with the first ask' },
    approve: {
      type: 'boolean',
      default: false,
      help: 'have every call approved in the inbox before it runs, by people, who may change its arguments, or by the rules of the desk',
    },
    rules: {
      type: 'string',
      value: 'file',
      help: 'the same with these rules: which calls need nobody, which are refused, and who has to agree to the others',
    },
    wait: {
      type: 'string',
      value: 's',
      default: '20',
      help: 'how long a call waits for an answer in the inbox before the model is told to call again, in seconds (default 20)',
    },
    header: {
      type: 'string',
      value: 'line',
      multiple: true,
      help: 'an HTTP header for the server, as "Authorization: Bearer ..."',
    },
  },
  takes: 'words and a server command',
  async run({ values, words, serverCommand }) {
    const servers = values.config === undefined ? undefined : listed(values.config, words, serverCommand)
    const target = servers === undefined ? serverOf(words, serverCommand) : undefined
    const port = portOf(values.http)
    const waitMs = Number(values.wait) * 1000
    if (!(waitMs > 0)) throw usageError(`--wait takes a number of seconds, not "${values.wait}".`)
    const desk = await deskFor(values)
    const headers = headersOf(values.header)
    const upstreams = new Upstreams(connectTo({ servers, target, headers, desk }))
    const pending = new PendingCalls<ServerContext>(waitMs)
    const approvals = needsApproval(values) ? new Approvals(desk) : undefined
    const proxying = { upstreams, desk, pending, approvals, outputs: new PromisedOutputs() }
    try {
      if (port === undefined) await Promise.race([serveStdio(proxying), untilStopped()])
      else {
        const served = await serveHttp(proxying, port)
        const stopped = untilStopped()
        console.error(`beckon: the proxy is at ${served.url}`)
        await stopped
        await served.close()
      }
      return exitCodes.ok
    } finally {
      await upstreams.close()
      await desk.close()
    }
  },
})

interface Behind {
  readonly servers: ReadonlyMap<string, ListedServer> | undefined
  readonly target: Target | undefined
  readonly headers: Record<string, string>
  readonly desk: ProxyDesk
}

/** Connects a client to the one server, or to all of a file. */
function connectTo({ servers, target, headers, desk }: Behind): Connect {
  const open = (downstream: Downstream, server: ListedServer, name?: string) =>
    Upstream.open(downstream, { ...server, desk, name, stderr: 'inherit' })
  if (servers === undefined) {
    if (target === undefined) throw usageError('Name a server.')
    return downstream => open(downstream, { target, headers })
  }
  return downstream =>
    Servers.open({
      names: [...servers.keys()],
      say: line => desk.say(line),
      async open(name) {
        const server = servers.get(name)
        if (server === undefined) throw new Error(`There is no server "${name}".`)
        return open(downstream, server, name)
      },
    })
}

function listed(path: string, positionals: readonly string[], words: readonly string[] | undefined) {
  if (positionals.length > 0 || words !== undefined)
    throw usageError('With --config the servers are in the file: name no other.')
  return serversIn(path)
}

interface Given {
  readonly desk?: string | undefined
  readonly principal?: string | undefined
  readonly 'desk-port'?: string | undefined
  readonly rules?: string | undefined
  readonly approve: boolean
  readonly open: boolean
}

function needsApproval({ approve, rules }: Given): boolean {
  return approve || rules !== undefined
}

async function deskFor(given: Given): Promise<ProxyDesk> {
  const { desk: address, principal, 'desk-port': port, rules, open: opens } = given
  if (address === undefined) {
    if (principal !== undefined)
      throw usageError('--principal names a person that a desk knows, so it needs --desk: the inbox here knows nobody.')
    return ownDesk({ port: portOf(port) ?? 0, opens, rules })
  }
  if (port !== undefined) throw usageError('With --desk there is no inbox here, and so no --desk-port.')
  if (rules !== undefined)
    throw usageError('With --desk the rules are those of that desk: give them to it, and --approve to this.')
  return proxyDeskAt(address, { opens, principal })
}

/** @throws CliError for a file of rules that has mistakes */
async function ownDesk(options: Parameters<typeof openProxyDesk>[0]): Promise<ProxyDesk> {
  try {
    return await openProxyDesk(options)
  } catch (error) {
    if (options.rules === undefined) throw error
    throw usageError(`The rules cannot be used.\n${error instanceof Error ? error.message : String(error)}`)
  }
}

function serverOf(positionals: readonly string[], words: readonly string[] | undefined): Target {
  const [server, ...others] = positionals
  if (words !== undefined && server === undefined) return commandTarget(words)
  if (server === undefined || words !== undefined || others.length > 0) {
    throw usageError(
      'Name one server: beckon proxy <url>, or beckon proxy -- <command...>; or several: beckon proxy --config <file>.',
    )
  }
  return targetOf(server)
}
