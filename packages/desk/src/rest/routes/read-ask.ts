import { openAsk } from '../asks/ask-view.js'
import { askFor, endedState, openState } from '../asks/look-up.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { problem } from '../problem.js'
import type { Matched } from '../router.js'

export const noSuchAsk = 'There is no such ask, or it is not for you.'

export async function readAsk(desk: DeskView, { param, query, visitor }: Matched): Promise<RestResponse> {
  const ask = askFor(desk.asks, visitor, param('id'), query.get('session') ?? undefined)
  if (ask === undefined) return problem('ask-not-found', noSuchAsk)
  const found = openState(desk.order, ask)
  if (found === undefined) return json(200, endedState(desk.order, ask))
  await desk.views.record([visitor], [ask])
  return json(200, openAsk(ask, found.request))
}
