import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from 'beckon'
import { RemoteSearches } from '../src/asks/remote-searches.js'
import type { Role } from '../src/policy/audience.js'
import type { Rest } from '../src/rest/index.js'
import { httpOf } from '../src/serve-http.js'
import { ServerAsks } from '../src/servers/server-asks.js'

const none = () => Promise.reject(new Error('There are no programs here.'))

/** A REST surface on a real port. Whoever the bearer token names is the viewer; `x-groups` has their groups, `x-role` their role. */
export async function serveRest(rest: Rest): Promise<{ url: string; close(): Promise<void> }> {
  const searches = new RemoteSearches(systemClock)
  const asks = new ServerAsks({
    clock: systemClock,
    searches,
    open: none,
    isThere: none,
    outcome: none,
    withdraw: none,
    report: none,
  })
  const { serveViewer } = httpOf({ rest, asks })
  const server = createServer((incoming, outgoing) => {
    const header = (name: string) => incoming.headers[name]?.toString()
    const principal = header('authorization')?.replace('Bearer ', '') ?? ''
    const groups = header('x-groups')?.split(',') ?? []
    const role = header('x-role') as Role | undefined
    const viewer = { principal, device: 'script', groups, ...(role && { role }) }
    serveViewer(incoming, outgoing, { who: viewer, isStillIn: async () => true }).catch(() => outgoing.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
