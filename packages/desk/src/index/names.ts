// The index: ordered sets in the store that say which asks are open for whom, what is due, and what is over. A name leads to
// an ask; the session's log says how that stands.
//
// I1 A name is added before the append of what it names, and removed after the append that ends it: the index may name an ask
//    that is gone, and misses none that is there.
// I2 A name has the instance of its ask: an ask that is opened again under the same id has another.
// I3 A reader skips a name that leads nowhere, and removes it when it is older than `staleMs`: by then its append came, or
//    never will.
// I4 A writer whose append took long adds its names again before anyone is told.
// I5 A reader that finds another log than it knew adds the names of what is open in it again: they were removed after an append
//    that is there no longer.
import type { EventOf, SessionEvent } from '../model/events.js'
import { reduce } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'
import { type Token, tokensOf, tokensOfAsker, tokensOfSession } from './tokens.js'

/** A name that leads nowhere goes after this time. */
export const staleMs: number = 10 * 60 * 1000

const dayMs = 24 * 60 * 60 * 1000

export interface Put {
  readonly set: string
  readonly member: string
  readonly score: number
  /** When the whole set may go: what is in it is of no use by then. */
  readonly expiresAt?: number
}

interface Removal {
  readonly set: string
  readonly member: string
}

/** What events do to the index. */
export interface NameChanges {
  /** Done before the append. */
  readonly before: readonly Put[]
  /** Done after it. */
  readonly puts: readonly Put[]
  readonly removals: readonly Removal[]
}

/** The names of the sets; `desk/` and so on stands before each. */
export const sets = {
  /** Open asks by when they were asked. */
  open: (token: Token): string => `open/${token}`,
  /** Asks that ended, by when. */
  over: (token: Token): string => `over/${token}`,
  /** Open asks of a server in another process, by when they were asked. */
  of: (server: Token): string => `of/${server}`,
  /** Open asks by when something is to be done about them. */
  due: 'due',
  /** Sessions that are no calls, by when they were made. */
  sessions: (token: Token): string => `sessions/${token}`,
  /** Open asks of a server, or of one of its callers, by when they expire: a name that a process left behind goes by then. */
  from: (token: Token): string => `from/${token}`,
  /** Asks that ended elsewhere, or went on there, and that somebody waits for on a node. */
  ended: (node: string): string => `ended/${node}`,
}

/** Names an instance of an ask. */
export function memberOf(session: string, { instance }: Pick<Ask, 'instance'>): string {
  return `${session}/${instance}`
}

/** The session and the instance that a name leads to. */
export function parseMember(member: string): { readonly session: string; readonly instance: string } {
  const slash = member.lastIndexOf('/')
  return { session: member.slice(0, slash), instance: member.slice(slash + 1) }
}

/** When something is next to be done about an ask. */
export function dueAt({ policy, remindedAt = 0 }: Ask): number {
  const reminders = (policy.remindAt ?? []).filter(at => at > remindedAt)
  return Math.min(policy.expiresAt, policy.escalation?.at ?? Number.POSITIVE_INFINITY, ...reminders)
}

/** How long what is over is kept, and a node's list of what ended for it. */
export interface NameLimits {
  readonly keepMs: number
  readonly node: string
}

