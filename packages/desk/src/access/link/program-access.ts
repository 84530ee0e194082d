// For a program that is given the desk's `socketUrl` and nothing else. The token is in that URL because a WebSocket client
// can often be given nothing but a URL; it counts there for the socket only, and ends with the desk. Everywhere else it is
// a bearer token.
// Not defended: anyone who reads the URL (a process list, a log) can do what the program can. Hand it to programs, never to
// a model: it could answer in the person's place.

import { systemClock } from 'beckon'
import { Failures, newSecret, param, sameSecret, systemRandom } from 'beckon/sign-in/adapter'
import type { Person } from '../../policy/audience.js'
import type { Access, AccessOptions, AccessRequest } from '../access.js'
import { bearerOf } from '../bearer/bearer-of.js'
import { isUpgrade } from '../guard/guard.js'
import { refusedPage, tooMany } from '../respond.js'
import { deviceOf } from '../sessions/device.js'

const socketPath = '/live'

/** Marks our own tokens, so that others in the same header are not taken for guesses. */
const prefix = 'beckon_'

export interface ProgramAccessOptions extends AccessOptions {
  /** Whom the program acts for. Default: the principal `local`, who sees everything. */
  readonly person?: Person
}

export interface ProgramAccess extends Access {
  /** The address of the desk's socket with a token that is good until `close()`; `url` is where the desk listens. */
  socketUrl(url: string): string
  close(): void
}

/** Lets in anyone who has the desk's `socketUrl`. */
export function programAccess({
  clock = systemClock,
  random = systemRandom,
  person = { principal: 'local', role: 'admin' },
}: ProgramAccessOptions = {}): ProgramAccess {
  const failures = new Failures(clock)
  let token: string | undefined = `${prefix}${newSecret(random)}`

  function tokenOf(request: AccessRequest): string | undefined {
    const inUrl = isUpgrade(request) && request.path === socketPath ? param(request, 'token') : undefined
    const given = inUrl ?? bearerOf(request)
    return given?.startsWith(prefix) ? given : undefined
  }

  return {
    async authenticate(request) {
      const given = tokenOf(request)
      if (given === undefined) return undefined
      if (token !== undefined && sameSecret(given, token)) {
        return { ...person, device: deviceOf(request, person.principal) }
      }
      failures.record(request.remoteAddress, given)
      return undefined
    },
    async handle() {
      return undefined
    },
    challenge(request) {
      const given = tokenOf(request)
      const waitMs = given === undefined ? undefined : failures.blockedForMs(request.remoteAddress, given)
      if (waitMs !== undefined) return tooMany(request, waitMs)
      return refusedPage(request, { code: 'sign-in-required', params: { way: 'token' } }, { title: 'Not signed in' })
    },
    socketUrl(url) {
      const address = new URL(socketPath, url)
      address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
      address.searchParams.set('token', token ?? '')
      return address.href
    },
    close() {
      token = undefined
    },
  }
}
