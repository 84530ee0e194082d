import type { OpenAsk } from '../../call/ask.js'
import { askEntry } from '../../call/ask-entry.js'
import type { Entry } from '../../call/journal.js'
import type { About, Encoded, Line, Owner } from './line.js'

/** A call that goes on by itself, as its log has it. */
export interface DetachedState {
  readonly about: About
  readonly owner: Owner
  /** The journal: what a replay needs. */
  readonly entries: readonly Entry[]
  readonly open: readonly OpenAsk[]
  readonly link: string | undefined
  readonly end: Encoded | 'cancelled' | undefined
  readonly updatedAt: number
}

/** Adds a line. One that changes nothing gives the same state back. */
export function reduce(state: DetachedState | undefined, line: Line): DetachedState | undefined {
  if (state === undefined) return line.kind === 'begun' ? begin(line) : undefined
  if (state.end !== undefined) return state
  const updatedAt = line.at
  switch (line.kind) {
    case 'begun':
    case 'delivered':
      return state
    case 'taken':
      return { ...state, owner: line.owner, updatedAt }
    case 'asked':
      return state.open.some(({ id }) => id === line.ask.id)
        ? state
        : { ...state, open: [...state.open, line.ask], updatedAt }
    case 'answered': {
      const ask = state.open.find(({ id }) => id === line.id)
      if (ask === undefined) return state
      const entry = askEntry(ask.mark, ask.from, line.reply)
      return {
        ...state,
        open: state.open.filter(other => other !== ask),
        entries: [...state.entries, entry],
        updatedAt,
      }
    }
    case 'dropped':
      return { ...state, open: state.open.filter(({ id }) => id !== line.id), updatedAt }
    case 'step':
      return { ...state, entries: [...state.entries, line.entry], updatedAt }
    case 'placed':
      return { ...state, link: line.link }
    case 'ended':
      return { ...state, open: [], end: line.end, updatedAt }
    case 'cancelled':
      return { ...state, open: [], end: 'cancelled', updatedAt }
  }
}

function begin({ about, owner, entries, at }: Extract<Line, { kind: 'begun' }>): DetachedState {
  return { about, owner, entries, open: [], link: undefined, end: undefined, updatedAt: at }
}
