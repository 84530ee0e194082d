// A person's own passkeys, what they need to confirm an ask with one, and what an admin does for someone who lost theirs.
import { isRecord } from '@beckon/core/json-rpc'
import type { OpenPasskeys, Verified } from 'beckon/passkeys'
import { aboutAccept } from '../actions/accept-with-passkey.js'
import type { AuditEvent } from '../audit/entry.js'
import type { Ask } from '../model/session.js'
import { mayAnswer, nobodyInParticular } from '../policy/audience.js'
import { askEnded, readOnly } from '../policy/refusals.js'
import { checkContent } from '../rest/asks/check-content.js'
import type { DeskView } from '../rest/desk-view.js'
import { json, type RestResponse } from '../rest/exchange.js'
import { routesFor } from '../rest/openapi/operations.js'
import { passkeyOperations } from '../rest/openapi/passkey-operations.js'
import { invalidRequest, problem } from '../rest/problem.js'
import type { Matched, Route } from '../rest/router.js'
import { fieldsOf, findAsk } from '../rest/routes/complete-ask.js'
import { passkeyProblem } from './desk-proofs.js'

const maxNameChars = 100

/** Everything that can be requested about passkeys. */
export function passkeyRoutes(desk: DeskView, { people, withoutPasskey }: OpenPasskeys): readonly Route[] {
  const record = (event: AuditEvent, { viewer }: Matched, person: string, reason?: string) => {
    const { principal, device } = viewer
    const entry = { event, at: desk.now(), session: '', person, by: { principal, device }, ...(reason && { reason }) }
    return desk.audit.require(entry)
  }
  /** For whom the desk can tell apart from others. */
  const own =
    (handle: Route['handle']): Route['handle'] =>
    request =>
      request.viewer.principal === nobodyInParticular ? nobody() : handle(request)

  async function list({ viewer: { principal } }: Matched): Promise<RestResponse> {
    return json(200, { passkeys: await people.list(principal), withoutPasskey })
  }

  async function enrolOptions({ viewer: { principal } }: Matched): Promise<RestResponse> {
    const options = await people.enrolOptions(principal)
    return options === undefined ? problem({ code: 'too-many-passkeys' }) : json(200, options)
  }

  async function enrol(request: Matched): Promise<RestResponse> {
    const { principal } = request.viewer
    const { create, get, name } = fieldsOf(request.body, ['create', 'get', 'name']) ?? {}
    if (create === undefined || (name !== undefined && typeof name !== 'string'))
      return invalidRequest('The body has "create", and may have "get" and "name".')
    const added = await people.enrol(principal, { create, get, name: name?.slice(0, maxNameChars) })
    if (!added.isVerified) return refused(added)
    await record('passkey-added', request, principal, name)
    return json(201, { id: added.credential })
  }

  async function removeOptions({ viewer: { principal }, param }: Matched): Promise<RestResponse> {
    const get = await people.removeOptions(principal, param('id'))
    return get === undefined ? missing() : json(200, { get })
  }

  async function remove(request: Matched): Promise<RestResponse> {
    const { principal } = request.viewer
    const { get } = fieldsOf(request.body, ['get']) ?? {}
    const removed = await people.remove(principal, request.param('id'), get)
    if (!removed.isVerified) return refused(removed)
    await record('passkey-removed', request, principal)
    return json(200, {})
  }

  async function listOf({ viewer, param }: Matched): Promise<RestResponse> {
    if (viewer.role !== 'admin') return problem(readOnly)
    return json(200, { passkeys: await people.list(param('principal')), withoutPasskey })
  }

  async function removeAll(request: Matched): Promise<RestResponse> {
    if (request.viewer.role !== 'admin') return problem(readOnly)
    const person = request.param('principal')
    // As with whatever admins do: it is written before it is done.
    await record('passkeys-removed', request, person, `removed ${(await people.list(person)).length}`)
    return json(200, { removed: await people.removeAll(person) })
  }

  async function challenge(request: Matched): Promise<RestResponse> {
    const found = await findAsk(desk, request)
    if (found === undefined) return problem({ code: 'ask-not-found' })
    const { ask, session } = found
    if (ask.ending !== undefined) return problem(askEnded)
    if (ask.policy.person !== 'verified') return invalidRequest('This ask takes no passkey.')
    if (!mayAnswer(ask.policy, request.viewer)) return problem(readOnly)
    const { content = {}, answers } = fieldsOf(request.body, ['content', 'answers']) ?? {}
    if (!isRecord(content) || (answers !== undefined && !isRecord(answers)))
      return invalidRequest('The body has "content" by question id, or "answers" as the live protocol has them.')
    const checked = checkContent(found, content)
    if (answers === undefined && checked.issues.length > 0)
      return problem({ code: 'answer-invalid', params: {} }, { issues: checked.issues })
    // What does not fit is refused with the accept: here it only makes a challenge that is good for nothing.
    const about = aboutAccept(session, ask, (answers ?? checked.answers) as Ask['drafts'])
    const get = await people.ask(request.viewer.principal, { kind: 'ask', about })
    return get === undefined ? missing() : json(200, { get })
  }

  return routesFor(passkeyOperations, {
    listPasskeys: own(list),
    passkeyOptions: own(enrolOptions),
    addPasskey: own(enrol),
    removePasskeyOptions: own(removeOptions),
    removePasskey: own(remove),
    listPasskeysOf: listOf,
    removePasskeysOf: removeAll,
    challengeForAsk: own(challenge),
  })
}

function refused(verified: Extract<Verified, { isVerified: false }>): RestResponse {
  return problem(passkeyProblem(verified))
}

function missing(): RestResponse {
  return problem({ code: 'passkey-missing' })
}

function nobody(): RestResponse {
  return problem({ code: 'person-unknown' })
}
