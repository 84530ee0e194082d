// The ways that an app and a gateway come to talk. A script has to go the same on each.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'
import { type App, type Credentials, memoryStorage } from '../../src/index.js'
import { Frames } from '../frames.js'
import type { GatewayEnd } from './run-script.js'

/** Brings an app together with a gateway, for as long as something takes. */
export type Way = (app: App, use: (gateway: GatewayEnd) => Promise<void>) => Promise<void>

/** The app listens on a WebSocket, and is found by its manifest. */
export const onWebSocket: Way = (app, use) =>
  atHome(async home => {
    const listening = await app.listen({ home, onClaimCode: () => {} })
    try {
      const { transport, hostMintedClaim } = JSON.parse(await readFile(listening.manifestPath, 'utf8'))
      const socket = new WebSocket(transport.url, ['tesseron-gateway', `tesseron-bind.${hostMintedClaim.code}`])
      await use(endOf(socket))
      socket.close()
    } finally {
      await listening.close()
    }
  })

/** The app listens on a Unix socket. */
export const onUnixSocket: Way = (app, use) =>
  atHome(async home => {
    const listening = await app.listen({ home, transport: 'uds', onClaimCode: () => {} })
    try {
      const { transport, hostMintedClaim } = JSON.parse(await readFile(listening.manifestPath, 'utf8'))
      const frames = new Frames()
      const socket = connect(transport.path)
      socket.on('close', () => frames.end())
      socket.on('error', () => {})
      createInterface(socket)
        .on('line', line => frames.push(line))
        .on('error', () => {})
      const bind = { jsonrpc: '2.0', id: 'bind', method: 'tesseron/bind', params: { code: hostMintedClaim.code } }
      socket.write(`${JSON.stringify(bind)}\n`)
      await frames.next()
      await use({ send: text => socket.write(`${text}\n`), next: () => frames.next() })
      socket.destroy()
    } finally {
      await listening.close()
    }
  })

/** The app dials, with the credentials of a session where it has some. */
export const diallingWith =
  (credentials: Credentials | undefined): Way =>
  async (app, use) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    const controller = new AbortController()
    const { port } = server.address() as { port: number }
    const storage = memoryStorage()
    if (credentials !== undefined) storage.save(credentials)
    const connected = app.connect(`ws://127.0.0.1:${port}/`, { signal: controller.signal, storage }).catch(() => {})
    try {
      const [socket] = (await once(server, 'connection')) as [WebSocket]
      await use(endOf(socket))
    } finally {
      controller.abort()
      await connected
      server.close()
      await once(server, 'close')
    }
  }

function endOf(socket: WebSocket): GatewayEnd {
  const frames = new Frames()
  socket.on('message', data => frames.push(String(data)))
  socket.on('close', () => frames.end())
  return { send: text => socket.send(text), next: () => frames.next() }
}

async function atHome(use: (home: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'beckon-app-test-'))
  try {
    await use(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
