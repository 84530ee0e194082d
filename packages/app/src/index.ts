import type { ActionBuilder } from './app/action.js'
import { type AppOptions, Offer } from './app/offer.js'
import type { Resource } from './app/resource.js'
import { type Connection, type ConnectOptions, dial } from './dial/dial.js'
import { openNodeSocket } from './dial/node-socket.js'
import { memoryStorage } from './dial/storage.js'
import { type Listening, type ListenOptions, listen } from './host/listen.js'

// biome-ignore lint/performance/noReExportAll: the names are listed there, once for both entries
export * from './everywhere.js'
export type { Address } from './host/endpoint.js'
export type { Listening, ListenOptions } from './host/listen.js'

/** An application. */
export interface App {
  /** Starts an action; `handler` offers it. */
  action(name: string): ActionBuilder
  /** Starts a resource; `read` offers it. */
  resource(name: string): Resource
  /** Listens for a gateway of this machine, which finds it by its manifest. Not in a page. */
  listen(options?: ListenOptions): Promise<Listening>
  /** Connects to a gateway, and stays connected over restarts. */
  connect(url: string | URL, options?: ConnectOptions): Promise<Connection>
}

/**
 * An application whose actions agents can call.
 *
 * @example
 * const shop = app({ id: 'shop', name: 'The shop' })
 * shop.action('checkStock').handler(async (_input, ctx) => { ... })
 * await shop.listen()
 */
export function app(options: AppOptions): App {
  const offer = new Offer(options)
  return {
    action: name => offer.draftAction(name),
    resource: name => offer.draftResource(name),
    listen: given => listen(offer, given),
    connect: (url, given = {}) =>
      dial(offer, { openSocket: openNodeSocket, storage: memoryStorage(), ...given, url: String(url) }),
  }
}
