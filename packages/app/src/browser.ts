// For pages, which cannot listen: nothing here is of Node.
import type { ActionBuilder } from './app/action.js'
import { type AppOptions, Offer } from './app/offer.js'
import type { Resource } from './app/resource.js'
import { openBrowserSocket } from './dial/browser-socket.js'
import { type Connection, type ConnectOptions, dial } from './dial/dial.js'
import { textStorage } from './dial/storage.js'

// biome-ignore lint/performance/noReExportAll: the names are listed there, once for both entries
export * from './everywhere.js'

/** An application in a page. */
export interface App {
  /** Starts an action; `handler` offers it. */
  action(name: string): ActionBuilder
  /** Starts a resource; `read` offers it. */
  resource(name: string): Resource
  /** Connects to a gateway, and stays connected over reloads and restarts. */
  connect(url: string | URL, options?: ConnectOptions): Promise<Connection>
}

/**
 * An application whose actions agents can call.
 *
 * @example
 * const todo = app({ id: 'todo', name: 'My todos' })
 * todo.action('clearCompleted').handler(async (_input, ctx) => { ... })
 * await todo.connect('ws://127.0.0.1:4180/beckon/app', { onClaimCode: code => { banner.textContent = code } })
 */
export function app(options: AppOptions): App {
  const offer = new Offer({ origin: location.origin, ...options })
  return {
    action: name => offer.draftAction(name),
    resource: name => offer.draftResource(name),
    connect: (url, given = {}) =>
      dial(offer, {
        openSocket: openBrowserSocket,
        storage: textStorage(() => sessionStorage, `beckon.app.${options.id}`),
        ...given,
        url: String(url),
      }),
  }
}
