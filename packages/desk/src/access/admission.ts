// The one way in, for requests and upgrades alike: Host, Origin, the access's own routes, then who it is. The order
// matters: what a foreign page sends is turned away before it can use up a key or count as a wrong one.

import { isLoopback } from 'beckon/http/adapter'
import { param } from 'beckon/sign-in/adapter'
import { type GroupsOf, inDirectory } from '../people/directory.js'
import type { Person, Role } from '../policy/audience.js'
import type { Access, AccessRequest, AccessResponse, Admitted, Header } from './access.js'
import { corsHeaders, preflight } from './guard/cors.js'
import { type GuardOptions, guardFor, isUpgrade, refusal } from './guard/guard.js'
import { json, page, refusedPage, tooMany, wrongMethod } from './respond.js'
import type { Tickets } from './tickets.js'

const ticketPath = '/ticket'

/** What became of a request at the door. */
export type Admission =
  | {
      readonly kind: 'viewer'
      readonly viewer: Admitted
      /** To send with whatever the viewer gets. */
      readonly headers: readonly Header[]
    }
  /** A program that opens asks: it is nobody, and sees nothing of anyone's. */
  | { readonly kind: 'server'; readonly server: string }
  | { readonly kind: 'answered'; readonly response: AccessResponse }

/** Which server sends a request; undefined for whatever comes from somebody else. Rejects when that cannot be found out. */
export type ServerOf = (request: AccessRequest) => string | undefined | Promise<string | undefined>

export interface AdmissionOptions extends GuardOptions {
  readonly access: Access
  readonly serverOf?: ServerOf | undefined
  /** Where tickets are kept. */
  readonly tickets: Tickets
  /** Which groups someone is in, whatever their access says. */
  readonly groupsOf?: GroupsOf | undefined
  /** What someone may do, where their access does not say. */
  readonly roleOf?: ((person: Person) => Role | undefined) | undefined
  /** Told when someone could not be checked, and got a 503. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * Who may come in to a desk that listens there.
 * @example
 * const admit = admission({ access: linkAccess(), host: '127.0.0.1', port })
 * const admitted = await admit(requestOf(incoming))
 * if (admitted.kind === 'answered') return sendResponse(outgoing, admitted.response)
 */
export function admission(options: AdmissionOptions): (request: AccessRequest) => Promise<Admission> {
  const { access, tickets, serverOf = () => undefined, host, publicUrl } = options
  const { onError = () => {} } = options
  const guard = guardFor(options)
  const elsewhere = [host, publicUrl && new URL(publicUrl).hostname].find(name => name && !isLoopback(name))
  if (access.loopbackOnly === true && elsewhere !== undefined) {
    throw new TypeError(
      `One-time links are for a desk that only this machine can reach, and this one is at ${elsewhere}. ` +
        'Give it bearerAccess, jwtAccess or oidcAccess.',
    )
  }

  async function receive(
    request: AccessRequest,
  ): Promise<AccessResponse | { readonly viewer: Admitted } | { readonly server: string }> {
    const refused = refusal(request, guard)
    if (refused !== undefined) {
      return refusedPage(request, { code: 'origin-not-allowed' }, { title: refused })
    }
    const server = await serverOf(request)
    if (server !== undefined) return { server }
    const answer = preflight(request) ?? (await access.handle(request))
    if (answer !== undefined) return answer
    const viewer = await placedIn(await viewerOf(request), options)
    if (viewer !== undefined) return request.path === ticketPath ? giveTicket(request, viewer) : { viewer }
    return (
      access.challenge?.(request) ??
      refusedPage(request, { code: 'sign-in-required', params: { way: 'unknown' } }, { title: 'Not signed in' })
    )
  }

  async function viewerOf(request: AccessRequest): Promise<Admitted | undefined> {
    const ticket = isUpgrade(request) ? param(request, 'ticket') : undefined
    const proven = ticket === undefined ? request : await tickets.redeem(request, ticket)
    return proven && access.authenticate(proven)
  }

  async function giveTicket(request: AccessRequest, { principal }: Admitted): Promise<AccessResponse> {
    if (request.method !== 'POST') return wrongMethod(request, 'POST')
    const ticket = await tickets.issue(request, principal)
    return ticket === undefined ? tooMany(request, 1_000) : json(200, ticket)
  }

  return async function admit(request) {
    const received = await receive(request).catch(error => {
      onError(error)
      const text = 'Who this is could not be checked. Try again later.'
      return page(request, 503, { title: 'Not available', text })
    })
    if ('server' in received) return { kind: 'server', server: received.server }
    const headers = corsHeaders(request, guard)
    return 'viewer' in received
      ? { kind: 'viewer', viewer: received.viewer, headers }
      : { kind: 'answered', response: { ...received, headers: [...received.headers, ...headers] } }
  }
}

/** Someone with the groups and the role that the desk has for them, for as long as it has the same. */
async function placedIn(
  proven: Admitted | undefined,
  { groupsOf, roleOf }: Pick<AdmissionOptions, 'groupsOf' | 'roleOf'>,
): Promise<Admitted | undefined> {
  if (proven === undefined || (groupsOf === undefined && roleOf === undefined)) return proven
  const { stillValid: isProven = async () => true } = proven
  const place = async (): Promise<Admitted> => {
    const person = await inDirectory(proven, groupsOf)
    const role = person.role ?? roleOf?.(person)
    return role === undefined ? person : { ...person, role }
  }
  const placed = await place()
  const stillValid = async () => (await isProven()) && said(await place()) === said(placed)
  return { ...placed, stillValid }
}

function said({ groups, role }: Person): string {
  return JSON.stringify([groups && [...groups].sort(), role])
}
