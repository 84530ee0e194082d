import type { Ask, Ending } from '../../call/ask.js'
import { readReply } from '../../protocol/elicitation.js'

const maxLinkLength = 4 * 1024

/** Where a person can answer. It goes to the model, and so has to be an address and nothing else. */
export function readLink(said: unknown): string {
  const { link } = isRecord(said) ? said : {}
  const isAddress = typeof link === 'string' && link.length <= maxLinkLength && /^https?:[!-~]+$/i.test(link)
  if (isAddress && URL.canParse(link)) return link
  throw new Error('The desk does not say where a person can answer.')
}

/** How an ask has ended. */
export function readEnding(kind: Ask['kind'], said: unknown): Ending {
  if (isRecord(said) && said.kind === 'expired') return { kind: 'expired' }
  const outcome = isRecord(said) && said.kind === 'outcome' && isRecord(said.outcome) ? said.outcome : {}
  const reply = readReply(kind, outcome)
  if (reply === undefined) throw new Error('The desk does not say how the ask ended.')
  const isExplained = outcome.action === 'decline' && typeof outcome.reason === 'string'
  return isExplained ? { kind: 'outcome', outcome: { action: 'decline', reason: String(outcome.reason) } } : reply
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
