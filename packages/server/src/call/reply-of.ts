import { AskExpiredError } from '@beckon/core'
import type { Ending } from './ask.js'
import type { Reply } from './journal.js'

/** The reply of an ask that has one; throws for one that expired. */
export function replyOf(ending: Ending, askId: string): Exclude<Reply, { kind: 'expired' }> {
  if (ending.kind === 'failed') throw ending.error
  if (ending.kind === 'expired') throw new AskExpiredError(askId)
  return ending
}
