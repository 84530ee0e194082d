import { fields } from '../fields.js'
import type { Backend } from './backend.js'

/** Since 2026-07-28 a client subscribes by listening, which the SDK answers by itself. */
export async function subscribeFor(message: unknown, upstream: Backend): Promise<void> {
  const { method, params } = fields(message)
  if (method !== 'subscriptions/listen') return
  const { resourceSubscriptions } = fields(fields(params).notifications)
  const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions.map(String) : []
  await Promise.all(uris.map(uri => upstream.subscribe(uri).catch(() => {})))
}
