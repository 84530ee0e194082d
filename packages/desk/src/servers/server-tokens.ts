import { timingSafeEqual } from 'node:crypto'
import { digestOf } from 'beckon/sign-in/adapter'
import type { AccessRequest } from '../access/access.js'
import type { StoredTokens } from './stored-tokens.js'

const minChars = 16

/** Which server sends a request: by the tokens that the desk was given, else by those that are in the store. */
export function serverTokens(
  tokens: Readonly<Record<string, string>>,
  stored: Pick<StoredTokens, 'serverOf'>,
): (request: AccessRequest) => string | undefined | Promise<string | undefined> {
  const known = Object.entries(tokens).map(([name, token]) => {
    if (!isServerName(name)) throw new TypeError(`A server's name has letters, digits, "-" and "_": ${name}`)
    if (!/^[\w.~+/-]+=*$/.test(token))
      throw new TypeError(`The token of the server "${name}" is empty, or has characters that no header can carry.`)
    if (token.length < minChars)
      throw new TypeError(`The token of the server "${name}" must have at least ${minChars} characters.`)
    return { name, digest: Buffer.from(digestOf(token)) }
  })
  return ({ path, header }) => {
    const token = path.startsWith('/api/') && /^Bearer ([\w.~+/-]+=*)$/i.exec(header('authorization') ?? '')?.[1]
    if (!token) return undefined
    const digest = Buffer.from(digestOf(token))
    // With every token, whichever fits, so that the time it takes tells nothing.
    return known.filter(each => timingSafeEqual(each.digest, digest))[0]?.name ?? stored.serverOf(token)
  }
}

export function isServerName(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name)
}
