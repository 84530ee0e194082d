import { dropOldest } from '@beckon/core'
import { isLike } from './like.js'
import type { Rule, RuledCall } from './rule.js'

/** A tool that can destroy something. */
export interface DestructiveTool {
  readonly server: string
  readonly tool: string
}

/** As many are remembered by this node. */
const maxTools = 1_000

/** The tools that can destroy something, as calls have said here: a rule that is about one has to say that it means it. */
export class DestructiveTools {
  readonly #tools = new Map<string, DestructiveTool>()

  note({ server, tool, destructive }: RuledCall): void {
    if (destructive !== true || tool === undefined) return
    this.#tools.set(JSON.stringify([server, tool]), { server, tool })
    dropOldest(this.#tools, maxTools)
  }

  /** One that a rule would allow without saying so. */
  allowedSilently({ effect, match }: Rule): DestructiveTool | undefined {
    const { server = '*', tool = '*', destructive, readOnly } = match
    if (effect !== 'allow' || destructive !== undefined || readOnly === true) return undefined
    return [...this.#tools.values()].find(known => isLike(known.server, server) && isLike(known.tool, tool))
  }
}

/** What is wrong with such a rule. */
export function whyRefused({ tool, server }: DestructiveTool): string {
  return (
    `"${tool}" of ${server} can destroy something, and this would allow it without saying so. ` +
    'Write "destructive": true in "match" if you mean that, or false if you do not.'
  )
}
