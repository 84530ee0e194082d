// A process that a test can have die: its server reaches the store no more, and another one begins where it was.
import type { Clock } from '../runtime/clock.js'
import type { BeckonServer } from '../server/beckon-server.js'
import type { Store } from '../store/index.js'
import { memoryStore } from '../store/memory-store.js'
import { mortalStore } from './mortal-store.js'

/** A server that lives in one process after the other, on one store. */
export interface TestProcess {
  /** The one that lives now. */
  readonly server: BeckonServer
  /** Ends the process, as a crash does: nothing that it still does arrives. Another one is there at once. */
  crash(): void
  /** Called after each crash, until the result is called. */
  onCrash(listener: () => void): () => void
  /** Closes the server that lives, and the store. */
  close(): Promise<void>
}

export interface TestProcessOptions {
  /** What every process shares. Default: one in memory. */
  store?: Store
  /** For the store in memory, where the servers go by it as well. */
  clock?: Pick<Clock, 'now'>
}

/**
 * A server whose process can die between two rounds, while a task waits, or in the middle of a handler.
 * @example
 * const process = createTestProcess(store => createServer({ name: 'shop', version: '1.0.0', store }).tool(order))
 * const client = createTestClient(process, {
 *   answer() {
 *     process.crash() // between the round that asked and the one that brings the answer
 *     return true
 *   },
 * })
 */
export function createTestProcess(
  create: (store: Store) => BeckonServer,
  { store, clock }: TestProcessOptions = {},
): TestProcess {
  const shared = store ?? memoryStore(clock && { clock })
  const listeners = new Set<() => void>()
  const begin = () => {
    const mortal = mortalStore(shared)
    return { server: create(mortal), die: mortal.die }
  }
  let living = begin()
  return {
    get server() {
      return living.server
    },
    crash() {
      living.die()
      living = begin()
      for (const listener of listeners) listener()
    },
    onCrash(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await living.server.close()
      if (store === undefined) await shared.close()
    },
  }
}
