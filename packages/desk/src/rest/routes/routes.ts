import type { DeskView } from '../desk-view.js'
import type { Feeds } from '../events/feeds.js'
import { json, type RestViewer } from '../exchange.js'
import { openapi } from '../openapi/document.js'
import type { Route } from '../router.js'
import { answerAsk, cancelAsk, declineAsk } from './complete-ask.js'
import { draftAnswer } from './draft-answer.js'
import { commentAsk, delegateAsk } from './hand-on-ask.js'
import { listAsks } from './list-asks.js'
import { listSessions } from './list-sessions.js'
import { meRoutes } from './me.js'
import { readAsk } from './read-ask.js'
import { readAudit, verifyAudit } from './read-audit.js'
import { ruleRoutes } from './standing-rules.js'
import { watchEvents } from './watch-events.js'

export interface RoutesOptions {
  readonly desk: DeskView
  readonly feeds: Feeds
  readonly mayAudit: (viewer: RestViewer) => boolean
}

/** Everything that can be requested. Each is described in `openapi/`. */
export function routesOf({ desk, feeds, mayAudit }: RoutesOptions): readonly Route[] {
  return [
    { method: 'GET', path: '/api/asks', handle: request => listAsks(desk, request) },
    { method: 'GET', path: '/api/asks/{session}/{id}', handle: request => readAsk(desk, request) },
    { method: 'POST', path: '/api/asks/{session}/{id}/answer', handle: request => answerAsk(desk, request) },
    { method: 'POST', path: '/api/asks/{session}/{id}/decline', handle: request => declineAsk(desk, request) },
    { method: 'POST', path: '/api/asks/{session}/{id}/cancel', handle: request => cancelAsk(desk, request) },
    {
      method: 'PUT',
      path: '/api/asks/{session}/{id}/drafts/{questionId}',
      handle: request => draftAnswer(desk, request),
    },
    { method: 'POST', path: '/api/asks/{session}/{id}/comments', handle: request => commentAsk(desk, request) },
    { method: 'POST', path: '/api/asks/{session}/{id}/delegate', handle: request => delegateAsk(desk, request) },
    { method: 'GET', path: '/api/sessions', handle: request => listSessions(desk, request) },
    { method: 'GET', path: '/api/audit', handle: request => readAudit(desk, mayAudit, request) },
    { method: 'GET', path: '/api/audit/verify', handle: request => verifyAudit(desk, mayAudit, request) },
    ...ruleRoutes(desk),
    ...meRoutes(desk),
    { method: 'GET', path: '/api/events', handle: request => watchEvents(feeds, request) },
    { method: 'GET', path: '/api/openapi.json', handle: () => json(200, openapi) },
  ]
}
