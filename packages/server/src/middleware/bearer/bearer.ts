import { isSameText, sha256 } from '#platform'
import type { Middleware } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'
import { authorize } from '../authorization.js'

export interface BearerOptions {
  /** The token, or tokens, that let a call pass. */
  token?: string | readonly string[]
  /** Decides by itself, instead. */
  verify?: (token: string) => boolean | Promise<boolean>
  /** What the model is told otherwise. */
  message?: string
}

/**
 * Lets a call pass whose HTTP request has a known bearer token. A call that came in without HTTP does not pass.
 * @example
 * server.tool('deploy', bearer({ token: process.env.DEPLOY_TOKEN }), {}, deploy)
 */
export function bearer({ token, verify, message }: BearerOptions): Middleware {
  const tokens = token === undefined ? [] : [token].flat()
  if (verify === undefined && (tokens.length === 0 || tokens.includes('')))
    throw new TypeError('bearer() needs a `token` that is not empty, or `verify`.')
  const isKnown = verify ?? (given => tokens.some(known => isSame(known, given)))
  return async function bearer(ctx, next) {
    const passed = await authorize(ctx, 'bearer', async given => ((await isKnown(given)) === true ? true : undefined))
    return passed ? next() : refuse(ctx, message ?? 'Not authorized: this needs a valid bearer token.')
  }
}

/** In the same time for every guess, whatever its length. */
function isSame(one: string, other: string): boolean {
  return isSameText(sha256(one), sha256(other))
}
