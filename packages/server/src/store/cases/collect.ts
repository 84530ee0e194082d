import assert from 'node:assert/strict'
import type { JsonValue } from '../json.js'
import type { Listener } from '../store.js'
import { assertSame } from './store-case.js'

const deadlineMs = 4_000

/** Takes the messages of a topic, and waits for them. */
export interface Collector {
  readonly messages: readonly JsonValue[]
  readonly add: Listener
  /** Waits until this many have come, and asserts that they are these, in this order. */
  assertReceived(expected: readonly JsonValue[]): Promise<void>
}

export function collect(): Collector {
  const messages: JsonValue[] = []
  let changed = (): void => {}

  return {
    messages,

    add(message) {
      messages.push(message)
      changed()
    },

    async assertReceived(expected) {
      await new Promise<void>((resolve, reject) => {
        const message = `not all of ${expected.length} messages came in ${deadlineMs} ms`
        const timer = setTimeout(() => reject(new assert.AssertionError({ message })), deadlineMs)
        changed = () => {
          if (messages.length < expected.length) return
          clearTimeout(timer)
          resolve()
        }
        changed()
      })
      assertSame(messages, expected)
    },
  }
}
