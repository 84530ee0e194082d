// The audit, as far as it concerns someone: asks that they may answer, sessions, and what they did themselves.

import type { AuditRecord } from '../../audit/audit.js'
import type { AuditEntry } from '../../audit/entry.js'
import { decodeCursor } from '../../audit/log-names.js'
import { findAsk } from '../../model/reduce.js'
import type { Session } from '../../model/session.js'
import { maySee, maySeeAsk } from '../../policy/audience.js'
import type { DeskView } from '../desk-view.js'
import { json, type RestResponse, type RestViewer } from '../exchange.js'
import { limitOf } from '../paging.js'
import { invalidRequest, problem } from '../problem.js'
import type { Matched } from '../router.js'

/** Entries that one request looks at: somebody's own may be few among those of all. */
const maxLooked = 10_000
/** Sessions that are known to have been read. */
const maxRead = 10_000

interface Filter {
  readonly after: string | undefined
  readonly since: number
  readonly fits: (entry: AuditEntry) => Promise<boolean>
}

export async function readAudit(
  desk: DeskView,
  mayAudit: (viewer: RestViewer) => boolean,
  { query, viewer, header }: Matched,
): Promise<RestResponse> {
  const limit = limitOf(query, { usual: 100, max: 1_000 })
  const since = query.get('since') ?? '0'
  const cursor = query.get('cursor') ?? undefined
  if (limit === undefined) return invalidRequest('limit is a whole number from 1.')
  if (!isTime(since)) return invalidRequest('since is a time in milliseconds.')
  if (cursor !== undefined && decodeCursor(cursor) === undefined)
    return invalidRequest('cursor is what nextCursor was, and nothing else.')
  const sessionOf = readOnce(desk)
  const isSeen = mayAudit(viewer) ? async () => true : (entry: AuditEntry) => concerns(sessionOf, entry, viewer)
  const filter = {
    after: cursor,
    since: Number(since),
    fits: async (entry: AuditEntry) => isAsked(entry, query) && (await isSeen(entry)),
  }
  if (header('accept')?.includes('application/x-ndjson')) {
    const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
    return { status: 200, headers, stream: linesOf(desk, filter, query.has('limit') ? limit : Infinity) }
  }
  const { found, next, isCutShort } = await pageOf(desk, filter, limit)
  return json(200, {
    // Pages are in the order of writing; on a page, what happened first is first.
    entries: found.map(({ entry }) => entry).sort((a, b) => a.at - b.at),
    ...(next && { nextCursor: next.cursor }),
    ...(isCutShort && { searchedTo: next?.entry.at }),
  })
}

interface AuditPage {
  readonly found: readonly AuditRecord[]
  /** Where the next page begins behind. */
  readonly next: AuditRecord | undefined
  /** So many were looked at that this is for another request. */
  readonly isCutShort: boolean
}

async function pageOf({ audit }: DeskView, { after, since, fits }: Filter, limit: number): Promise<AuditPage> {
  const found: AuditRecord[] = []
  let looked = 0
  let last: AuditRecord | undefined
  for await (const record of audit.entries({ after, since })) {
    if (++looked > maxLooked) return { found, next: last, isCutShort: true }
    last = record
    if (!(await fits(record.entry))) continue
    if (found.length === limit) return { found, next: found.at(-1), isCutShort: false }
    found.push(record)
  }
  return { found, next: undefined, isCutShort: false }
}

/** Whether the audit is what was written, for auditors. */
export async function verifyAudit(
  { audit }: DeskView,
  mayAudit: (viewer: RestViewer) => boolean,
  { query, viewer }: Matched,
): Promise<RestResponse> {
  if (!mayAudit(viewer)) return problem({ code: 'auditors-only' })
  const since = query.get('since') ?? '0'
  if (!isTime(since)) return invalidRequest('since is a time in milliseconds.')
  const publicKey = query.get('publicKey') ?? undefined
  return json(200, await audit.verify({ since: Number(since), publicKey }))
}

function isTime(text: string): boolean {
  return /^\d{1,15}$/.test(text)
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
): AsyncGenerator<AuditRecord, void, undefined> {
  for await (const record of audit.entries({ after, since })) if (await fits(record.entry)) yield record
}

function isAsked({ session, request, by }: AuditEntry, query: URLSearchParams): boolean {
  return (
    (query.get('session') ?? session) === session &&
    (query.get('request') ?? request) === request &&
    (query.get('principal') ?? by?.principal) === by?.principal
  )
}

/** A session's own entries are for everyone who may see it; an ask's for those who may answer it. */
async function concerns(sessionOf: SessionOf, entry: AuditEntry, viewer: RestViewer): Promise<boolean> {
  const { request, by } = entry
  if (by?.principal === viewer.principal || entry.person === viewer.principal) return true
  if (entry.person !== undefined) return false
  const session = await sessionOf(entry.session)
  if (request === undefined) return maySee(session, viewer)
  const ask = session && findAsk(session, request)
  return ask !== undefined && maySeeAsk(ask.policy, viewer)
}

type SessionOf = (id: string) => Promise<Session | undefined>

/** Many entries are of the same few sessions: each is read once for a request. */
function readOnce({ sessions }: DeskView): SessionOf {
  const read = new Set<string>()
  return id => {
    if (read.has(id) && sessions.isLoaded(id)) return Promise.resolve(sessions.known(id))
    if (read.size >= maxRead) read.clear()
    read.add(id)
    return sessions.refresh(id)
  }
}
