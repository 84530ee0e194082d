// An ask for a client that has only a message: the question first, since clients cut what is long, and the blocks as text. The
// blocks travel beside it, for clients of ours, which show them only where they are what the message says: so nobody can be
// shown one thing in one client and something else in another. Where the text leaves something out it ends with the digest of
// all blocks, so that a message is of these and no others, however much of them it shows.
import type { Block } from './block.js'
import { tellBlocks } from './blocks-text.js'
import { checkBlocks } from './check-blocks.js'

/** Where a request has its blocks, in `_meta`. */
export const showMeta = 'beckon/show'

/** SHA-256, in base64url, of the canonical JSON of blocks. */
export type BlocksDigest = (blocks: readonly Block[]) => string

/** Blocks never change: what is said of them is said once. */
const known = new WeakMap<readonly Block[], string>()

/** The message of an ask: what is asked, and after it what is shown, as text. */
export function messageWith(question: string, blocks: readonly Block[], digestOf: BlocksDigest): string {
  if (blocks.length === 0) return question
  const text = known.get(blocks) ?? boundText(blocks, digestOf)
  known.set(blocks, text)
  return `${question}\n\n${text}`
}

function boundText(blocks: readonly Block[], digestOf: BlocksDigest): string {
  const { text, isWhole } = tellBlocks(blocks)
  return isWhole ? text : `${text}\n\n(This is a part. SHA-256 of the whole: ${digestOf(blocks)})`
}

/** The blocks that a request has in its `_meta`; none where there are none that can be shown. */
export function blocksIn(meta: unknown): readonly Block[] {
  const given = typeof meta === 'object' && meta !== null && showMeta in meta ? meta[showMeta] : []
  const checked = checkBlocks(given)
  return 'blocks' in checked ? checked.blocks : []
}

/** A message taken apart again; as it is where it does not say what the blocks do. */
export function readMessage(
  message: string,
  meta: unknown,
  digestOf: BlocksDigest,
): { question: string; blocks: readonly Block[] } {
  const blocks = blocksIn(meta)
  const said = messageWith('', blocks, digestOf)
  if (said === '' || !message.endsWith(said)) return { question: message, blocks: [] }
  return { question: message.slice(0, -said.length), blocks }
}