/** What events do to the index, given the session that they happen to. */
export function nameChanges(
  session: Session | undefined,
  events: readonly SessionEvent[],
  { keepMs, node }: NameLimits,
): NameChanges {
  const before: Put[] = []
  const puts: Put[] = []
  const removals: Removal[] = []
  let state = session
  for (const event of events) {
    const next = reduce(state, event)
    const { at } = event
    if (event.type === 'created' && next !== undefined && !next.isCall)
      before.push(...listsOf(next).map(name => ({ ...name, score: at })))
    if (event.type === 'disposed' && state !== undefined) forgotten(state, removals)
    if (event.type === 'asked') {
      const ask = next?.open.get(event.request.id)
      if (next && ask) before.push(...namesOfOpen(next, ask))
    }
    if (event.type === 'awaited') movedOn(state, event, before)
    if (event.type === 'escalated' || event.type === 'delegated')
      askedInstead(state, next, event, { before, puts, removals, keepMs })
    if (event.type === 'reminded') {
      const ask = next?.open.get(event.ask)
      if (next && ask) puts.push({ set: sets.due, member: memberOf(next.id, ask), score: dueAt(ask) })
    }
    if (state !== undefined)
      for (const ask of closed(state, next)) {
        const member = memberOf(state.id, ask)
        removals.push(...tokensOf(ask.policy).map(token => ({ set: sets.open(token), member })))
        removals.push({ set: sets.due, member })
        removals.push(...askersOf(state, ask).map(token => ({ set: sets.from(token), member })))
        if (ask.node !== node) before.push(endedOn(ask.node, member, at))
        if (event.type !== 'disposed' && event.type !== 'truncated')
          puts.push(
            ...tokensOf(ask.policy).map(token => ({
              set: sets.over(token),
              member,
              score: at,
              expiresAt: at + keepMs,
            })),
          )
      }
    state = next
  }
  return { before, puts, removals }
}

/** The names that an open ask has. */
export function namesOfOpen(session: Session, ask: Ask): Put[] {
  const member = memberOf(session.id, ask)
  const open = tokensOf(ask.policy).map(token => ({ set: sets.open(token), member, score: ask.askedAt }))
  const from = askersOf(session, ask).map(token => ({ set: sets.from(token), member, score: ask.policy.expiresAt }))
  return [...open, { set: sets.due, member, score: dueAt(ask) }, ...from]
}

/** Whose asks a program's ask is counted with. */
function askersOf({ server }: Session, { caller }: Ask): readonly Token[] {
  return caller === undefined ? [] : tokensOfAsker(server, caller)
}

/** Whoever waited for it where it was may still be there: that node looks after it until it has ended. */
function movedOn(session: Session | undefined, { ask: id, node, at }: EventOf<'awaited'>, before: Put[]): void {
  const ask = session?.open.get(id)
  if (session === undefined || ask === undefined || ask.node === node) return
  before.push(endedOn(ask.node, memberOf(session.id, ask), Math.max(at, ask.policy.expiresAt)))
}

/** For a node where somebody waits. It is of no use long after the ask has ended. */
function endedOn(node: string, member: string, at: number): Put {
  return { set: sets.ended(node), member, score: at, expiresAt: at + dayMs }
}

function askedInstead(
  was: Session | undefined,
  is: Session | undefined,
  { ask: id, at }: EventOf<'escalated' | 'delegated'>,
  { before, puts, removals, keepMs }: { before: Put[]; puts: Put[]; removals: Removal[]; keepMs: number },
): void {
  const [old, ask] = [was?.open.get(id), is?.open.get(id)]
  if (is === undefined || old === undefined || ask === undefined) return
  const member = memberOf(is.id, ask)
  const tokens = tokensOf(ask.policy)
  for (const token of tokens) before.push({ set: sets.open(token), member, score: ask.askedAt })
  for (const token of tokensOf(old.policy)) {
    if (tokens.includes(token)) continue
    removals.push({ set: sets.open(token), member })
    // To those who are asked no longer, it is over.
    puts.push({ set: sets.over(token), member, score: at, expiresAt: at + keepMs })
  }
  puts.push({ set: sets.due, member, score: dueAt(ask) })
}

/** Where a session is listed that is no call. */
function listsOf(session: Session): Removal[] {
  return tokensOfSession(session).map(token => ({ set: sets.sessions(token), member: session.id }))
}

/** A session that is disposed of takes with it what is over. */
function forgotten(session: Session, removals: Removal[]): void {
  if (!session.isCall) removals.push(...listsOf(session))
  for (const ask of session.ended) {
    const member = memberOf(session.id, ask)
    removals.push(...tokensOf(ask.policy).map(token => ({ set: sets.over(token), member })))
  }
}

/** The asks that are open no longer. */
function closed({ open }: Session, next: Session | undefined): Ask[] {
  return [...open.values()].filter(({ id, instance }) => next?.open.get(id)?.instance !== instance)
}
