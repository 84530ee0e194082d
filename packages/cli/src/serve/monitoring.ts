// What the people who run a desk look at, on an address of its own: whether it lives, whether it can serve, and its figures. It
// tells nothing of anyone, and takes nothing: still, it is not for the world.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MonitoringOptions {
  readonly host: string
  readonly port: number
  /** Why the desk cannot serve now; undefined when it can. */
  readonly problem: () => Promise<string | undefined>
  /** Writes the figures, as Prometheus reads them. */
  readonly metrics: (incoming: IncomingMessage, outgoing: ServerResponse) => void
}

export interface Monitoring {
  readonly url: string
  close(): Promise<void>
}

/** Listens for probes. Rejects when it cannot. */
export async function openMonitoring({ host, port, problem, metrics }: MonitoringOptions): Promise<Monitoring> {
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url?.split('?')[0]
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return say(outgoing, 405, 'Only GET is taken here.')
    if (path === '/healthz') return say(outgoing, 200, 'ok')
    if (path === '/metrics') return metrics(incoming, outgoing)
    if (path !== '/readyz') return say(outgoing, 404, 'There are /healthz, /readyz and /metrics.')
    const found = await problem()
    return found === undefined ? say(outgoing, 200, 'ok') : say(outgoing, 503, found)
  }

  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  // A server that listens on a port has an address of this kind.
  const { address, family, port: bound } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function say(outgoing: ServerResponse, status: number, text: string): void {
  outgoing
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${text}\n`)
}
