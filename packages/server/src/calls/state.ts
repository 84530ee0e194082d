import { StateRejectedError } from '@beckon/core'
import type { Ask, OpenAsk } from '../call/ask.js'
import type { AskMark } from '../call/journal.js'
import type { Target } from '../call/wire.js'

/** An open ask as a state remembers it: enough to take its answer without running the handler. */
export interface OpenMark extends AskMark {
  id: string
  ask: Ask['kind']
  from: number
  /** Not in a state of an earlier version. */
  askedAt?: number | undefined
  expiresAt: number
}

/** What a `requestState` holds once it is opened. Everything that it is bound to is in it. */
export interface CallState {
  format: 1
  call: string
  round: number
  expiresAt: number
  principal: string | null
  target: Target
  /** The version of the server that made it. */
  version: string
  open: OpenMark[]
  /** As `addToJournal` writes it; absent where the ledger keeps it. */
  journal?: string
  /** How many rounds in a row a replay did not reach what the journal has. */
  misses: number
}

export function markOpen({ id, ask: { kind: ask }, mark, from, askedAt, expiresAt }: OpenAsk): OpenMark {
  // Written out: on this path a spread costs more than everything else about it.
  const { key, digest, nth, position } = mark
  return key === undefined
    ? { digest, nth, position, id, ask, from, askedAt, expiresAt }
    : { key, digest, nth, position, id, ask, from, askedAt, expiresAt }
}

/** Refuses a state that is not for this request. */
export function checkBinding(
  state: { target: Target; principal: string | null },
  target: Target,
  principal: string | undefined,
): void {
  if (state.principal !== (principal ?? null)) throw new StateRejectedError('it belongs to someone else')
  const { method, name, digest } = state.target
  if (method !== target.method || name !== target.name) throw new StateRejectedError('it belongs to another call')
  if (digest !== target.digest) throw new StateRejectedError('the arguments are not those it was made for')
}
