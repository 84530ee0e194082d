import { base64url } from '#platform'
import { randomPool } from './random-bytes.js'

const nextBytes = randomPool(18)

/** An id that nobody can guess: 144 bits. A quarter of a UUID to keep, since that one is a string of many pieces. */
export function randomId(): string {
  return base64url(nextBytes())
}
