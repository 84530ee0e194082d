// What bearer tokens and JWTs have in common: where a token may be, what a wrong one costs, and tickets.
// A browser cannot put a header on a WebSocket. It exchanges its token for a ticket (`POST /ticket`), which is good once,
// for 30 seconds, in the URL of an upgrade; the token itself never is in a URL, where logs and histories would keep it.
// Not defended: a token that its owner gives away, or a page that lets others run scripts in it.

import { type Clock, systemClock } from 'beckon'
import type { Person } from '../../policy/audience.js'
import type { Access, AccessOptions, AccessRequest, Admitted } from '../access.js'
import { Failures } from '../failures.js'
import { isUpgrade } from '../guard/guard.js'
import { param } from '../param.js'
import { json, page, tooMany, wrongMethod } from '../respond.js'
import { newSecret, systemRandom } from '../secret.js'
import { SecretMap } from '../secret-map.js'
import { deviceOf } from '../sessions/device.js'
import { bearerOf } from './bearer-of.js'

const ticketMs = 30_000
const maxTickets = 10_000

/** What a token comes to. `isGuess` says whether a wrong one counts against its sender. */
type Verdict =
  | { readonly kind: 'person'; readonly person: Person; readonly expiresAt?: number }
  | { readonly kind: 'wrong'; readonly isGuess: boolean }

/** Rejects when the token could not be checked. */
export type CheckToken = (token: string, clock: Pick<Clock, 'now'>) => Promise<Verdict>

export function tokenAccess(
  check: CheckToken,
  { clock = systemClock, random = systemRandom }: AccessOptions = {},
): Access {
  const failures = new Failures(clock)
  const tickets = new SecretMap<Admitted>(clock, maxTickets)

  async function byHeader(request: AccessRequest): Promise<Admitted | undefined> {
    const token = bearerOf(request)
    if (token === undefined || failures.blockedForMs(request.remoteAddress) !== undefined) return undefined
    const verdict = await check(token, clock)
    if (verdict.kind === 'person') {
      const { person, expiresAt } = verdict
      const device = deviceOf(request, person.principal)
      const stillValid = async () => (await check(token, clock)).kind === 'person'
      return { ...personAlone(person), device, ...(expiresAt === undefined ? {} : { expiresAt }), stillValid }
    }
    if (verdict.isGuess) failures.record(request.remoteAddress, token)
    return undefined
  }

  return {
    async authenticate(request) {
      const ticket = isUpgrade(request) ? param(request, 'ticket') : undefined
      return ticket === undefined ? byHeader(request) : tickets.take(ticket)
    },
    async handle(request) {
      if (request.path !== '/ticket') return undefined
      if (request.method !== 'POST') return wrongMethod(request, 'POST')
      const viewer = await byHeader(request)
      // Another access may know the token.
      if (viewer === undefined) return undefined
      const ticket = newSecret(random)
      const expiresAt = clock.now() + ticketMs
      tickets.set(ticket, viewer, expiresAt)
      return json(200, { ticket, expiresAt })
    },
    challenge(request) {
      const token = bearerOf(request)
      const waitMs = token === undefined ? undefined : failures.blockedForMs(request.remoteAddress, token)
      if (waitMs !== undefined) return tooMany(request, waitMs)
      const text = 'Send a token as "Authorization: Bearer ...", or to POST /ticket for a ticket. A URL takes no token.'
      return page(request, 401, { title: 'Not signed in', text }, [
        ['WWW-Authenticate', token === undefined ? 'Bearer' : 'Bearer error="invalid_token"'],
      ])
    },
    close: () => tickets.clear(),
  }
}

/** Without whatever else an operator's lookup has on its people. */
function personAlone({ principal, groups, role }: Person): Person {
  return { principal, ...(groups && { groups: [...groups] }), ...(role && { role }) }
}
