import { type AskIndex, type Name, newestFirst, type Place } from '../index/ask-index.js'
import { memberOf } from '../index/names.js'
import { tokensFor, tokensOf } from '../index/tokens.js'
import type { Ask, Session } from '../model/session.js'
import { isNamedIn, mayAnswer, type Person } from '../policy/audience.js'
import type { Sessions } from './sessions.js'

interface AskFilter {
  readonly session?: string | undefined
  readonly server?: string | undefined
  readonly tool?: string | undefined
  /** Text in the message, the names of server and tool, or the arguments. */
  readonly search?: string | undefined
  /** Only those that are for this person by name. */
  readonly mine?: boolean | undefined
  /** Only those of tools that can destroy something, or only the others. */
  readonly destructive?: boolean | undefined
}

export interface AskQuery extends AskFilter {
  readonly limit: number
  readonly after?: Place | undefined
  /** Those that end first come first. Default: the newest. */
  readonly order?: 'due' | undefined
}

export interface AskPage {
  readonly asks: readonly { readonly session: Session; readonly ask: Ask }[]
  /** Where the next page begins; absent when there is no more. */
  readonly next?: Place
  /** It looked at as many as it may, down to those that were asked then: of older ones it knows nothing. */
  readonly searchedTo?: number
}

/** How many asks one page looks at. */
const maxLooked = 2_000
const pageNames = 200

/** Open asks that someone may answer and that fit, newest first, or as `order` says. */
export async function searchAsks(
  desk: { readonly index: AskIndex; readonly sessions: Sessions },
  person: Person,
  query: AskQuery,
): Promise<AskPage> {
  const { limit, after, order, ...filter } = query
  const { index, sessions } = desk
  if (order === 'due') return dueFirst(desk, person, query)
  const fits = fitsOf(filter, person)
  if (filter.session !== undefined) return pageOf(await sessions.load(filter.session), person, fits, { limit, after })
  const found: { session: Session; ask: Ask }[] = []
  const isFiltered = Object.values(filter).some(wanted => wanted !== undefined)
  const atOnce = isFiltered ? pageNames : Math.min(pageNames, limit + 1)
  const loaded = new Map<string, Session | undefined>()
  let last = after
  for (let looked = 0; looked < maxLooked; ) {
    const names = await index.open(person, { limit: atOnce, after: last })
    const others = new Set(names.map(({ session }) => session).filter(id => !loaded.has(id)))
    await Promise.all([...others].map(async id => loaded.set(id, await sessions.load(id))))
    for (const name of names) {
      const session = loaded.get(name.session)
      const ask = askAt(session, name)
      if (session === undefined || ask === undefined) index.followed(name, tokensFor(person), undefined)
      else if (ask.ending !== undefined) index.followed(name, tokensOf(ask.policy), ask)
      else if (mayAnswer(ask.policy, person) && fits(session, ask)) {
        if (found.length === limit) return { asks: found, ...(last && { next: last }) }
        found.push({ session, ask })
      }
      last = { at: name.at, member: name.member }
    }
    looked += names.length
    if (names.length < atOnce) return { asks: found }
  }
  return { asks: found, ...(last && { next: last, searchedTo: last.at }) }
}

/** The newest that it may look at, in the order in which they end. */
async function dueFirst(
  desk: { readonly index: AskIndex; readonly sessions: Sessions },
  person: Person,
  { limit, after, order: _, ...filter }: AskQuery,
): Promise<AskPage> {
  const { asks, searchedTo } = await searchAsks(desk, person, { ...filter, limit: maxLooked })
  const places = asks
    .map(one => ({ ...one, at: one.ask.policy.expiresAt, member: memberOf(one.session.id, one.ask) }))
    .sort(firstDue)
    .filter(place => after === undefined || firstDue(after, place) < 0)
  const last = places.length > limit ? places[limit - 1] : undefined
  return {
    asks: places.slice(0, limit).map(({ session, ask }) => ({ session, ask })),
    ...(last && { next: { at: last.at, member: last.member } }),
    ...(searchedTo !== undefined && { searchedTo }),
  }
}

function firstDue(a: Place, b: Place): number {
  return a.at - b.at || (a.member < b.member ? -1 : a.member > b.member ? 1 : 0)
}

/** Of one session, which is loaded as a whole. */
function pageOf(
  session: Session | undefined,
  person: Person,
  fits: Fits,
  { limit, after }: { readonly limit: number; readonly after: Place | undefined },
): AskPage {
  if (session === undefined) return { asks: [] }
  const places = [...session.open.values()]
    .filter(ask => mayAnswer(ask.policy, person) && fits(session, ask))
    .map(ask => ({ ask, at: ask.askedAt, member: memberOf(session.id, ask) }))
    .sort(newestFirst)
    .filter(place => after === undefined || newestFirst(after, place) < 0)
  const last = places.length > limit ? places[limit - 1] : undefined
  const asks = places.slice(0, limit).map(({ ask }) => ({ session, ask }))
  return { asks, ...(last && { next: { at: last.at, member: last.member } }) }
}

function askAt(session: Session | undefined, { instance }: Name): Ask | undefined {
  if (session === undefined) return undefined
  for (const ask of session.open.values()) if (ask.instance === instance) return ask
  return session.ended.find(ask => ask.instance === instance)
}

type Fits = (session: Session, ask: Ask) => boolean

function fitsOf({ server, tool, search, mine, destructive }: AskFilter, person: Person): Fits {
  const wanted = search?.toLowerCase()
  return (session, { request, policy }) => {
    const { 'beckon/tool': asked, 'beckon/arguments': input, 'beckon/destructive': destroys } = request._meta ?? {}
    if ((server ?? session.server) !== session.server) return false
    if (tool !== undefined && tool !== asked) return false
    if (mine && !isNamedIn(policy, person)) return false
    if (destructive !== undefined && destructive !== (destroys === true)) return false
    if (wanted === undefined) return true
    const texts = [request.message ?? '', session.server, String(asked ?? ''), JSON.stringify(input) ?? '']
    return texts.some(text => text.toLowerCase().includes(wanted))
  }
}
