import type { InputRequest } from '@beckon/core/chat'
import { mayAnswer } from '../../asks/policy.js'
import { openAsk } from '../asks/ask-view.js'
import type { KnownAsk } from '../asks/known-ask.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { cursorOf, pageOf } from '../paging.js'
import type { Matched } from '../router.js'

/** Open asks that someone may answer, newest first. */
export async function listAsks(desk: DeskView, { query, visitor }: Matched): Promise<RestResponse> {
  const page = pageOf(query)
  if ('status' in page) return page
  const session = query.get('session')
  const server = query.get('server')
  const found: { ask: KnownAsk; request: InputRequest }[] = []
  let hasMore = false
  for (const ask of desk.asks.open.newestFirst(page.after)) {
    if ((session ?? ask.session) !== ask.session || (server ?? ask.server) !== ask.server) continue
    const request = mayAnswer(ask.policy, visitor)
      ? desk.order.state.session(ask.session)?.openRequest(ask.id)
      : undefined
    if (request === undefined) continue
    hasMore = found.length === page.limit
    if (hasMore) break
    found.push({ ask, request })
  }
  const last = found.at(-1)?.ask
  await desk.views.record(
    [visitor],
    found.map(({ ask }) => ask),
  )
  return json(200, {
    asks: found.map(({ ask, request }) => openAsk(ask, request)),
    ...(hasMore && last && { nextCursor: cursorOf({ at: last.askedAt, id: last.id }) }),
  })
}
