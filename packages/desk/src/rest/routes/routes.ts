import type { DeskView } from '../desk-view.js'
import type { Feeds } from '../events/feeds.js'
import { json, type RestViewer } from '../exchange.js'
import { askOperations } from '../openapi/ask-operations.js'
import { openapi } from '../openapi/document.js'
import { routesFor } from '../openapi/operations.js'
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

/** Everything that can be requested. Where each is, and what it takes and gives, is in `openapi/`. */
export function routesOf({ desk, feeds, mayAudit }: RoutesOptions): readonly Route[] {
  return [
    ...routesFor(askOperations, {
      listAsks: request => listAsks(desk, request),
      readAsk: request => readAsk(desk, request),
      answerAsk: request => answerAsk(desk, request),
      declineAsk: request => declineAsk(desk, request),
      cancelAsk: request => cancelAsk(desk, request),
      draftAnswer: request => draftAnswer(desk, request),
      commentAsk: request => commentAsk(desk, request),
      delegateAsk: request => delegateAsk(desk, request),
      listSessions: request => listSessions(desk, request),
      readAudit: request => readAudit(desk, mayAudit, request),
      verifyAudit: request => verifyAudit(desk, mayAudit, request),
      watchEvents: request => watchEvents(feeds, request),
      readOpenapi: () => json(200, openapi),
    }),
    ...ruleRoutes(desk),
    ...meRoutes(desk),
  ]
}
