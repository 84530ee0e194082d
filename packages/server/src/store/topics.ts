import { encodeJson } from './copy-json.js'
import type { JsonValue } from './json.js'
import type { Listener, Unsubscribe } from './store.js'

const longestMessage = 2_000

/** The subscriptions of one process. */
export interface Topics {
  publish(topic: string, message: JsonValue): void
  subscribe(topic: string, listener: Listener): Unsubscribe
  /** Ends every subscription. */
  clear(): void
}

interface Subscription {
  readonly listener: Listener
  active: boolean
}

export function createTopics(): Topics {
  const topics = new Map<string, Set<Subscription>>()

  return {
    publish(topic, message) {
      const text = encodeMessage(message)
      for (const subscription of topics.get(topic) ?? []) queueMicrotask(() => deliver(subscription, text))
    },

    subscribe(topic, listener) {
      const subscription: Subscription = { listener, active: true }
      const subscriptions = topics.get(topic) ?? new Set()
      topics.set(topic, subscriptions.add(subscription))
      return async function unsubscribe() {
        subscription.active = false
        if (subscriptions.delete(subscription) && subscriptions.size === 0) topics.delete(topic)
      }
    },

    clear() {
      for (const subscriptions of topics.values()) {
        for (const subscription of subscriptions) subscription.active = false
        subscriptions.clear()
      }
      topics.clear()
    },
  }
}

function encodeMessage(message: JsonValue): string {
  const text = encodeJson(message)
  if (text.length <= longestMessage) return text
  throw new RangeError(
    `A message is at most ${longestMessage} characters of JSON, and this has ${text.length}. ` +
      'Keep what it says in a key or a log, and publish where to find it.',
  )
}

function deliver({ active, listener }: Subscription, text: string): void {
  if (!active) return
  try {
    listener(JSON.parse(text))
  } catch {
    // A listener handles its own errors; see `Listener`.
  }
}
