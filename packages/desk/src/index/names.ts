// The index: ordered sets in the store that say which asks are open for whom, what is due, and what is over. A name leads to
// an ask; the session's log says how that stands.
//
// I1 A name is added with the append of what it names, and never after it, and removed with the append that ends it, and never
//    before it: the index may name an ask that is gone, and misses none that is there.
// I2 A name has the instance of its ask: an ask that is opened again under the same id has another.
// I3 A reader skips a name that leads nowhere, and removes it when it is older than `staleMs`: by then its append came, or
//    never will.
// I4 A writer whose append took long adds its names again before anyone is told.
// I5 A node's list of what ended for it does not expire as a whole: setting an expiry waits for everything else that changes
//    the set, and every node writes to the lists of the others. It is listed itself, and what is old in it is removed.
// I6 A reader that finds another log than it knew, or in it what is no part of it, adds the names of what is open in it again, however
//    long the store does not take them: they were removed with an append that is there no longer, or that no reader counts.
// I7 A list of what is over expires as a whole, by twice the time after its last name was put that what is over is kept. Setting that
//    waits for everything else that changes the set, so it goes with one name in that time, and not with each.
import type { SetPut, SetRemoval } from 'beckon/store'
import type { EventOf } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import type { Ask, Session } from '../model/session.js'
import { type Token, tokensOf, tokensOfSession } from './tokens.js'

/** A name that leads nowhere goes after this time. */
export const staleMs: number = 10 * 60 * 1000

/** Changes of the index that go with an append; of those of one name, the last. */
export class NameChanges {
  readonly #changes = new Map<string, SetPut | SetRemoval>()

  put(...puts: readonly SetPut[]): void {
    for (const put of puts) this.#changes.set(keyOf(put), put)
  }

  remove(...removals: readonly SetRemoval[]): void {
    for (const removal of removals) this.#changes.set(keyOf(removal), removal)
  }

  split(): { readonly puts: SetPut[]; readonly removals: SetRemoval[] } {
    const puts: SetPut[] = []
    const removals: SetRemoval[] = []
    for (const change of this.#changes.values()) {
      if ('score' in change) puts.push(change)
      else removals.push(change)
    }
    return { puts, removals }
  }

  [Symbol.iterator](): Iterator<SetPut | SetRemoval> {
    return this.#changes.values()
  }
}

function keyOf({ set, member }: SetRemoval): string {
  return `${set} ${member}`
}

/** The names of the sets. */
export const sets = {
  /** Open asks by when they were asked. */
  open: (token: Token): string => `open/${token}`,
  /** Asks that ended, by when. */
  over: (token: Token): string => `over/${token}`,
  /** Open asks by when something is to be done about them. */
  due: 'due',
  /** Sessions that are not calls, by when they were made. */
  sessions: (token: Token): string => `sessions/${token}`,
  /** Asks that ended elsewhere, or went on there, and that somebody waits for on a node. */
  ended: (node: string): string => `ended/${node}`,
  /** Nodes that have such a list, by when it was last said that they do. */
  waiting: 'waiting',
}

/** In a list of what is over, and the name of nothing. */
export const noName = '-'

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

/** What is about to happen to a session does this to the index. */
export function nameChanges(happened: readonly Happened[], { keepMs, node }: NameLimits): NameChanges {
  const changes = new NameChanges()
  for (const { event, before, after } of happened) {
    const { at } = event
    switch (event.type) {
      case 'created':
        if (after !== undefined && !after.isCall) changes.put(...listsOf(after).map(name => ({ ...name, score: at })))
        break
      case 'disposed':
        if (before !== undefined) forgotten(before, { at, keepMs }, changes)
        break
      case 'asked': {
        const ask = after?.open.get(event.request.id)
        if (after && ask) changes.put(...namesOfOpen(after, ask))
        break
      }
      case 'awaited':
        movedOn(before, event, changes)
        break
      case 'escalated':
      case 'delegated':
        askedInstead({ before, after, event }, changes, keepMs)
        break
      case 'reminded': {
        const ask = after?.open.get(event.ask)
        if (after && ask) changes.put({ set: sets.due, member: memberOf(after.id, ask), score: dueAt(ask) })
        break
      }
    }
    if (before === undefined || before.open === after?.open) continue
    for (const ask of closed(before, after)) {
      const member = memberOf(before.id, ask)
      const tokens = tokensOf(ask.policy)
      changes.remove(...tokens.map(token => ({ set: sets.open(token), member })), { set: sets.due, member })
      if (ask.node !== node) changes.put(endedOn(ask.node, member, at))
      if (event.type === 'disposed' || event.type === 'truncated') continue
      changes.put(...tokens.map(token => ({ set: sets.over(token), member, score: at, expiresAt: at + 2 * keepMs })))
    }
  }
  return changes
}

/** The names that an open ask has. */
export function namesOfOpen(session: Session, ask: Ask): SetPut[] {
  const member = memberOf(session.id, ask)
  const open = tokensOf(ask.policy).map(token => ({ set: sets.open(token), member, score: ask.askedAt }))
  return [...open, { set: sets.due, member, score: dueAt(ask) }]
}

/** A server that waited for it where it was may still be there: that node looks after it until it has ended. */
function movedOn(session: Session | undefined, { ask: id, node, at }: EventOf<'awaited'>, changes: NameChanges): void {
  const ask = session?.open.get(id)
  if (session === undefined || ask === undefined || ask.node === node) return
  changes.put(endedOn(ask.node, memberOf(session.id, ask), Math.max(at, ask.policy.expiresAt)))
}

/** For a node where somebody waits. */
function endedOn(node: string, member: string, at: number): SetPut {
  return { set: sets.ended(node), member, score: at }
}

function askedInstead(
  { before, after, event: { ask: id, at } }: AskedInstead,
  changes: NameChanges,
  keepMs: number,
): void {
  const [old, ask] = [before?.open.get(id), after?.open.get(id)]
  if (after === undefined || old === undefined || ask === undefined) return
  const member = memberOf(after.id, ask)
  const tokens = tokensOf(ask.policy)
  for (const token of tokens) changes.put({ set: sets.open(token), member, score: ask.askedAt })
  for (const token of tokensOf(old.policy)) {
    if (tokens.includes(token)) continue
    changes.remove({ set: sets.open(token), member })
    // To those who are asked no longer, it is over.
    changes.put({ set: sets.over(token), member, score: at, expiresAt: at + 2 * keepMs })
  }
  changes.put({ set: sets.due, member, score: dueAt(ask) })
}

type AskedInstead = Pick<Happened, 'before' | 'after'> & { readonly event: EventOf<'escalated' | 'delegated'> }

/** Where a session is listed that is not a call. */
function listsOf(session: Session): SetRemoval[] {
  return tokensOfSession(session).map(token => ({ set: sets.sessions(token), member: session.id }))
}

/** A session that is disposed of takes with it what is over. No list is empty for that: its expiry would be gone, too (I7). */
function forgotten(
  session: Session,
  { at, keepMs }: { readonly at: number; readonly keepMs: number },
  changes: NameChanges,
): void {
  if (!session.isCall) changes.remove(...listsOf(session))
  for (const ask of session.ended) {
    const member = memberOf(session.id, ask)
    for (const token of tokensOf(ask.policy)) {
      const set = sets.over(token)
      changes.put({ set, member: noName, score: at, expiresAt: at + 2 * keepMs })
      changes.remove({ set, member })
    }
  }
}

/** The asks that are open no longer. */
function closed({ open }: Session, next: Session | undefined): Ask[] {
  return [...open.values()].filter(({ id, instance }) => next?.open.get(id)?.instance !== instance)
}
