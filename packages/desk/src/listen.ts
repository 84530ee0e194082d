// The desk on the network: who comes in is decided by `access`, then it is the live protocol, the REST surface or
// the page.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from 'beckon'
import { WebSocketServer } from 'ws'
import {
  type Access,
  type AccessResponse,
  type Admission,
  admission,
  type Rechecks,
  refuseUpgrade,
  requestOf,
  type ServerOf,
  sendResponse,
  type Tickets,
} from './access/index.js'
import type { Live } from './live/create-live.js'
import type { GroupsOf } from './people/directory.js'
import type { Person, Role, Viewer } from './policy/audience.js'
import type { DeskHttp } from './serve-http.js'

export interface ListenOptions {
  /** Default: any that is free. */
  readonly port?: number | undefined
  /** Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string | undefined
  /** A certificate with its chain, and its key, both as PEM: the desk speaks https itself. Default: http, and TLS is a proxy's. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Takes a request before the desk does, as a server at `/mcp` of the same port; false leaves it to the desk. */
  readonly beside?: ((incoming: IncomingMessage, outgoing: ServerResponse) => boolean) | undefined
}

export interface ListenerOptions extends ListenOptions {
  readonly access: Access
  readonly live: Live
  readonly clock: Clock
  readonly rechecks: Rechecks
  /** Host names under which the desk may be reached, beside its own on this machine. */
  readonly allowedHosts?: readonly string[] | undefined
  readonly allowedOrigins?: readonly string[] | undefined
  readonly publicUrl?: string | undefined
  readonly proxies?: readonly string[] | undefined
  /** Answers everything that is neither a socket nor a way to sign in. */
  readonly serve: DeskHttp['serveViewer']
  /** Answers servers in other processes. */
  readonly serveServer: DeskHttp['serveServer']
  /** Which server sends a request. */
  readonly serverOf?: ServerOf | undefined
  readonly tickets: Tickets
  /** Someone was let in. */
  readonly onViewer?: ((viewer: Viewer) => void) | undefined
  /** Which groups someone is in, whatever their access says. */
  readonly groupsOf?: GroupsOf | undefined
  /** What someone may do, where their access does not say. */
  readonly roleOf?: ((person: Person) => Role | undefined) | undefined
  readonly onError: (error: unknown) => void
}

export interface Listener {
  readonly url: string
  /** Takes nobody more, tells those on sockets to come back elsewhere, and answers what was asked before. */
  close(): Promise<void>
}

/** What was asked before a desk closes is answered within this time. */
const closingMs = 5_000

/** What is done, or told, later than this after someone was let in is done on a proof that is looked at again. */
const provenMs = 1_000

const socketPath = '/live'
const signOutPath = '/sign-out'
const socketsOnly: AccessResponse = {
  status: 426,
  headers: [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Content-Type', 'text/plain; charset=utf-8'],
  ],
  body: 'The live protocol is spoken here on a WebSocket. Connect with a WebSocket client, or use /api with any HTTP client.\n',
}

export async function openListener(options: ListenerOptions): Promise<Listener> {
  const {
    port = 0,
    host = '127.0.0.1',
    access,
    live,
    clock,
    rechecks,
    serve,
    serveServer,
    serverOf,
    groupsOf,
    roleOf,
    tickets,
    onViewer = () => {},
    onError,
    proxies,
    beside,
    tls,
  } = options
  const sockets = new WebSocketServer(live.socketOptions)
  let admit: (request: ReturnType<typeof requestOf>) => Promise<Admission>

  async function request(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const wanted = requestOf(incoming, { proxies })
    const admitted = await admit(wanted)
    const until = clock.now() + provenMs
    if (admitted.kind === 'server') {
      const { server } = admitted
      const isStillIn = async () => clock.now() < until || (await serverOf?.(wanted)) === server
      return serveServer(incoming, outgoing, { who: server, isStillIn })
    }
    if (admitted.kind === 'answered') {
      sendResponse(outgoing, admitted.response)
      if (wanted.path === signOutPath && wanted.method === 'POST') rechecks.signedOut()
      return
    }
    const { viewer } = admitted
    const { expiresAt = Number.POSITIVE_INFINITY, stillValid = async () => true } = viewer
    onViewer(viewer)
    for (const [name, value] of admitted.headers) outgoing.appendHeader(name, value)
    if (wanted.path === socketPath) return sendResponse(outgoing, socketsOnly)
    // A feed of events is as long as a socket.
    outgoing.once(
      'close',
      rechecks.hold(viewer, () => outgoing.destroy()),
    )
    const isStillIn = async () => clock.now() < until || (clock.now() < expiresAt && (await stillValid()))
    await serve(incoming, outgoing, { who: viewer, isStillIn })
  }

  async function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Node no longer listens to this socket, and a reset while someone is looked up would end the process.
    socket.on('error', () => socket.destroy())
    const wanted = requestOf(incoming, { proxies })
    const admitted = await admit(wanted)
    if (admitted.kind === 'answered') return refuseUpgrade(socket, admitted.response)
    if (admitted.kind === 'server' || wanted.path !== socketPath)
      return refuseUpgrade(socket, { status: 404, headers: [], body: '' })
    const { viewer } = admitted
    onViewer(viewer)
    sockets.handleUpgrade(incoming, socket, head, opened => {
      // A socket does not outlive the proof of who is on it.
      const end = live.accept(opened, viewer, viewer.stillValid, socket)
      opened.once('close', rechecks.hold(viewer, end))
      if (viewer.expiresAt === undefined) return
      opened.once('close', clock.after(Math.max(0, viewer.expiresAt - clock.now()), end))
    })
  }

  let isClosing = false
  const besides = new Set<ServerResponse>()
  function take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    outgoing.once('close', () => {
      if (isClosing) setImmediate(() => server.closeIdleConnections())
    })
    if (beside?.(incoming, outgoing)) {
      // What somebody else answers is theirs to end well: it may go on for ever.
      besides.add(outgoing)
      outgoing.once('close', () => besides.delete(outgoing))
      return
    }
    request(incoming, outgoing).catch(error => {
      // A client that went away in the middle of its request is not an error of ours.
      if (!incoming.complete && incoming.destroyed) return
      onError(error)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500).end()
    })
  }
  const server = tls === undefined ? createServer(take) : createSecureServer(tls, take)
  server.on('upgrade', (incoming, socket, head) => {
    upgrade(incoming, socket, head).catch(error => {
      onError(error)
      socket.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? portTaken(port, error) : error)
    server.once('error', failed)
    server.listen(port, host, () => resolve(void server.off('error', failed)))
  })
  // A server that listens on a port has an address of this kind.
  const { port: bound, address, family } = server.address() as AddressInfo
  const { allowedHosts, allowedOrigins, publicUrl } = options
  try {
    admit = admission({
      access,
      tickets,
      serverOf,
      groupsOf,
      roleOf,
      host,
      port: bound,
      onError,
      allowedHosts,
      allowedOrigins,
      publicUrl,
    })
  } catch (error) {
    server.close()
    throw error
  }
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${family === 'IPv6' ? `[${address}]` : address}:${bound}/`,
    async close() {
      isClosing = true
      const closed = new Promise(resolve => server.close(resolve))
      await live.close()
      sockets.close()
      for (const outgoing of besides) outgoing.destroy()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), closingMs)
      await closed
      clearTimeout(timer)
    },
  }
}

function portTaken(port: number, cause: Error): Error {
  return new Error(`Port ${port} is taken. Name another one, with listen({ port }), or none for any that is free.`, {
    cause,
  })
}
