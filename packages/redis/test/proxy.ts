import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut, and can swallow what the server answers. */
export interface Proxy {
  readonly url: string
  /** On the connections that are open now the server hears everything from now on, and nobody hears the server. */
  mute(): void
  /** Ends every connection; new ones are as good as any. */
  cut(): void
  close(): Promise<void>
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const muted = new WeakSet<Socket>()

  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on('data', chunk => {
      if (!muted.has(upstream)) client.write(chunk)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    // A server on a port has an address.
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mute() {
      for (const socket of sockets) muted.add(socket)
    },
    cut,
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
