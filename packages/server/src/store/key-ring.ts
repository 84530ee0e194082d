import { variable } from '#platform'
import { createSeal, type Key, randomKey, type Seal } from '../crypto/seal.js'
import { type Clock, systemClock } from '../runtime/clock.js'
import type { Store } from './store.js'
import { StoredKeys, type Wrapping } from './stored-keys.js'

/** Where seals come from. */
export interface KeyRing {
  /** What has to be waited for before a seal is used; undefined when there is nothing (any more). */
  readonly opening: Promise<void> | undefined
  /** The seal for a purpose. It can be made at once, and used when the ring is open. */
  seal(purpose: string): Seal
  close(): void
}

/** A ring of keys that someone gave: the first seals, all of them open. */
export function givenKeys(keys: Key | readonly Key[]): KeyRing {
  // A list of keys is an array; a key is a string or bytes.
  const ring = Array.isArray(keys) ? (keys as readonly Key[]) : [keys as Key]
  return { opening: undefined, seal: purpose => createSeal(ring, purpose), close() {} }
}

/** A ring with a key of its own, which nobody else has: what it seals is opened by this process alone. */
export function ownKey(): KeyRing {
  let key: Key | undefined
  // Some runtimes have no randomness while modules are loaded.
  const secret = () => (key ??= randomKey())
  const seal = (purpose: string): Seal => {
    let made: Seal | undefined
    const whole = () => (made ??= createSeal([secret()], purpose))
    return { seal: value => whole().seal(value), open: sealed => whole().open(sealed) }
  }
  return { opening: undefined, seal, close() {} }
}

/** The ring for a store that others share: the keys that were given, else those that the store keeps. */
export function keyRingFor(store: Store, keys: Key | readonly Key[] | undefined, clock: Clock): KeyRing {
  return keys === undefined ? storedKeysOf(store, clock) : givenKeys(keys)
}

/** The keys that a store keeps, wrapped by `BECKON_KEY` where that is set. */
export function storedKeysOf(store: Store, clock: Clock): StoredKeys {
  const wrapping = variable('BECKON_KEY')
  return new StoredKeys(store, clock, wrapping ? wrappingBy(wrapping.split(',')) : undefined)
}

/**
 * Finds out whether this process can open the keys that a store keeps: whether `BECKON_KEY` is what they are wrapped by. A store
 * that has none yet is fine, and gets none. For a probe of whether a node is ready, which does not have keys of its own.
 * @throws Error that says what to do, when it cannot
 * @example
 * await checkKeys(store)
 */
export async function checkKeys(store: Store): Promise<void> {
  await storedKeysOf(store, systemClock).check()
}

/** Keys that wrap, the newest first; `none` where those in the store may be from before there was one. */
function wrappingBy(words: readonly string[]): Wrapping {
  const keys = words.filter(word => word !== 'none')
  if (keys.length === 0) throw new TypeError('BECKON_KEY has no key in it.')
  return { seal: createSeal(keys, 'key ring'), takesUnwrapped: keys.length < words.length }
}
