// Flows behind a URL: registered before anything is sent, completed from any process that shares the store.

import type { Clock } from '../runtime/clock.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import type { ExternalWait, Waits } from './waits.js'

export interface Completions {
  /**
   * Makes an id known, so that a completion that comes at once is not lost. A call that registers it again, in a replay,
   * changes nothing; another call finds nothing done. Resolves to when its time is over.
   */
  register(id: string, call: string, expiresAt: number): Promise<number>
  /** Resolves when the flow was completed; rejects when its time is over, and says what the person was asked for. */
  wait(id: string, message: string, expiresAt: number): ExternalWait<true>
  isDone(id: string): Promise<boolean>
  /** Under which it is waited for. */
  keyOf(id: string): string
  /** Completes a flow. False for an id that nobody registered, or whose time is over; a second time changes nothing. */
  complete(id: string): Promise<boolean>
}

interface Completion {
  readonly status: 'pending' | 'done'
  readonly call: string
  readonly expiresAt: number
}

/** How long a completion is there for a call that comes for it late. */
const keepMs = 24 * 60 * 60 * 1000

export interface CompletionsOptions {
  /** The name of the server. Ids may be an author's own, and two servers in one store have the same. */
  server: string
  store: Store
  clock: Clock
  waits: Waits
}

export function createCompletions({ server, store, clock, waits }: CompletionsOptions): Completions {
  const keyOf = (id: string) => `completion/${JSON.stringify([server, id])}`
  const cell = (id: string) => new Cell<Completion>(store, keyOf(id))
  async function isDone(id: string): Promise<boolean> {
    return (await cell(id).get())?.status === 'done'
  }

  return {
    register: (id, call, expiresAt) =>
      cell(id).update(known => {
        const isOurs = known !== undefined && (known.call === call || known.status === 'pending')
        return isOurs
          ? { result: known.expiresAt }
          : { value: { status: 'pending', call, expiresAt }, expiresAt, result: expiresAt }
      }),

    wait: (id, message, expiresAt) =>
      waits.wait({ key: keyOf(id), message, look: async () => (await isDone(id)) || undefined, expiresAt }),

    isDone,
    keyOf,

    async complete(id) {
      const isKnown = await cell(id).update(known => {
        if (known === undefined || known.status === 'done') return { result: known !== undefined }
        return { value: { ...known, status: 'done' }, expiresAt: clock.now() + keepMs, result: true }
      })
      if (!isKnown) return false
      await waits.tell(keyOf(id))
      return true
    },
  }
}
