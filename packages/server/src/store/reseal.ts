// After a key has leaked, what it sealed must be sealed by another before the old one is dropped: then a copy of the store that is made
// from now on is of no use to someone who has the old key. A copy that they made before is theirs for good.
import { type Key, sealedByAnother } from '../crypto/seal.js'
import { type Clock, systemClock } from '../runtime/clock.js'
import type { JsonValue } from './json.js'
import { givenKeys, type KeyRing, storedKeysOf } from './key-ring.js'
import type { Store } from './store.js'

/** What sealing again came to. */
export interface Resealed {
  /** Values that were sealed by an older key, and are sealed by the newest now. */
  readonly values: number
  /** Values that none of the keys opens: of others who use the same store with keys of their own. They are as they were. */
  readonly foreign: number
}

export interface ResealOptions {
  /** The keys, the newest first. Default: those that the store keeps: a new one is made, and the others are dropped in the end. */
  readonly keys?: Key | readonly Key[] | undefined
  readonly clock?: Clock | undefined
}

/**
 * Seals all that a store keeps with the newest key, where it is. With keys of your own it may be in use meanwhile, by nodes that have
 * the same ones. Where the store keeps the keys itself, stop whatever uses it before.
 * @example
 * await resealStore(store, { keys: [newKey, oldKey] })
 */
export async function resealStore(store: Store, { keys, clock = systemClock }: ResealOptions = {}): Promise<Resealed> {
  if (keys !== undefined) return resealBy(store, givenKeys(keys))
  const ring = storedKeysOf(store, clock)
  try {
    await ring.renew()
    const resealed = await resealBy(store, ring)
    await ring.dropOlder()
    return resealed
  } finally {
    ring.close()
  }
}

async function resealBy(store: Store, ring: KeyRing): Promise<Resealed> {
  if (store.rewrite === undefined) throw new TypeError('This store cannot replace values where they are.')
  await ring.opening
  const { seal, open } = ring.seal('store')
  const current = seal(null)
  let foreign = 0
  const change = (value: JsonValue): JsonValue | undefined => {
    if (typeof value !== 'string' || !sealedByAnother(value, current)) return undefined
    try {
      return seal(open(value))
    } catch {
      foreign++
      return undefined
    }
  }
  return { values: await store.rewrite(change), foreign }
}
