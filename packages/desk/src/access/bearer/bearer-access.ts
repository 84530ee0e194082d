import { timingSafeEqual } from 'node:crypto'
import { digestOf } from 'beckon/sign-in/adapter'
import type { Person } from '../../policy/audience.js'
import type { Access, AccessOptions } from '../access.js'
import { looksLikeJwt } from './bearer-of.js'
import { tokenAccess } from './token-access.js'

/** Finds out whose token this is. */
export type FindPerson = (token: string) => Person | undefined | Promise<Person | undefined>

export interface BearerAccessOptions extends AccessOptions {
  /** Tokens and whose they are, or a lookup of your own; that one gets what anyone sends. */
  readonly tokens: Readonly<Record<string, Person>> | FindPerson
}

/**
 * Lets in anyone who sends a known token as `Authorization: Bearer`.
 * @example
 * bearerAccess({ tokens: { [process.env.ALICE_TOKEN]: { principal: 'alice', groups: ['release'] } } })
 */
export function bearerAccess({ tokens, ...options }: BearerAccessOptions): Access {
  const find = typeof tokens === 'function' ? tokens : findAmong(tokens)
  return tokenAccess(async token => {
    const person = await find(token)
    // A JWT is not a guess at a token: another access may be there for it.
    return person === undefined ? { kind: 'wrong', isGuess: !looksLikeJwt(token) } : { kind: 'person', person }
  }, options)
}

/** Compares with every token, whichever fits, so that the time it takes tells nothing. */
function findAmong(tokens: Readonly<Record<string, Person>>): FindPerson {
  const known = Object.entries(tokens).map(([token, person]) => {
    if (!/^[\w.~+/-]+=*$/.test(token)) {
      throw new TypeError(`The token of "${person.principal}" is empty, or has characters that no header can carry.`)
    }
    return { digest: Buffer.from(digestOf(token)), person }
  })
  return token => {
    const digest = Buffer.from(digestOf(token))
    return known.filter(entry => timingSafeEqual(entry.digest, digest))[0]?.person
  }
}
