import { createHash } from 'node:crypto'
import type { Audience, Policy } from '../model/policy.js'
import type { Person } from '../policy/audience.js'

/** Whom an ask is for, as the index files it: a principal, a group, or anyone. Digests: who asks whom is nobody's business. */
export type Token = string

const anyone: Token = 'anyone'

/** Under which tokens an ask is found. */
export function tokensOf({ owner, audience }: Pick<Policy, 'owner' | 'audience'>): Token[] {
  if (owner !== undefined) return [tokenOf('principal', owner)]
  return audience === undefined ? [anyone] : tokensIn(audience)
}

/** Under which tokens someone looks. */
export function tokensFor({ principal, groups = [] }: Person): Token[] {
  return [anyone, tokenOf('principal', principal), ...groups.map(group => tokenOf('group', group))]
}

/** Under which token a person's own things are. */
export function tokenOfPrincipal(principal: string): Token {
  return tokenOf('principal', principal)
}

export const tokenOfAnyone: Token = anyone

function tokensIn({ principals = [], groups = [] }: Audience): Token[] {
  const tokens = [
    ...principals.map(principal => tokenOf('principal', principal)),
    ...groups.map(group => tokenOf('group', group)),
  ]
  return [...new Set(tokens)]
}

function tokenOf(kind: 'principal' | 'group', name: string): Token {
  return createHash('sha256').update(`${kind} ${name}`).digest('base64url')
}
