// Flows behind a URL: registered before anything is sent, completed from any process that shares the store.

import { digest } from '../crypto/digest.js'
import type { Clock } from '../runtime/clock.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import type { ExternalWait, Waits } from './waits.js'

export interface Completions {
  /**
   * Makes an id known, so that a completion that comes at once is not lost. A call that registers it again, in a replay,
   * changes nothing. Resolves to when its time is over.
   * @throws TypeError where it is another call's: what is done for one call must not count for another
   */
  register(id: string, by: Registrant, expiresAt: number): Promise<number>
  /** Resolves when the flow was completed; rejects when its time is over, and says what the person was asked for. */
  wait(id: string, message: string, expiresAt: number): ExternalWait<true>
  isDone(id: string): Promise<boolean>
  /** Under which it is waited for. */
  keyOf(id: string): string
  /** Completes a flow. False for an id that nobody registered, or whose time is over; a second time changes nothing. */
  complete(id: string): Promise<boolean>
}

/** Which call an id is of. */
export interface Registrant {
  readonly call: string
  /** Whose call it is, where that is known: once it is over, they may use the id again. */
  readonly caller: string | null
}

interface Completion extends Registrant {
  readonly status: 'pending' | 'done'
  readonly expiresAt: number
}

/** How long a completion is there for a call that comes for it late, and how long an id is not another's. */
const keepMs = 24 * 60 * 60 * 1000

export interface CompletionsOptions {
  store: Store
  clock: Clock
  waits: Waits
}

export function createCompletions({ store, clock, waits }: CompletionsOptions): Completions {
  const keyOf = (id: string) => `completion/${digest(id)}`
  const cell = (id: string) => new Cell<Completion>(store, keyOf(id))
  const isOver = ({ status, expiresAt }: Completion) => status === 'done' || clock.now() >= expiresAt
  async function isDone(id: string): Promise<boolean> {
    return (await cell(id).get())?.status === 'done'
  }

  return {
    register: (id, { call, caller }, expiresAt) =>
      cell(id).update(known => {
        if (known?.call === call) return { result: known.expiresAt }
        if (known !== undefined && !(isOver(known) && known.caller === caller && caller !== null))
          throw new TypeError('This elicitationId is that of another call. Give each call one of its own, or none.')
        const value = { status: 'pending', call, caller, expiresAt } as const
        return { value, expiresAt: expiresAt + keepMs, result: expiresAt }
      }),

    wait: (id, message, expiresAt) =>
      waits.wait({ key: keyOf(id), message, look: async () => (await isDone(id)) || undefined, expiresAt }),

    isDone,
    keyOf,

    async complete(id) {
      const isKnown = await cell(id).update(known => {
        if (known === undefined || isOver(known)) return { result: known?.status === 'done' }
        return { value: { ...known, status: 'done' }, expiresAt: clock.now() + keepMs, result: true }
      })
      if (!isKnown) return false
      await waits.tell(keyOf(id))
      return true
    },
  }
}
