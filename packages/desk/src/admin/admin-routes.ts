// What an admin does about a desk itself, over REST like everything else: the desk knows who asks, what they may, and writes it down,
// whichever node it is; and what was changed is so on every node.
//
// The threat: someone who may not. Every route asks for the role `admin` and nothing else, before it looks at anything, and a
// refusal is in the audit with who tried what. Not defended: an admin who does harm; it is in the audit, too. What they do is written
// there before it is done, and is not done where that cannot be written: an entry may be of what failed in the end, and nothing
// that was done has none.
import type { OwnedSessions } from 'beckon/sign-in/adapter'
import { subjectOf } from '../asks/ask-view.js'
import type { FoundAsk } from '../asks/found-ask.js'
import type { AuditEvent } from '../audit/entry.js'
import { endAsk } from '../model/end-ask.js'
import type { People } from '../people/people.js'
import { notAllowed } from '../policy/refusals.js'
import type { DeskView } from '../rest/desk-view.js'
import { json, type RestResponse } from '../rest/exchange.js'
import { maxCount } from '../rest/limits.js'
import { adminOperations } from '../rest/openapi/admin-operations.js'
import { routesFor } from '../rest/openapi/operations.js'
import { cursorOf, pageOf } from '../rest/paging.js'
import { invalidRequest, problem } from '../rest/problem.js'
import type { Matched, Route } from '../rest/router.js'
import { fieldsOf } from '../rest/routes/complete-ask.js'
import { isServerName } from '../servers/server-tokens.js'
import type { StoredTokens } from '../servers/stored-tokens.js'
import { allOpenAsks } from '../sessions/all-open-asks.js'
import type { PersonalData } from './personal-data.js'

export interface AdminDeps {
  readonly people: People
  readonly personal: PersonalData
  readonly tokens: StoredTokens
  /** The servers whose tokens are in the desk's own settings. */
  readonly configured: readonly string[]
  /** Absent where nobody signs in with a browser. */
  readonly sessions: OwnedSessions | undefined
  /** Looks again, on every node, who is still let in. */
  readonly recheck: () => void
}

/** Of a path that somebody tried, so much is in the audit: it is theirs to choose, and is kept for years. */
const maxTriedChars = 200
/** Of the words of an ask in a list. */
const maxMessageChars = 500
const maxGraceMinutes = 30 * 24 * 60

/** Who revokes a token means that the server is out. */
function staysGood(server: string): string {
  return (
    `Nothing was revoked: "${server}" also has a token in the settings of this desk ("servers"), which would stay good. ` +
    'Take it out there, start the desk again, and revoke then. To replace only the one that was made here, rotate it.'
  )
}

/** An ask of a list for looking after a desk: what an admin answers is in their inbox. */
function listed({ session, ask }: FoundAsk): object {
  const { id, server, tool, message, askedAt } = subjectOf({ session, ask })
  const { audience, owner, expiresAt } = ask.policy
  const to = owner === undefined ? audience : { principals: [owner] }
  const words = message.slice(0, maxMessageChars)
  return { session: session.id, id, server, tool, message: words, askedAt, expiresAt, to }
}

