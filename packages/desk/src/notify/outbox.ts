// Which asks are to be looked at, as names in an ordered set: put there before the append of what happened, and removed once
// everything that follows from it is stored. A name does not say what happened, only what to look for: the session does.
import type { SetPut } from 'beckon/store'
import { askOf } from '../model/events.js'
import type { Happened } from '../model/happened.js'
import type { Ask, Session } from '../model/session.js'

/** What a look has to find for its name to be of no more use. */
type Looked =
  /** That it is there. */
  | 'asked'
  /** That it is open no longer. */
  | 'ended'
  /** Anything: it is looked at until what happened was appended, or never will be. */
  | 'changed'

export interface OutboxEntry {
  readonly look: Looked
  readonly session: string
  readonly instance: string
}

const letters: Readonly<Record<Looked, string>> = { asked: 'a', ended: 'e', changed: 'c' }
const looks = new Map((Object.keys(letters) as Looked[]).map(look => [letters[look], look]))

export const outboxSet = 'notify/outbox'

/** The names of what an event makes worth a look. */
export function outboxNames(happened: Happened): SetPut[] {
  const { id: session, event } = happened
  return touched(happened).flatMap(([was, is]) => {
    const look = was === undefined ? 'asked' : is === undefined ? 'ended' : isChanged(was, is) ? 'changed' : undefined
    const { instance } = is ?? was ?? {}
    if (look === undefined || instance === undefined) return []
    return [{ set: outboxSet, member: encodeEntry({ look, session, instance }), score: event.at }]
  })
}

function encodeEntry({ look, session, instance }: OutboxEntry): string {
  return `${letters[look]}/${session}/${instance}`
}

export function decodeEntry(member: string): OutboxEntry | undefined {
  const [letter = '', session, instance] = member.split('/')
  const look = looks.get(letter)
  return look && session && instance ? { look, session, instance } : undefined
}

/** The asks that an event is about, before and after it. */
function touched({ event, before, after }: Happened): (readonly [Ask | undefined, Ask | undefined])[] {
  if (event.type === 'drafted') return []
  const id = askOf(event)
  const open = (session: Session | undefined, ask: string) => session?.open.get(ask)
  if (id !== undefined) return [[open(before, id), open(after, id)]]
  // A turn that ends, or is taken back, ends what it asks.
  return [...(before?.open.values() ?? [])].flatMap(was => {
    const is = open(after, was.id)
    return is === was ? [] : [[was, is] as const]
  })
}

function isChanged(was: Ask, is: Ask): boolean {
  return was.policy !== is.policy || was.remindedAt !== is.remindedAt || was.approvals !== is.approvals
}
