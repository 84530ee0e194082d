import type { Clock } from '../runtime/clock.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import { digestOf } from './secret.js'
import { SecretMap } from './secret-map.js'

/** What counts once: which secrets were used, for as long as they would count otherwise. Their digests alone are kept. */
export interface UsedSecrets {
  has(secret: string): Promise<boolean>
  /** True for the first who uses it, wherever that is. */
  use(secret: string, expiresAt: number): Promise<boolean>
}

/** Those of one process. */
export function usedInMemory(clock: Pick<Clock, 'now'>, max: number): UsedSecrets {
  const used = new SecretMap<true>(clock, max)
  return {
    has: async secret => used.get(secret) !== undefined,
    async use(secret, expiresAt) {
      if (used.get(secret) !== undefined) return false
      used.set(secret, true, expiresAt)
      return true
    },
  }
}

/** Those of every process on a store. */
export function usedInStore(store: Store, name: string): UsedSecrets {
  const cell = (secret: string) => new Cell<true>(store, `${name}/${digestOf(secret)}`)
  return {
    has: async secret => (await cell(secret).get()) !== undefined,
    use: (secret, expiresAt) =>
      cell(secret).update<boolean>(known =>
        known === undefined ? { value: true, expiresAt, result: true } : { result: false },
      ),
  }
}
