// Flows behind a URL: registered before anything is sent, completed from any process that shares the store.
import { AskExpiredError } from '@beckon/core'
import type { Store } from '../store/index.js'
import type { Clock } from './clock.js'

export interface Completions {
  /** Makes an id known, so that a completion that comes at once is not lost. Known already: nothing changes. */
  register(id: string, expiresAt: number): Promise<void>
  /** Resolves when the flow was completed; rejects when its time is over. */
  wait(id: string, expiresAt: number): Promise<void>
  /** Completes a flow. False for an id that nobody registered, or whose time is over; a second time changes nothing. */
  complete(id: string): Promise<boolean>
}

export function createCompletions(store: Store, clock: Clock): Completions {
  const keyOf = (id: string) => `url/${id}`
  async function isDone(id: string): Promise<boolean> {
    return (await store.get(keyOf(id)))?.value === 'done'
  }
  return {
    async register(id, expiresAt) {
      await store.compareAndSet(keyOf(id), undefined, 'pending', { expiresAt })
    },

    async wait(id, expiresAt) {
      let stopTimer = () => {}
      let unsubscribe = async () => {}
      try {
        await new Promise<void>((resolve, reject) => {
          stopTimer = clock.after(Math.max(0, expiresAt - clock.now()), () => reject(new AskExpiredError(id)))
          const look = () => isDone(id).then(done => done && resolve(), reject)
          // A completion between looking and subscribing would be missed: look once more afterwards.
          store.subscribe(keyOf(id), look).then(stop => {
            unsubscribe = stop
            look()
          }, reject)
        })
      } finally {
        stopTimer()
        await unsubscribe()
      }
    },

    async complete(id) {
      const known = await store.get(keyOf(id))
      if (known === undefined) return false
      if (known.value !== 'done') await store.set(keyOf(id), 'done', { expiresAt: clock.now() + 24 * 60 * 60 * 1000 })
      await store.publish(keyOf(id), 'done')
      return true
    },
  }
}
