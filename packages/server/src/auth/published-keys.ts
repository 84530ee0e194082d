import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../runtime/clock.js'
import { fetchJson } from './fetch-json.js'
import { Kept } from './kept.js'

const keysMs = 10 * 60 * 1000

export interface PublishedKeysOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Told why they cannot be had. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * The keys that someone publishes, fetched when they are needed. While they cannot be had, those that are known stay good.
 * Rejects with `IssuerAwayError` when whether there is a key cannot be said.
 */
export function publishedKeys(
  address: () => URL | Promise<URL>,
  { clock, onError }: PublishedKeysOptions,
): JWTVerifyGetKey {
  const keys = new Kept({ load: async () => keySet(await fetchJson(await address())), clock, freshMs: keysMs, onError })
  return async (header, token) => {
    const known = await keys.get()
    try {
      return await known(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // An issuer that has changed its keys signs with one that we have not seen.
      const newer = await keys.newerThan(known)
      if (newer === known) throw error
      return newer(header, token)
    }
  }
}

/** The library looks at what it is given, and throws for what is not a set of keys. */
function keySet(found: object): JWTVerifyGetKey {
  return createLocalJWKSet(found as JSONWebKeySet)
}
