import { openAsk } from '../../asks/ask-view.js'
import { searchAsks } from '../../sessions/search-asks.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse } from '../exchange.js'
import { maxCount, maxSearchChars } from '../limits.js'
import { cursorOf, pageOf } from '../paging.js'
import { invalidRequest } from '../problem.js'
import type { Matched } from '../router.js'

/** Open asks that someone may answer, newest first, or those first that end first. */
export async function listAsks(desk: DeskView, { query, viewer }: Matched): Promise<RestResponse> {
  const page = pageOf(query)
  if ('status' in page) return page
  const search = query.get('search') ?? undefined
  if (search !== undefined && search.length > maxSearchChars)
    return invalidRequest(`search has at most ${maxSearchChars} characters.`)
  const [mine, destructive, order] = [query.get('mine'), query.get('destructive'), query.get('order')]
  if (![mine, destructive].every(isFlag)) return invalidRequest('mine and destructive are true or false.')
  if (order !== null && order !== 'due') return invalidRequest('order is due, or not there.')
  const filter = {
    session: query.get('session') ?? undefined,
    server: query.get('server') ?? undefined,
    tool: query.get('tool') ?? undefined,
    search,
    mine: mine === 'true' || undefined,
    destructive: destructive === null ? undefined : destructive === 'true',
    order: order === 'due' ? ('due' as const) : undefined,
  }
  const [found, count] = await Promise.all([
    searchAsks(desk, viewer, { ...page, ...filter }),
    desk.index.countOpen(viewer, maxCount),
  ])
  return json(200, {
    asks: found.asks.map(one => openAsk(one, desk.membersOf)),
    open: count,
    ...(found.next && { nextCursor: cursorOf(found.next) }),
    ...(found.searchedTo !== undefined && { searchedTo: found.searchedTo }),
  })
}

function isFlag(value: string | null): boolean {
  return value === null || value === 'true' || value === 'false'
}
