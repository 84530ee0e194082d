import { CallCancelledError } from '@beckon/core'
import type { Call } from '../call/call.js'
import type { Entry } from '../call/journal.js'
import { never } from '../runtime/never.js'

/** A call came to an ask that its client cannot put, and goes on where the desk has its asks. */
export class MovedToDesk extends CallCancelledError {
  /** What the call has learned so far: nothing of it happens again. */
  readonly entries: readonly Entry[]

  constructor(entries: readonly Entry[]) {
    super('The call goes on with its asks on the desk.')
    this.entries = entries
  }
}

/** Gives this run up, for one that begins with what it learned. Never settles. */
export function moveToDesk(call: Call): Promise<never> {
  call.drop(new MovedToDesk([...call.journal.entries]))
  return never()
}
