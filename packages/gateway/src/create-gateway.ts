import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type BeckonServer, createServer, type NodeListener, type ServerOptions, systemClock } from 'beckon'
import { AppSockets } from './app-sockets.js'
import { type AppStatus, statusOf } from './app-status.js'
import { InstanceWatch } from './discovery/watch-instances.js'
import { instancesFolder } from './list-apps.js'
import { Apps } from './sessions/apps.js'
import { ClaimByCode } from './sessions/claim-by-code.js'
import { fileStorage, storeStorage } from './sessions/claim-storage.js'
import { Claims } from './sessions/claims.js'
import { Dialler } from './sessions/dialler.js'
import { checkHost, checkReach, localFetch, localNode } from './this-machine-only.js'
import { AppResources, uriOf } from './tools/app-resources.js'
import { AppTools } from './tools/app-tools.js'
import { addMetaTools } from './tools/meta-tools.js'

// The folder above is the package's own, from its sources and from what is built of them.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export interface GatewayOptions {
  /** The folder in which `.tesseron/instances` is. Default: the user's home. */
  readonly home?: string | undefined
  /** Options of the MCP server: who a request is for, a desk, a store, and so on. */
  readonly server?: Partial<ServerOptions> | undefined
  /** Origins of pages that may connect as applications, beside pages of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** How often to look for applications that watching did not tell of. Default: 2 seconds. */
  readonly pollMs?: number | undefined
  /** Takes what a person who runs the gateway should know. Default: standard error. */
  readonly log?: ((message: string) => void) | undefined
}

/** Running applications as tools of an MCP server. */
export interface Gateway {
  /** Serves `/mcp`, and `/beckon/app` for applications that connect by themselves. */
  listen(options: { port?: number; host?: string }): Promise<{ url: string }>
  /** Over HTTP, for any runtime with web standards. */
  fetch(request: Request): Promise<Response>
  /** Over HTTP, for servers of `node:http` and Express. */
  readonly node: NodeListener
  /** On standard input and output, or on any transport of the official SDK. */
  stdio: BeckonServer['stdio']
  /** The applications that are known now, and what is with them. */
  apps(): Promise<AppStatus[]>
  close(): Promise<void>
}

type Identify = NonNullable<ServerOptions['identify']>

const defaultPollMs = 2_000
const instructions =
  'Tools of running applications. When the person gives you a claim code (like AB3X-7K), call tesseron__claim_session with it; the actions of that application then are tools of their own.'

/**
 * A gateway that finds running applications and makes their actions tools, for anyone who has their claim code.
 * @example
 * const gateway = createGateway()
 * await gateway.listen({ port: 7475 })
 */
export function createGateway(options: GatewayOptions = {}): Gateway {
  const { home = homedir(), pollMs = defaultPollMs, allowedOrigins = [], log = logToStderr } = options
  const { clock = systemClock, desk, fallback, store, keys, allowedHosts = [], publicUrl } = options.server ?? {}
  const reach = options.server ?? {}
  checkReach(reach)
  const server = createServer({
    name: 'beckon-gateway',
    version,
    instructions,
    ...options.server,
    identify: options.server?.identify && onlyWithName(options.server.identify),
    // What an application did cannot be done again.
    replay: 'never',
    // An action that nobody waits for any more must not go on when someone says yes hours later.
    whenGone: 'cancel',
  })
  const claimsFile = join(home, '.tesseron', 'gateway', 'claims.json')
  const storage = store === undefined ? fileStorage(claimsFile) : storeStorage(store, { keys, clock })
  const claims = new Claims(storage, log)
  const apps = new Apps({
    clock,
    claims,
    log,
    onChanged() {
      const { claimed } = apps
      tools.sync(claimed)
      resources.sync(claimed)
    },
    onResourceUpdated: (session, name) => server.updated(uriOf(session, name)),
    onAway: () => void look(),
  })
  const look = () => watch.look()
  const dialler = new Dialler({ apps, claims, clock, log })
  const watch = new InstanceWatch({
    folder: instancesFolder(home),
    clock,
    pollMs,
    onFound: found => dialler.found(found),
  })
  const runner = { apps, clock, hasDesk: desk !== undefined && (fallback ?? 'desk') === 'desk' }
  const tools = new AppTools(server, runner, log)
  const resources = new AppResources(server, apps, clock)
  const claiming = new ClaimByCode({ apps, dialler, clock, look })
  addMetaTools(server, { runner, tools, claiming, dialler, look })
  const sockets = new AppSockets({
    allowedOrigins,
    allowedHosts: publicUrl === undefined ? allowedHosts : [...allowedHosts, new URL(publicUrl).hostname],
    onConnected: channel => void apps.connect(channel, { kind: 'open' }).catch(() => {}),
  })

  return {
    async listen({ port, host = '127.0.0.1' }) {
      checkHost(host, reach)
      return server.listen({
        ...(port !== undefined && { port }),
        host,
        upgrade: sockets.upgrade,
        ...(reach.identify === undefined && { around: localNode }),
      })
    },
    fetch: reach.identify ? server.fetch : localFetch(server.fetch),
    node: reach.identify ? server.node : localNode(server.node),
    stdio: stdioOptions => server.stdio(stdioOptions),
    async apps() {
      await claims.ready
      await look()
      return statusOf({ apps, claims, dialler })
    },
    async close() {
      watch.close()
      apps.close()
      await claims.settled()
      await server.close()
      await claims.close()
    },
  }
}

/** Anyone who has no name would own what the gateway itself owns. */
function onlyWithName(identify: Identify): Identify {
  return async request => {
    const principal = await identify(request)
    if (principal === undefined) throw new Error('This gateway serves only callers that it can identify.')
    return principal
  }
}

/** Names of applications and files are anybody's words, and a terminal takes some characters for commands. */
function logToStderr(message: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  process.stderr.write(`beckon gateway: ${message.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')}\n`)
}
