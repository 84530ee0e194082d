import { randomFillSync } from 'node:crypto'

const idBytes = 18
const pool = Buffer.allocUnsafe(idBytes * 256)
let used = pool.length

/** An id that nobody can guess: 144 bits. A quarter of a UUID to keep, since that one is a string of many pieces. */
export function randomId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += idBytes
  return pool.toString('base64url', used - idBytes, used)
}
