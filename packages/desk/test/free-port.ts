import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** A port that nobody listens on now: for an address that has to be known before anything listens there. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
