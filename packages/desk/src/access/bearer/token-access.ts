// What bearer tokens and JWTs have in common: where a token may be, and what a wrong one costs.
// Not defended: a token that its owner gives away, or a page that lets others run scripts in it.

import { type Clock, systemClock } from 'beckon'
import { Failures } from 'beckon/sign-in/adapter'
import type { Person } from '../../policy/audience.js'
import type { Access, AccessOptions, AccessRequest, Admitted } from '../access.js'
import { page, tooMany } from '../respond.js'
import { deviceOf } from '../sessions/device.js'
import { bearerOf } from './bearer-of.js'

const guessableChars = 16

const forPrograms =
  'Send a token as "Authorization: Bearer ...", or to POST /ticket for a ticket. A URL takes no token.'
const forPeople =
  'This desk lets in programs that send a token, and nobody has set up how people sign in with a browser. Its operator adds ' +
  'oidcAccess beside the tokens: anyOf(oidcAccess({ ... }), bearerAccess({ ... })), or embeds the inbox with a ticket.'

/** What a token comes to. `isGuess` says whether a wrong one counts against its sender. */
type Verdict =
  | { readonly kind: 'person'; readonly person: Person; readonly expiresAt?: number }
  | { readonly kind: 'wrong'; readonly isGuess: boolean }

/** Rejects when the token could not be checked. */
export type CheckToken = (token: string, clock: Pick<Clock, 'now'>) => Promise<Verdict>

export function tokenAccess(check: CheckToken, { clock = systemClock }: AccessOptions = {}): Access {
  const failures = new Failures(clock)

  async function byHeader(request: AccessRequest): Promise<Admitted | undefined> {
    const token = bearerOf(request)
    if (token === undefined) return undefined
    // What is long enough cannot be guessed, and always works; what is short is not even looked at.
    if (token.length < guessableChars && failures.blockedForMs(request.remoteAddress) !== undefined) return undefined
    const verdict = await check(token, clock)
    if (verdict.kind === 'person') {
      const { person, expiresAt } = verdict
      const device = deviceOf(request, person.principal)
      const known = JSON.stringify(personAlone(person))
      // Someone who lost a group or a role is somebody else.
      const stillValid = async () => {
        const now = await check(token, clock)
        return now.kind === 'person' && JSON.stringify(personAlone(now.person)) === known
      }
      return { ...personAlone(person), device, ...(expiresAt === undefined ? {} : { expiresAt }), stillValid }
    }
    if (verdict.isGuess) failures.record(request.remoteAddress, token)
    return undefined
  }

  return {
    authenticate: byHeader,
    async handle() {
      return undefined
    },
    challenge(request) {
      const token = bearerOf(request)
      const waitMs = token === undefined ? undefined : failures.blockedForMs(request.remoteAddress, token)
      if (waitMs !== undefined) return tooMany(request, waitMs)
      const text = isNavigation(request) ? forPeople : forPrograms
      const refusal = { code: 'sign-in-required', params: { way: 'token' } } as const
      return page(request, 401, { title: 'Not signed in', text, refusal }, [
        ['WWW-Authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"'],
      ])
    },
  }
}

/** Without whatever else an operator's lookup has on its people. */
function personAlone({ principal, groups, role, email }: Person): Person {
  return {
    principal,
    ...(groups && { groups: [...groups] }),
    ...(role && { role }),
    ...(email !== undefined && { email }),
  }
}

function isNavigation(request: AccessRequest): boolean {
  return request.method === 'GET' && request.header('sec-fetch-mode') === 'navigate'
}
