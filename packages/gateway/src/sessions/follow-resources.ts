import { randomUUID } from 'node:crypto'
import type { AppSession } from './app-session.js'

/**
 * Subscribes to every resource of an application that can be, and ends what is offered no more. Which client wants to know
 * is the server's to tell; in some revisions nobody says so beforehand.
 */
export function followResources({ offer, peer, subscriptions }: AppSession): void {
  const offered = new Set(offer.resources.filter(({ subscribable }) => subscribable).map(({ name }) => name))
  for (const [subscriptionId, name] of subscriptions) {
    if (offered.delete(name)) continue
    subscriptions.delete(subscriptionId)
    peer.request('resources/unsubscribe', { subscriptionId }).catch(() => {})
  }
  for (const name of offered) {
    const subscriptionId = randomUUID()
    subscriptions.set(subscriptionId, name)
    peer.request('resources/subscribe', { name, subscriptionId }).catch(() => subscriptions.delete(subscriptionId))
  }
}
