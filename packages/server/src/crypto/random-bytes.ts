import { bytes as allocate, base64url } from '#platform'

/**
 * Random bytes, so many at a time: they are dear one by one. What is given is to be used up at once, before the pool is filled
 * again. Nothing is random before the first use: some runtimes have no randomness while modules are loaded.
 */
export function randomPool(size: number): () => Uint8Array {
  const pool = allocate(size * 256)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool)
      used = 0
    }
    used += size
    return pool.subarray(used - size, used)
  }
}

/** So many random bytes as base64url, for something that is made now and then. */
export function randomSecret(bytes: number): string {
  return base64url(crypto.getRandomValues(allocate(bytes)))
}
