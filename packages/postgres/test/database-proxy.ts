// Stands between a node and its database, and can cut the way or make it go silent.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  readonly url: string
  /** Refuses everybody, and ends who is there. */
  cut(): void
  /** Lets nothing through any more, in either direction, and says so to nobody. */
  silence(): void
  /** Works again, for new connections. */
  mend(): void
  close(): Promise<void>
}

export async function createDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let mode: 'open' | 'cut' | 'silent' = 'open'
  const server = createServer(inside => {
    track(inside)
    if (mode === 'cut') return inside.resetAndDestroy()
    if (mode === 'silent') return
    const outside = track(connect(Number(target.port || 5432), target.hostname))
    inside.on('data', data => mode !== 'silent' && outside.write(data))
    outside.on('data', data => mode !== 'silent' && inside.write(data))
    inside.on('close', () => outside.destroy())
    outside.on('close', () => inside.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function track(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    return socket
  }

  function endAll(): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  const through = new URL(url)
  through.hostname = '127.0.0.1'
  // A server that listens has an address with a port.
  through.port = `${(server.address() as AddressInfo).port}`
  return {
    url: through.href,
    cut() {
      mode = 'cut'
      endAll()
    },
    silence() {
      mode = 'silent'
    },
    mend() {
      endAll()
      mode = 'open'
    },
    async close() {
      endAll()
      server.close()
      await once(server, 'close')
    },
  }
}
