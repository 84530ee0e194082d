// Who someone is here, and whether they are away.
import type { Viewer } from '../../policy/audience.js'
import { nobodyInParticular } from '../../policy/audience.js'
import { readOnly } from '../../policy/refusals.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { meOperations } from '../openapi/me-operations.js'
import { routesFor } from '../openapi/operations.js'
import { invalidRequest, problem } from '../problem.js'
import type { Matched, Route } from '../router.js'
import { fieldsOf } from './complete-ask.js'

const maxNameChars = 500

/** Everything that people can request about themselves. */
export function meRoutes(desk: DeskView): readonly Route[] {
  const { absences, audit, now } = desk

  async function read({ viewer }: Matched): Promise<RestResponse> {
    const { principal, role = 'member', groups = [] } = viewer
    const away = await absences.find(principal)
    return json(200, { principal, role, groups, ...(away && { away }) })
  }

  async function readAway({ viewer }: Matched): Promise<RestResponse> {
    const away = await absences.find(viewer.principal)
    return away === undefined ? problem({ code: 'not-found' }) : json(200, away)
  }

  async function setAway({ viewer, body }: Matched): Promise<RestResponse> {
    const { from = now(), until, to } = fieldsOf(body, ['from', 'until', 'to']) ?? {}
    if (!isTime(from) || !isTime(until) || typeof to !== 'string' || to === '' || to.length > maxNameChars)
      return invalidRequest(
        'The body is an object with "until" and perhaps "from": milliseconds; and "to": a principal.',
      )
    const refused = refusalFor(viewer)
    if (refused !== undefined) return refused
    if (!(await desk.isKnown(to))) return problem({ code: 'away-invalid', params: { why: 'unseen' } })
    const away = { from, until, to }
    const notSet = await absences.set(viewer.principal, away)
    if (notSet !== undefined) return problem(notSet)
    await record(viewer, 'away-set', to)
    return json(200, away)
  }

  async function removeAway({ viewer }: Matched): Promise<RestResponse> {
    const away = await absences.find(viewer.principal)
    const isRemoved = await absences.remove(viewer.principal)
    if (isRemoved) await record(viewer, 'away-removed', away?.to)
    return isRemoved ? json(200, {}) : problem({ code: 'not-found' })
  }

  async function record(viewer: Viewer, event: 'away-set' | 'away-removed', person: string | undefined): Promise<void> {
    const { principal, device } = viewer
    const about = person === undefined ? {} : { person }
    await audit.record({ event, at: now(), session: '', by: { principal, device }, ...about })
  }

  return routesFor(meOperations, {
    readMe: read,
    readAway,
    setAway,
    removeAway,
  })
}

/** A person who only looks has nobody stand in for them; nor has whom nobody can tell from others. */
function refusalFor({ role, principal }: Viewer): RestResponse | undefined {
  if (role === 'auditor') return problem(readOnly)
  return principal === nobodyInParticular ? problem({ code: 'person-unknown' }) : undefined
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
