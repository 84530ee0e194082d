// The audit, as far as it concerns someone: asks that they may answer, sessions, and what they did themselves.
import type { AuditEntry, NumberedEntry } from '../../asks/audit.js'
import { mayAnswer } from '../../asks/policy.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse, type RestVisitor } from '../exchange.js'
import { limitOf } from '../paging.js'
import { problem } from '../problem.js'
import type { Matched } from '../router.js'

interface Filter {
  readonly after: number
  readonly since: number
  readonly fits: (entry: AuditEntry) => boolean
}

export async function readAudit(
  desk: DeskView,
  mayAudit: (visitor: RestVisitor) => boolean,
  { query, visitor, header }: Matched,
): Promise<RestResponse> {
  const limit = limitOf(query, { usual: 100, most: 1_000 })
  const since = query.get('since') ?? '0'
  const cursor = query.get('cursor') ?? '0'
  if (limit === undefined) return problem('request-invalid', 'limit is a whole number from 1.')
  if (!/^\d{1,15}$/.test(since)) return problem('request-invalid', 'since is a time in milliseconds.')
  if (!/^\d{1,15}$/.test(cursor)) return problem('request-invalid', 'cursor is what nextCursor was, and nothing else.')
  const isSeen = mayAudit(visitor) ? () => true : (entry: AuditEntry) => concerns(desk, entry, visitor)
  const filter = {
    after: Number(cursor),
    since: Number(since),
    fits: (entry: AuditEntry) => isAsked(entry, query) && isSeen(entry),
  }
  if (header('accept')?.includes('application/x-ndjson')) {
    const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
    return { status: 200, headers, stream: linesOf(desk, filter, query.has('limit') ? limit : Infinity) }
  }
  const found: NumberedEntry[] = []
  let hasMore = false
  for await (const numbered of entriesOf(desk, filter)) {
    hasMore = found.length === limit
    if (hasMore) break
    found.push(numbered)
  }
  const last = found.at(-1)
  return json(200, {
    entries: found.map(({ entry }) => entry),
    ...(hasMore && last && { nextCursor: `${last.number}` }),
  })
}

async function* linesOf(desk: DeskView, filter: Filter, limit: number): AsyncGenerator<string, void, undefined> {
  let count = 0
  for await (const { entry } of entriesOf(desk, filter)) {
    if (count++ >= limit) return
    yield `${JSON.stringify(entry)}\n`
  }
}

async function* entriesOf(
  { audit }: DeskView,
  { after, since, fits }: Filter,
): AsyncGenerator<NumberedEntry, void, undefined> {
  for await (const numbered of audit.entries({ after, since })) if (fits(numbered.entry)) yield numbered
}

function isAsked({ session, request, by }: AuditEntry, query: URLSearchParams): boolean {
  return (
    (query.get('session') ?? session) === session &&
    (query.get('request') ?? request) === request &&
    (query.get('principal') ?? by?.principal) === by?.principal
  )
}

function concerns({ asks }: DeskView, { session, request, by }: AuditEntry, visitor: RestVisitor): boolean {
  if (request === undefined || by?.principal === visitor.principal) return true
  return asks.find(request).some(ask => ask.session === session && mayAnswer(ask.policy, visitor))
}
