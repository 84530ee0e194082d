import { mayAnswer, type Person } from '../../asks/policy.js'
import type { SessionRecord } from '../../state/session-record.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { comparePlaces, cursorOf, type Place, pageOf } from '../paging.js'
import type { Matched } from '../router.js'

/** Every session, newest first. That there is one is no secret; what it waits for is. */
export function listSessions({ order }: DeskView, { query, visitor }: Matched): RestResponse {
  const page = pageOf(query)
  if ('status' in page) return page
  const { limit, after } = page
  const server = query.get('server')
  const records = [...order.state.sessions()]
    .filter(record => (server ?? record.server) === record.server)
    .filter(record => after === undefined || comparePlaces(placeOf(record), after) < 0)
    .sort((a, b) => comparePlaces(placeOf(b), placeOf(a)))
  const shown = records.slice(0, limit)
  const last = shown.at(-1)
  return json(200, {
    sessions: shown.map(record => sessionView(record, visitor)),
    ...(records.length > limit && last && { nextCursor: cursorOf(placeOf(last)) }),
  })
}

function placeOf({ id, bare }: SessionRecord): Place {
  return { at: bare.older.summary.createdAt, id }
}

function sessionView(record: SessionRecord, person: Person): object {
  const { id, title, server, bare } = record
  const { createdAt, modifiedAt } = bare.older.summary
  const openAsks = record.openRequests.filter(request => {
    const policy = record.policies.get(request.id)
    return policy === undefined || mayAnswer(policy, person)
  }).length
  return { id, title, server, createdAt, modifiedAt, openAsks }
}
