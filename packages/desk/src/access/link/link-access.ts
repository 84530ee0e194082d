// For one person on their own machine, without configuration: anyone who has the link is that person. A link works once and
// for ten minutes, and its key is gone from the address bar when the page shows; a browser that only looks ahead does
// not use it up.
// Threats: a link that is read later (in a history, a log, over a shoulder), keys that are tried out (`Failures`), pages
// that act in the person's name (`guard`).
// Not defended: other programs of the same user, which can read the terminal that shows the link; a link that is given to
// a model, which could open it and answer for the person. Print it to the person; never put it into a tool's result.

import { systemClock } from 'beckon'
import {
  Failures,
  memoryRecords,
  newSecret,
  param,
  SecretMap,
  safePath,
  storeRecords,
  systemRandom,
} from 'beckon/sign-in/adapter'
import type { Store } from 'beckon/store'
import type { Person } from '../../policy/audience.js'
import type { Access, AccessOptions, AccessRequest, AccessResponse } from '../access.js'
import { page, redirect, refusedPage, tooMany, wrongMethod } from '../respond.js'
import { CookieSessions } from '../sessions/cookie-sessions.js'
import { programAccess } from './program-access.js'

const keyMs = 10 * 60 * 1000
const maxKeys = 100
const maxSessions = 1_000
const idleMs = 24 * 60 * 60 * 1000
const maxMs = 7 * idleMs

export interface LinkAccessOptions extends AccessOptions {
  /** Who has the link. Default: the principal `local`. */
  readonly person?: Person
  /** Where sign-ins are kept, so that a restart ends none. Default: in memory. */
  readonly store?: Store | undefined
}

export interface LinkAccess extends Access {
  readonly loopbackOnly: true
  /** A new link for a person: good once, for ten minutes. `url` is where the desk listens, `path` where the link leads. */
  link(url: string, path?: string): string
  /** An address that a program can connect to as it stands, until `close()`. */
  socketUrl(url: string): string
  close(): void
}

/** Lets in anyone who opens a one-time link, on a desk that only this machine can reach. */
export function linkAccess(options: LinkAccessOptions = {}): LinkAccess {
  const { clock = systemClock, random = systemRandom, person = { principal: 'local', role: 'admin' } } = options
  const keys = new SecretMap<string>(clock, maxKeys)
  const failures = new Failures(clock)
  const records =
    options.store === undefined ? memoryRecords<Person>(clock, maxSessions) : storeRecords<Person>(options.store)
  const sessions = new CookieSessions({ clock, random, records, idleMs, maxMs })
  const program = programAccess(options)

  async function open(request: AccessRequest, key: string): Promise<AccessResponse> {
    if (request.method !== 'GET') return wrongMethod(request, 'GET')
    if (isLookingAhead(request)) return page(request, 503, { title: 'Not yet', text: 'Open the link to use it.' })
    const path = keys.take(key)
    if (path !== undefined)
      return redirect(path, [await sessions.begin(request, person), ...sessions.deviceCookie(request)])
    // Someone who is in already, and clicks the link again.
    if ((await sessions.find(request)) !== undefined) return redirect('/')
    const waitMs = failures.blockedForMs(request.remoteAddress)
    if (waitMs !== undefined) return tooMany(request, waitMs)
    failures.record(request.remoteAddress, key)
    const text = 'It works once, for ten minutes. Ask the desk for a new one, where you got this one.'
    return page(request, 401, { title: 'This link is not good any more', text })
  }

  return {
    loopbackOnly: true,
    async authenticate(request) {
      return (await sessions.viewer(request)) ?? program.authenticate(request)
    },
    async handle(request) {
      if (request.path === '/sign-out') return sessions.signOut(request)
      const key = request.path === '/' ? param(request, 'key') : undefined
      return key === undefined ? undefined : open(request, key)
    },
    challenge(request) {
      const answer = program.challenge?.(request)
      if (answer?.status === 429) return answer
      return refusedPage(request, { code: 'sign-in-required', params: { way: 'link' } }, { title: 'Not signed in' })
    },
    link(url, path = '/') {
      const key = newSecret(random)
      keys.set(key, safePath(path), clock.now() + keyMs)
      return new URL(`/?key=${key}`, url).href
    },
    socketUrl: url => program.socketUrl(url),
    close() {
      keys.clear()
      sessions.close()
      program.close()
    },
  }
}

/** Whether a browser fetches this before the person wants it. */
function isLookingAhead(request: AccessRequest): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some(name =>
    /prefetch|prerender|preview/i.test(request.header(name) ?? ''),
  )
}
