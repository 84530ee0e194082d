// Servers elsewhere prove their names to a desk with tokens.
import { randomBytes } from 'node:crypto'
import { usageError } from '../cli-error.js'

const minChars = 16

/** The token of each server from words like `name` and `name=token`. */
export function serverTokens(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map(word => {
      const [, name, token = randomBytes(24).toString('base64url')] = /^([\w.-]+)(?:=(.*))?$/.exec(word) ?? []
      if (name === undefined)
        throw usageError(`"${word}" names no server. Write --server name, or --server name=token.`)
      if (!/^[\w.~+/-]+$/.test(token) || token.length < minChars) {
        throw usageError(`The token of "${name}" must have at least ${minChars} letters and digits.`)
      }
      return [name, token]
    }),
  )
}

/** The address of a desk for one server. */
export function withToken(url: string, name: string, token: string): string {
  const address = new URL(url)
  address.username = name
  address.password = token
  return address.href
}
