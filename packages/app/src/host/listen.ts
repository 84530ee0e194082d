import { homedir } from 'node:os'
import type { Agent } from '../app/context.js'
import type { Offer } from '../app/offer.js'
import type { Address } from './endpoint.js'
import { Host } from './host.js'
import { newInstanceId } from './manifest.js'
import { recall } from './memory.js'
import { listenOnUnixSocket } from './unix-socket-endpoint.js'
import { listenOnWebSocket } from './web-socket-endpoint.js'

/** How an app listens for its gateway. */
export interface ListenOptions {
  /** A WebSocket on loopback, or a Unix socket. */
  readonly transport?: 'ws' | 'uds'
  /** Of the WebSocket; any that is free otherwise. */
  readonly port?: number
  /** Where the manifest goes: `<home>/.tesseron/instances`. The user's home otherwise. */
  readonly home?: string
  /** Shows a person what to tell the agent. Printed otherwise. */
  readonly onClaimCode?: (code: string) => void
  /** An agent claimed this app: the code is spent. */
  readonly onClaimed?: (agent: Agent) => void
}

/** An app that listens. */
export interface Listening {
  readonly address: Address
  readonly manifestPath: string
  /** What claims it now. */
  readonly claimCode: string
  /** Takes the app away from agents. Its claim is kept for the next time. */
  close(): Promise<void>
}

/** Listens for a gateway, and lets it be found. */
export async function listen(
  offer: Offer,
  {
    transport = 'ws',
    port = 0,
    home = homedir(),
    onClaimCode = code => console.log(`${offer.identity.name}: to connect, tell your agent the claim code ${code}`),
    onClaimed = () => {},
  }: ListenOptions = {},
): Promise<Listening> {
  const known = await recall(home, offer.identity.id)
  const host = new Host(offer, {
    home,
    known,
    instanceId: known?.instanceId ?? newInstanceId(offer.identity.id),
    onClaimCode,
    onClaimed,
  })
  const endpoint = await (transport === 'ws' ? listenOnWebSocket(host, port) : listenOnUnixSocket(host))
  try {
    await host.announce(endpoint.address)
  } catch (error) {
    await host.close()
    await endpoint.close()
    throw error
  }
  return {
    address: endpoint.address,
    manifestPath: host.manifestPath,
    get claimCode() {
      return host.claimCode
    },
    async close() {
      await host.close()
      await endpoint.close()
    },
  }
}
