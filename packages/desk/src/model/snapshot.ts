import type { JsonValue } from 'beckon/store'
import type { Ask, Session } from './session.js'

/** Asks in a piece: any store can hold that many, as long as each. */
const pieceAsks = 20

type Head = Omit<Session, 'open' | 'ended'>

/** A session in pieces; the first is what it is without its asks, and null for one that is not there. */
export function encodeSession(session: Session | undefined): readonly JsonValue[] {
  if (session === undefined) return [null]
  const { open, ended, ...head } = session
  const asks = [...ended, ...open.values()]
  const pieces: (Head | Ask[])[] = [head]
  for (let from = 0; from < asks.length; from += pieceAsks) pieces.push(asks.slice(from, from + pieceAsks))
  // A session is plain JSON, but for the map that was taken apart.
  return pieces as unknown as JsonValue[]
}

export function decodeSession([head, ...pieces]: readonly JsonValue[]): Session | undefined {
  if (head === null || head === undefined) return undefined
  // What `encodeSession` made: a store that others can reach is sealed.
  const asks = pieces.flat() as unknown as Ask[]
  const open = asks.filter(({ ending }) => ending === undefined).map(ask => [ask.id, ask] as const)
  return {
    ...(head as unknown as Head),
    open: new Map(open),
    ended: asks.filter(({ ending }) => ending !== undefined),
  }
}