/** Everything that only admins can request. */
export function adminRoutes(desk: DeskView, deps: AdminDeps): readonly Route[] {
  const { people, personal, tokens, configured, sessions, recheck } = deps

  const admins =
    (handle: Route['handle']): Route['handle'] =>
    async request => {
      const { viewer, method, path } = request
      if (viewer.role === 'admin') return handle(request)
      const { principal, device } = viewer
      const tried = path.length > maxTriedChars ? `${path.slice(0, maxTriedChars)}…` : path
      const reason = `For admins: ${method} ${tried}`
      await desk.audit.record({ event: 'rejected', at: desk.now(), session: '', by: { principal, device }, reason })
      return problem(notAllowed)
    }

  const record = (
    event: AuditEvent,
    { viewer }: Matched,
    about: { person?: string; server?: string; reason?: string },
  ) => {
    const { principal, device } = viewer
    return desk.audit.require({ event, at: desk.now(), session: '', by: { principal, device }, ...about })
  }

  async function listPeople({ query }: Matched): Promise<RestResponse> {
    const page = pageOf(query)
    if ('status' in page) return page
    const { people: found, next } = await people.list(page)
    return json(200, { people: found, ...(next && { nextCursor: cursorOf(next) }) })
  }

  async function exportPerson(request: Matched): Promise<RestResponse> {
    const person = request.param('principal')
    await record('person-exported', request, { person })
    return json(200, await personal.export(person))
  }

  async function erasePerson(request: Matched): Promise<RestResponse> {
    const person = request.param('principal')
    const kept = Object.keys(await personal.kept(person))
    await record('person-erased', request, { person, reason: kept.join(', ') || 'nothing was kept' })
    const erased = await personal.erase(person)
    recheck()
    return json(200, { erased })
  }

  async function listSessions({ param }: Matched): Promise<RestResponse> {
    return json(200, { sessions: (await sessions?.list(param('principal'))) ?? [] })
  }

  async function endSessions(request: Matched): Promise<RestResponse> {
    const person = request.param('principal')
    const id = request.param('id') || undefined
    const open = ((await sessions?.list(person)) ?? []).filter(session => id === undefined || session.id === id)
    if (id !== undefined && open.length === 0) return problem({ code: 'not-found' })
    await record('sessions-ended', request, { person, reason: `ended ${open.length}` })
    const ended = (await sessions?.end(person, id)) ?? 0
    recheck()
    return json(200, { ended })
  }

  async function createToken(request: Matched): Promise<RestResponse> {
    const { server } = fieldsOf(request.body, ['server']) ?? {}
    if (typeof server !== 'string' || !isServerName(server))
      return invalidRequest('The body has "server": a name with letters, digits, "-" and "_".')
    if (await hasToken(server)) return problem({ code: 'conflict' })
    const draft = tokens.draft(server)
    await record('token-created', request, { server, reason: draft.kept.id })
    const made = await tokens.add(draft)
    return made === undefined ? problem({ code: 'conflict' }) : json(201, made)
  }

  async function rotateToken(request: Matched): Promise<RestResponse> {
    const { graceMinutes = 60 } = fieldsOf(request.body, ['graceMinutes']) ?? { graceMinutes: undefined }
    if (!Number.isInteger(graceMinutes) || Number(graceMinutes) < 0 || Number(graceMinutes) > maxGraceMinutes)
      return invalidRequest(`"graceMinutes" is a whole number from 0 to ${maxGraceMinutes}.`)
    const server = request.param('server')
    if (!(await hasToken(server))) return problem({ code: 'not-found' })
    const draft = tokens.draft(server)
    await record('token-rotated', request, { server, reason: draft.kept.id })
    const made = await tokens.rotate(draft, Number(graceMinutes) * 60_000)
    return made === undefined ? problem({ code: 'not-found' }) : json(200, made)
  }

  async function revokeTokens(request: Matched): Promise<RestResponse> {
    const server = request.param('server')
    if (configured.includes(server)) return invalidRequest(staysGood(server))
    const good = (await tokens.list()).filter(token => token.server === server)
    if (good.length === 0) return problem({ code: 'not-found' })
    await record('token-revoked', request, { server, reason: `revoked ${good.length}` })
    const revoked = await tokens.revoke(server)
    return revoked === 0 ? problem({ code: 'not-found' }) : json(200, { revoked })
  }

  async function hasToken(server: string): Promise<boolean> {
    return (await tokens.list()).some(token => token.server === server)
  }

  async function listAsks(): Promise<RestResponse> {
    const { asks, hasMore } = await allOpenAsks(desk, maxCount)
    return json(200, { asks: asks.map(listed), ...(hasMore && { hasMore }) })
  }

  async function withdrawAsk({ viewer: { principal, device }, param }: Matched): Promise<RestResponse> {
    const ask = param('id')
    const stamp = { at: desk.now(), by: { principal, device } }
    const settled = await desk.sessions.change(param('session'), session => {
      if (!session?.open.has(ask)) return { refused: { code: 'ask-not-found' } }
      return { events: endAsk(session, { ...stamp, type: 'askEnded', ask, response: 'cancel', isWithdrawn: true }) }
    })
    return settled.kind === 'accepted' ? json(200, {}) : problem({ code: 'ask-not-found' })
  }

  const routes = routesFor(adminOperations, {
    readAdmin: ({ viewer: { principal } }) => json(200, { principal }),
    listPeople,
    exportPerson,
    erasePerson,
    listSignIns: listSessions,
    endSignIns: endSessions,
    endSignIn: endSessions,
    listTokens: async () => json(200, { tokens: await tokens.list() }),
    createToken,
    rotateToken,
    revokeTokens,
    adminListAsks: listAsks,
    adminWithdrawAsk: withdrawAsk,
  })
  return routes.map(route => ({ ...route, handle: admins(route.handle) }))
}
