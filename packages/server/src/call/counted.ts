import type { OpenAsk } from './ask.js'
import type { Reply } from './journal.js'

/** When an answer came in, and by the clock of which node. */
export interface AnsweredAt {
  readonly now: number
  readonly node: string
  /** How far the clocks of two nodes may be apart. */
  readonly clockSkewMs: number
}

/**
 * Whether a client's reply counts. A reply that came before the floor of its ask does not; on a node other than the one that
 * asked, a reply is refused only if it is too early by every permitted clock skew. There an answer may seem to come before its question, by as much
 * as the clocks are apart; beyond that, and on the node that asked, the clock went back and says nothing.
 */
export function counted(
  { askedAt, floor }: Pick<OpenAsk, 'askedAt' | 'floor'>,
  reply: Reply,
  { now, node, clockSkewMs }: AnsweredAt,
): Reply {
  if (floor === undefined || reply.kind !== 'outcome') return reply
  const elapsedMs = now - askedAt
  const isHere = floor.node === node
  const skewMs = isHere ? 0 : clockSkewMs
  if (elapsedMs >= -skewMs && elapsedMs < floor.ms - skewMs) return { kind: 'discounted' }
  return isHere && elapsedMs >= floor.ms ? { ...reply, afterFloor: true } : reply
}
