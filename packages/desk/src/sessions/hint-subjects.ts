// What a hint is about: a session, those whom its asks are for, and the nodes where somebody waits for them.
import { type Token, tokensOfAll, tokensOfSession } from '../index/tokens.js'
import { askOf } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import { findAsk } from '../model/reduce.js'
import type { Ask, Session } from '../model/session.js'

/** What an event that was written on a node is told under. */
export function subjectsOf(happened: Happened, node: string): string[] {
  const { event, before, after } = happened
  const session = after ?? before
  const isListed = session?.isCall === false && listed.has(event.type)
  const asks = asksIn(happened)
  const waiting = asks.filter(ask => ask.node !== node && !after?.open.has(ask.id))
  return [
    // Nobody can follow what was not there before.
    ...(before === undefined ? [] : [itself]),
    ...(isListed ? tokensOfSession(session).map(tokenSubject) : []),
    ...[...tokensOfAll(asks)].map(tokenSubject),
    ...waiting.map(ask => nodeSubject(ask.node)),
  ]
}

/** What changes a session that somebody made where it is listed. What happens to its asks is told to those whom they are for. */
const listed: ReadonlySet<Happened['event']['type']> = new Set([
  'created',
  'titleChanged',
  'marked',
  'turnStarted',
  'turnEnded',
  'disposed',
])

/** The asks that an event is about: one, or with a turn or a session all that were open. */
function asksIn({ event, before, after }: Happened): Ask[] {
  const id = askOf(event)
  if (id !== undefined) return [before, after].flatMap(session => found(session, id))
  if (event.type === 'reported') return after === undefined ? [] : [...after.open.values(), ...after.ended]
  return before === undefined ? [] : [...before.open.values()].filter(ask => !after?.open.has(ask.id))
}

function found(session: Session | undefined, id: string): Ask[] {
  const ask = session && findAsk(session, id)
  return ask === undefined ? [] : [ask]
}

/** The session that a hint is of, and not only those whom it asks. */
export const itself = 's'

export function sessionSubject(id: string): string {
  return `s/${id}`
}

export function tokenSubject(token: Token): string {
  return `t/${token}`
}

export function nodeSubject(node: string): string {
  return `n/${node}`
}
