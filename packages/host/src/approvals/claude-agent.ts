// The Claude Agent SDK: `canUseTool` is asked before a tool runs. A session that is resumed forgets what it was asking, and its model
// calls the tool anew under another id: so a call is known by its tool and arguments, until its answer was given once.
import { randomUUID } from 'node:crypto'
import { canonicalJson } from '@beckon/core/canonical-json'
import type { Approval, Approve } from './approvals.js'

/** What the SDK tells beside the call. */
export interface ClaudeToolUse {
  readonly signal: AbortSignal
}

/** What the SDK takes as an answer. */
export type ClaudePermission =
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  | { behavior: 'deny'; message: string }

/** Where it is kept which calls are being asked about, by tool and arguments. A `Map` is one that ends with the process. */
export interface OpenCalls {
  get(call: string): string | undefined | Promise<string | undefined>
  set(call: string, id: string): unknown
  delete(call: string): unknown
}

/**
 * Has every call approved that the SDK would ask its user about. With `openCalls` that outlive the process, a call that is made
 * again after a restart finds the ask that it had, and the answer that was given meanwhile.
 *
 * @example
 * query({ prompt, options: { canUseTool: canUseTool(approve) } })
 */
export function canUseTool(
  approve: Approve,
  openCalls: OpenCalls = new Map<string, string>(),
): (tool: string, input: Record<string, unknown>, use: ClaudeToolUse) => Promise<ClaudePermission> {
  /** Of these at once, each is asked about by itself. */
  const running = new Set<string>()

  async function approveOnce(call: string, ask: (id: string) => Promise<Approval>, signal: AbortSignal) {
    const id = (await openCalls.get(call)) ?? randomUUID()
    await openCalls.set(call, id)
    try {
      const approval = await ask(id)
      // What was said counts for one call: the next is asked about anew.
      await openCalls.delete(call)
      return approval
    } catch (error) {
      // It was withdrawn. Else nobody can have said anything, and who tries again finds it.
      if (signal.aborted) await openCalls.delete(call)
      throw error
    }
  }

  return async function canUseTool(tool, given, { signal }) {
    // What runs is what a person was shown, whatever becomes of the arguments while they think.
    const input = structuredClone(given)
    const ask = (id: string) => approve({ id, tool, input }, signal)
    const call = canonicalJson([tool, input]) ?? tool
    const isAlone = !running.has(call)
    if (isAlone) running.add(call)
    try {
      const approval = await (isAlone ? approveOnce(call, ask, signal) : ask(randomUUID()))
      return approval.approved
        ? { behavior: 'allow', updatedInput: input }
        : { behavior: 'deny', message: approval.reason }
    } finally {
      if (isAlone) running.delete(call)
    }
  }
}
