import type { Feeds } from '../events/feeds.js'
import type { RestResponse } from '../exchange.js'
import { problem } from '../problem.js'
import type { Matched } from '../router.js'

export async function watchEvents(feeds: Feeds, { query, viewer, lastEventId }: Matched): Promise<RestResponse> {
  const stream = feeds.open(viewer, { session: query.get('session') ?? undefined, lastEventId })
  if (stream === undefined) return problem({ code: 'too-many-feeds' })
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  return { status: 200, headers, stream }
}
