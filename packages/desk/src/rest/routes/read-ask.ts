import { askView } from '../../asks/ask-view.js'
import { findAskFor } from '../../asks/found-ask.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { problem } from '../problem.js'
import type { Matched } from '../router.js'

export async function readAsk(
  { sessions, views, membersOf }: DeskView,
  { param, viewer }: Matched,
): Promise<RestResponse> {
  const found = await findAskFor(sessions, viewer, { session: param('session'), ask: param('id') })
  if (found === undefined) return problem({ code: 'ask-not-found' })
  await views.record([viewer], [found])
  return json(200, askView(found, membersOf))
}
