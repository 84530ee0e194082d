import { plainName, visible } from '@beckon/core'
import type { AskEntry } from '@beckon/core/asks'
import { firstWords } from '../text/clamp.js'

/** One row of a list: who asks, or an ask. */
export type Row =
  | { readonly kind: 'group'; readonly who: string; readonly count: number }
  | { readonly kind: 'ask'; readonly ask: AskEntry; readonly place: number }

/** The open asks that have the wanted words, by who asks; the newest first, in and among groups. */
export function openRows(asks: readonly AskEntry[], query: string): Row[] {
  const found = matching(openOf(asks), query).sort((a, b) => b.askedAt - a.askedAt)
  const groups = new Map<string, AskEntry[]>()
  for (const ask of found) {
    const who = whoAsks(ask)
    const group = groups.get(who)
    if (group === undefined) groups.set(who, [ask])
    else group.push(ask)
  }
  let place = 0
  return [...groups].flatMap(([who, group]): Row[] => [
    { kind: 'group', who, count: group.length },
    ...group.map((ask): Row => ({ kind: 'ask', ask, place: ++place })),
  ])
}

/** The open asks that have the wanted words, those first that end first. */
export function rowsByDeadline(asks: readonly AskEntry[], query: string): Row[] {
  return matching(openOf(asks), query)
    .sort((a, b) => a.expiresAt - b.expiresAt)
    .map((ask, index): Row => ({ kind: 'ask', ask, place: index + 1 }))
}

/** The asks that ended and have the wanted words, the last first. */
export function endedRows(asks: readonly AskEntry[], query: string): Row[] {
  const ended = asks.filter(({ ending }) => ending !== undefined).reverse()
  return matching(ended, query)
    .sort((a, b) => (b.ending?.at ?? 0) - (a.ending?.at ?? 0))
    .map((ask, index): Row => ({ kind: 'ask', ask, place: index + 1 }))
}

/** The ask of a session to look at: the last that is open, or else the last. */
export function newestIn(asks: readonly AskEntry[], session: string): AskEntry | undefined {
  const own = asks.filter(ask => ask.session === session)
  return own.findLast(({ ending }) => ending === undefined) ?? own.at(-1)
}

/** The question of a session to answer next: the first that is open. */
export function nextIn(asks: readonly AskEntry[], session: string): AskEntry | undefined {
  return asks.find(ask => ask.session === session && ask.ending === undefined)
}

/** The words of an ask on one line. */
export function summaryOf({ request, title }: AskEntry): string {
  return visible(firstWords(request.message || title))
}

/** The server that asks, and the one it says asks through it: the server comes first, since it vouches for the other. */
export function whoAsks({ server, request }: AskEntry): string {
  const asker = request._meta?.['beckon/asker']
  const name = plainName(server)
  return typeof asker === 'string' && asker !== '' ? `${name} › ${plainName(asker)}` : name
}

/** The tool that asks, where that is known. */
export function toolOf({ request }: AskEntry): string | undefined {
  const tool = request._meta?.['beckon/tool']
  return typeof tool === 'string' ? visible(tool) : undefined
}

/** Whether its tool says of itself that it can destroy something. */
export function isDestructive({ request }: AskEntry): boolean {
  return request._meta?.['beckon/destructive'] === true
}

/** Whether someone called for it themselves, so that others have to accept it. */
export function isOwnCall({ approval, ending }: AskEntry, principal: string | undefined): boolean {
  return ending === undefined && principal !== undefined && approval?.requester === principal
}

/** Whether it is accepted with a passkey. */
export function takesPasskey({ request }: AskEntry): boolean {
  return request._meta?.['beckon/person'] === 'verified'
}

function openOf(asks: readonly AskEntry[]): AskEntry[] {
  return asks.filter(({ ending }) => ending === undefined).reverse()
}

/**
 * Whether a rule may accept such an ask: a yes or no about a tool call whose author does not want a person there. In a rule `*`
 * stands for any text, so that there is none about a name that has one.
 */
export function canBeRuled({ server, request }: AskEntry): boolean {
  const { url, questions = [], _meta = {} } = request
  const tool = _meta['beckon/tool']
  const isYesOrNo = url === undefined && (questions.length === 0 || _meta['beckon/approves'] === true)
  const isNamed = typeof tool === 'string' && !`${server}${tool}`.includes('*')
  return isNamed && isYesOrNo && _meta['beckon/person'] === undefined
}

const maxSearchedChars = 5_000
const searchable = new WeakMap<AskEntry['request'], string>()

function matching(asks: AskEntry[], query: string): AskEntry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  return wanted.length === 0 ? asks : asks.filter(ask => wanted.every(word => wordsOf(ask).includes(word)))
}

function wordsOf(ask: AskEntry): string {
  const known = searchable.get(ask.request)
  if (known !== undefined) return known
  const { message = '', questions = [] } = ask.request
  const titles = questions.map(({ title, message }) => `${title ?? ''} ${message}`)
  const given = JSON.stringify(ask.request._meta?.['beckon/arguments'] ?? '').slice(0, maxSearchedChars)
  const about = [whoAsks(ask), ask.title, toolOf(ask) ?? '', ask.ending?.by ?? '']
  const parts = [...about, message.slice(0, maxSearchedChars), given, ...titles]
  const words = parts.join(' ').toLowerCase()
  searchable.set(ask.request, words)
  return words
}
