import type { AskEntry } from '@beckon/core/asks'
import { isDestructive, isOwnCall, takesPasskey } from './rows.js'

/** What can be done about several asks at once. */
export interface Several {
  /** A yes or no that one click may answer. */
  readonly acceptable: readonly AskEntry[]
  readonly declinable: readonly AskEntry[]
  /** How many are not accepted with the others, by why. */
  readonly leftOut: { readonly destructive: number; readonly passkey: number; readonly toFill: number }
}

/** Sorts out those that need to be looked at one by one before they are accepted. */
export function sortSeveral(asks: readonly AskEntry[], principal?: string): Several {
  const open = asks.filter(({ ending }) => ending === undefined)
  const leftOut = { destructive: 0, passkey: 0, toFill: 0 }
  const acceptable = open.filter(ask => {
    const why = isOwnCall(ask, principal) ? 'toFill' : whyLeftOut(ask)
    if (why !== undefined) leftOut[why]++
    return why === undefined
  })
  return { acceptable, declinable: open, leftOut }
}

function whyLeftOut(ask: AskEntry): keyof Several['leftOut'] | undefined {
  const { url, questions = [] } = ask.request
  if (isDestructive(ask)) return 'destructive'
  if (takesPasskey(ask)) return 'passkey'
  // What is shown beside a question has to be looked at, ask by ask.
  const hasBlocks = ask.request._meta?.['beckon/show'] !== undefined
  return url !== undefined || questions.length > 0 || hasBlocks ? 'toFill' : undefined
}
