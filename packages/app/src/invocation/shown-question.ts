// What an application shows beside a question, for every gateway: as text in the question, and as it is beside it for ours.
import type { Block } from '@beckon/core/blocks'

/** What is sent as one question. */
export interface ShownQuestion {
  readonly question: string
  /** Where a gateway of ours finds the blocks. */
  readonly _meta?: { readonly [name: string]: unknown }
}

/**
 * A question with what is shown beside it. What draws texts of it is loaded when something is shown.
 * @throws TypeError for blocks that nobody could be shown
 */
export async function shownQuestion(question: string, show: readonly Block[] = []): Promise<ShownQuestion> {
  if (show.length === 0) return { question }
  const { checkBlocks, messageWith, showMeta } = await import('@beckon/core/blocks')
  const checked = checkBlocks(show)
  if ('problem' in checked) throw new TypeError(checked.problem)
  const digest = await digestOf(checked.blocks)
  return { question: messageWith(question, checked.blocks, () => digest), _meta: { [showMeta]: checked.blocks } }
}

/** SHA-256, in base64url, of the canonical JSON. A page without a secure context has none: it shows the text alone. */
async function digestOf(value: unknown): Promise<string> {
  const subtle = globalThis.crypto?.subtle
  if (subtle === undefined) return 'unknown'
  const { canonicalJson } = await import('@beckon/core/canonical-json')
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(value)))
  const binary = String.fromCharCode(...new Uint8Array(hash))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
