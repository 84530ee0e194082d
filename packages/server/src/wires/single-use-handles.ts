// Handles that stand for something that stays here, each good once. Where the store is not shared they are bounded in number and
// bytes, and strangers, of whom there may be any number, do not push out those who are known.
import { digest } from '../crypto/digest.js'
import { randomSecret } from '../crypto/random-bytes.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import { sizeOf } from '../runtime/size-of.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'

export interface HandleLimits {
  readonly store: Store
  /** So many are good at a time, in a store that is not shared; the oldest goes first. */
  readonly maxHandles: number
  /** So much is behind them, there. */
  readonly maxBytes: number
  /** How long the state behind one can be opened after its ask expired. */
  readonly retainMs: number
}

export interface SingleUseHandles<T> {
  /** One for an ask that expires then. It stays good for `retainMs` longer: who comes late is told how the call ended. */
  issue(ticket: T, to: { readonly principal: string | undefined; readonly expiresAt: number }): Promise<string>
  /** What a handle stands for, taken out of circulation; undefined for any other. */
  redeem(handle: unknown): Promise<T | undefined>
}

/**
 * @param prefix of their names in the store
 * @param bytes of randomness in each
 */
export function singleUseHandles<T extends object>(
  prefix: string,
  bytes: number,
  { store, maxHandles, maxBytes, retainMs }: HandleLimits,
): SingleUseHandles<T> {
  const issued = () =>
    new BoundedMap<string, true>({
      max: maxHandles,
      maxBytes,
      onEvict: (_, key) => void store.delete(key).catch(() => {}),
    })
  const byStrangers = issued()
  const byPrincipals = issued()
  // A handle opens something: its key does not tell it.
  const keyOf = (handle: unknown) => `${prefix}/${digest(String(handle))}`
  return {
    async issue(ticket, { principal, expiresAt }) {
      const handle = randomSecret(bytes)
      const key = keyOf(handle)
      await new Cell<T>(store, key).set(ticket, { expiresAt: expiresAt + retainMs })
      if (!store.shared) (principal === undefined ? byStrangers : byPrincipals).set(key, true, sizeOf(ticket))
      return handle
    },

    async redeem(handle) {
      const key = keyOf(handle)
      const ticket = await new Cell<T>(store, key).get()
      byStrangers.delete(key)
      byPrincipals.delete(key)
      return ticket !== undefined && (await store.delete(key)) ? ticket : undefined
    },
  }
}
