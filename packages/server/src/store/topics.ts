import { encodeJson } from './copy-json.js'
import type { JsonValue } from './json.js'
import type { Listener, Unsubscribe } from './store.js'

const maxMessageBytes = 7_500
/** In UTF-8, of one that JavaScript counts. */
const maxBytesPerCharacter = 3

/** The subscriptions of one process. */
export interface Topics {
  /** Calls all who are subscribed now with the message of this text, soon, each with a copy of its own. */
  deliver(topic: string, text: string): void
  subscribe(topic: string, listener: Listener): Unsubscribe
  /** True while anybody is subscribed to anything. */
  readonly isUsed: boolean
  /** Ends every subscription. */
  clear(): void
}

interface Subscription {
  readonly listener: Listener
  active: boolean
}

/** Keeps the subscriptions of one handle on a store; what other processes publish is for its caller to bring. */
export function createTopics(): Topics {
  const topics = new Map<string, Set<Subscription>>()

  return {
    deliver(topic, text) {
      for (const subscription of topics.get(topic) ?? []) queueMicrotask(() => call(subscription, text))
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

    get isUsed() {
      return topics.size > 0
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

/** The text of a message. @throws TypeError for what has no JSON, RangeError for what is too long. */
export function encodeMessage(message: JsonValue): string {
  const text = encodeJson(message)
  if (text.length * maxBytesPerCharacter <= maxMessageBytes) return text
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= maxMessageBytes) return text
  throw new RangeError(
    `A message is at most ${maxMessageBytes} bytes of JSON, and this has ${bytes}. ` +
      'Keep what it says in a key or a log, and publish where to find it.',
  )
}

function call({ active, listener }: Subscription, text: string): void {
  if (!active) return
  try {
    listener(JSON.parse(text))
  } catch {
    // A listener handles its own errors; see `Listener`.
  }
}
