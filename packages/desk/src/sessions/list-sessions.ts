import { type AskIndex, newestFirst, type Place } from '../index/ask-index.js'
import type { Session } from '../model/session.js'
import { isListedFor, mayAnswer, maySee, type Person } from '../policy/audience.js'
import type { Sessions } from './sessions.js'

export interface SessionPage {
  readonly sessions: readonly Session[]
  /** Where the next page begins; absent when this was the last. */
  readonly next?: Place
}

/** How many names one page looks at: several may lead to the same session. */
const maxLooked = 2_000
const pageNames = 100

/** The sessions that are there for someone: their own, those that are for them, and those that ask them something. Newest first. */
export async function listSessionsFor(
  { index, sessions }: { readonly index: AskIndex; readonly sessions: Sessions },
  person: Person,
  { limit, after }: { readonly limit: number; readonly after?: Place | undefined },
): Promise<SessionPage> {
  const atOnce = Math.max(limit, pageNames)
  const found: Session[] = []
  const loaded = new Map<string, Session | undefined>()
  let last = after
  for (let looked = 0; looked < maxLooked; looked += atOnce) {
    const page = { limit: atOnce, after: last }
    const [made, open, over] = await Promise.all([
      index.sessions(person, page),
      index.open(person, page),
      index.over(person, page),
    ])
    const names = [...made.map(place => ({ ...place, session: place.member })), ...open, ...over]
    // Further back than that, one of the lists may have more.
    const places = names.sort(newestFirst).slice(0, atOnce)
    const others = new Set(places.map(({ session }) => session).filter(id => !loaded.has(id)))
    await Promise.all([...others].map(async id => loaded.set(id, await sessions.load(id))))
    for (const { session: id, at, member } of places) {
      if (found.length === limit) return { sessions: found, ...(last && { next: last }) }
      last = { at, member }
      const session = loaded.get(id)
      // One that several names lead to is at one of them.
      if (maySee(session, person) && placeOf(session, person) === at && !found.includes(session)) found.push(session)
    }
    if (places.length < atOnce) return { sessions: found }
  }
  return { sessions: found, ...(last && { next: last }) }
}

/** When a session was made; of one that is there for what it asks, when it last asked someone something, or that ended. */
function placeOf(session: Session, person: Person): number {
  if (!session.isCall && isListedFor(session, person)) return session.createdAt
  const isFor = ({ policy }: Session['ended'][number]) => mayAnswer(policy, person)
  const opened = [...session.open.values()].filter(isFor).map(({ askedAt }) => askedAt)
  const ended = session.ended.filter(isFor).map(({ ending }) => ending?.at ?? 0)
  return Math.max(0, ...opened, ...ended)
}
