import type { Session } from '../../model/session.js'
import { mayAnswer, type Person } from '../../policy/audience.js'
import { listSessionsFor } from '../../sessions/list-sessions.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { cursorOf, pageOf } from '../paging.js'
import type { Matched } from '../router.js'

/** The sessions that someone may see, newest first. */
export async function listSessions(desk: DeskView, { query, viewer }: Matched): Promise<RestResponse> {
  const page = pageOf(query)
  if ('status' in page) return page
  const server = query.get('server')
  const { sessions, next } = await listSessionsFor(desk, viewer, page)
  return json(200, {
    sessions: sessions
      .filter(session => (server ?? session.server) === session.server)
      .map(session => sessionView(session, viewer)),
    ...(next && { nextCursor: cursorOf(next) }),
  })
}

function sessionView({ id, title, server, createdAt, modifiedAt, open }: Session, person: Person): object {
  const openAsks = [...open.values()].filter(({ policy }) => mayAnswer(policy, person)).length
  return { id, title, server, createdAt, modifiedAt, openAsks }
}
