// The message of an ask with what is shown beside it, bound to all of that by its digest where the text leaves something out.
import * as core from '@beckon/core/blocks'
import { digest } from './digest.js'

/** What is asked, and after it what is shown, as text. */
export function messageWith(question: string, blocks: readonly core.Block[] = []): string {
  return core.messageWith(question, blocks, digest)
}

/** A message taken apart again; as it is where it does not say what the blocks in `_meta` do. */
export function readMessage(message: string, meta: unknown): { question: string; blocks: readonly core.Block[] } {
  return core.readMessage(message, meta, digest)
}
