// The first page of someone's asks: what is open, the newest first, and what ended lately.
import type { AskEntry, AsksState } from '@beckon/core/asks'
import { encodeEntry } from '../dialects/asks.js'
import type { Name } from '../index/ask-index.js'
import type { Session } from '../model/session.js'
import { type Person, seenBy } from '../policy/audience.js'
import type { LiveDesk } from './live-desk.js'

const openOnPage = 100
const endedOnPage = 100
/** Where counting stops. */
const maxCount = 1_000

/** A page that is being read: what happens meanwhile is in it when it is taken. */
export interface AsksPage {
  /** The page as of now. */
  take(): AsksState
  /** From now on what happens is told, and need not be noted. */
  join(): void
  stop(): void
}

export async function readAsksPage(desk: LiveDesk, person: Person): Promise<AsksPage> {
  const { index, sessions, audiences, feed, membersOf } = desk
  const stopFollowing = audiences.follow(person)
  const recording = feed.record()
  const stop = () => {
    recording.stop()
    stopFollowing()
  }
  try {
    const [open, over, count] = await Promise.all([
      index.open(person, { limit: openOnPage }),
      index.over(person, { limit: endedOnPage }),
      index.countOpen(person, maxCount),
    ])
    const names = [...open, ...over]
    const loaded = new Map<string, Session | undefined>()
    await Promise.all(
      [...new Set(names.map(({ session }) => session))].map(async id => loaded.set(id, await sessions.load(id))),
    )
    const take = (): AsksState => {
      const states = new Map<string, Session>()
      for (const id of [...loaded.keys(), ...recording.sessions]) {
        const session = sessions.isLoaded(id) ? sessions.known(id) : loaded.get(id)
        if (session !== undefined) states.set(id, session)
      }
      const asks = entriesIn(states, { names, changed: recording.sessions }, { seen: seenBy(person), membersOf })
      const more = count === maxCount ? maxCount : count - open.length
      return { asks, ...(more > 0 && { more }) }
    }
    return { take, join: recording.stop, stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** The asks that are named, and all of the sessions that something happened to; in the order they were asked. */
function entriesIn(
  states: ReadonlyMap<string, Session>,
  { names, changed }: { readonly names: readonly Name[]; readonly changed: ReadonlySet<string> },
  how: Parameters<typeof encodeEntry>[2],
): AskEntry[] {
  const wanted = new Set(names.map(({ member }) => member))
  const entries: AskEntry[] = []
  for (const session of states.values()) {
    for (const ask of [...session.ended, ...session.open.values()].sort((a, b) => a.number - b.number)) {
      if (!wanted.has(`${session.id}/${ask.instance}`) && !changed.has(session.id)) continue
      const entry = encodeEntry(session, ask, how)
      if (entry !== undefined) entries.push(entry)
    }
  }
  return entries.sort((a, b) => a.askedAt - b.askedAt)
}
