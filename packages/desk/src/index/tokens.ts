import { createHash } from 'node:crypto'
import type { Audience, Policy } from '../model/policy.js'
import type { Ask, Session } from '../model/session.js'
import { type Person, seesAll } from '../policy/audience.js'

/** Whom an ask is for, as the index files it: a principal, a group, or anyone. Digests: who asks whom is nobody's business. */
export type Token = string

const anyone: Token = 'anyone'
/** For those who see all sessions. */
const everything: Token = 'everything'

/** Under which tokens an ask is found. */
export function tokensOf({ owner, audience }: Pick<Policy, 'owner' | 'audience'>): Token[] {
  if (owner !== undefined) return [tokenOf('principal', owner)]
  return audience === undefined ? [anyone] : tokensIn(audience)
}

/** Under which tokens those look who are asked something, or were before others were asked instead. */
export function tokensOfAll(asks: readonly Ask[]): ReadonlySet<Token> {
  const tokens = new Set<Token>()
  for (const { policy, formers = [] } of asks) {
    for (const token of tokensOf(policy)) tokens.add(token)
    if (policy.owner === undefined)
      for (const former of formers) for (const token of tokensOf(former)) tokens.add(token)
  }
  return tokens
}

/** Under which tokens a session is listed that is not a call. */
export function tokensOfSession({ owner, audience }: Pick<Session, 'owner' | 'audience'>): Token[] {
  const others = audience === 'anyone' ? [anyone] : tokensIn(audience ?? {})
  const own = owner === undefined ? [] : [tokenOf('principal', owner)]
  return [...new Set([everything, ...own, ...others])]
}

/** Under which tokens someone looks. */
export function tokensFor(person: Person): Token[] {
  const { principal, groups = [] } = person
  const own = [anyone, tokenOf('principal', principal), ...groups.map(group => tokenOf('group', group))]
  return seesAll(person) ? [everything, ...own] : own
}

/** Under which token a person's own things are. */
export function tokenOfPrincipal(principal: string): Token {
  return tokenOf('principal', principal)
}

/** Who called, among the callers of a server. Those whom nobody knows are one. */
export function tokenOfCaller(principal: string | undefined): Token {
  return principal === undefined ? 'stranger' : tokenOf('principal', principal)
}

/** Under which tokens the open asks of a server are counted: all of them, and those of one caller. */
export function tokensOfAsker(server: string, caller: Token): readonly [Token, Token] {
  const own = tokenOf('server', server)
  return [own, `${own}/${caller}`]
}

function tokensIn({ principals = [], groups = [] }: Audience): Token[] {
  const tokens = [
    ...principals.map(principal => tokenOf('principal', principal)),
    ...groups.map(group => tokenOf('group', group)),
  ]
  return [...new Set(tokens)]
}

const maxKnown = 10_000
const known = {
  principal: new Map<string, Token>(),
  group: new Map<string, Token>(),
  server: new Map<string, Token>(),
}

/** The same few people and servers come again and again. */
function tokenOf(kind: keyof typeof known, name: string): Token {
  const tokens = known[kind]
  const found = tokens.get(name)
  if (found !== undefined) return found
  const token = createHash('sha256').update(`${kind} ${name}`).digest('base64url')
  if (tokens.size >= maxKnown) tokens.clear()
  tokens.set(name, token)
  return token
}
