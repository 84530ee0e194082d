// Flows behind a URL: registered before anything is sent, completed from any process that shares the store.

import type { Clock } from '../runtime/clock.js'
import type { JsonValue, Store, Version } from '../store/index.js'
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
  async function find(id: string) {
    const entry = await store.get(keyOf(id))
    // What is under these keys, we wrote.
    return entry && { version: entry.version, value: entry.value as unknown as Completion }
  }
  const put = (id: string, version: Version | undefined, value: Completion, expiresAt: number) =>
    store.compareAndSet(keyOf(id), version, { ...value } satisfies JsonValue, { expiresAt })
  async function isDone(id: string): Promise<boolean> {
    return (await find(id))?.value.status === 'done'
  }

  return {
    async register(id, call, expiresAt) {
      for (;;) {
        const known = await find(id)
        if (known !== undefined && (known.value.call === call || known.value.status === 'pending'))
          return known.value.expiresAt
        if (await put(id, known?.version, { status: 'pending', call, expiresAt }, expiresAt)) return expiresAt
      }
    },

    wait: (id, message, expiresAt) =>
      waits.wait({ key: keyOf(id), message, look: async () => (await isDone(id)) || undefined, expiresAt }),

    isDone,
    keyOf,

    async complete(id) {
      for (;;) {
        const known = await find(id)
        if (known === undefined) return false
        const isOver = known.value.status === 'done'
        if (isOver || (await put(id, known.version, { ...known.value, status: 'done' }, clock.now() + keepMs))) break
      }
      await waits.tell(keyOf(id))
      return true
    },
  }
}
