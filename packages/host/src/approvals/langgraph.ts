// LangGraph: a node calls `interrupt` with what it wants to do, and the graph goes on by `Command({ resume })`.
import { canonicalJson } from '@beckon/core/canonical-json'
import { type Approval, type Approve, eachHasItsOwn, type ToolCall } from './approvals.js'

/**
 * What a node gives to `interrupt`: the call that it wants to make. Its id is the call's own, as the model gave it: the interrupts of
 * one node have one id, and an approval of one call is none of another with the same arguments.
 */
export type ApprovalRequest = Pick<ToolCall, 'id' | 'tool' | 'input' | 'destructive'>

/** An interrupt as a graph's result and its kept state have it. */
export interface GraphInterrupt {
  readonly id?: string | undefined
  readonly value?: unknown
}

/**
 * Has every call approved that a graph waits for, and gives what it is resumed with: an `Approval` by the id of its interrupt.
 * An interrupt for something else is left alone; undefined where no call waits.
 *
 * @example
 * const { tasks } = await graph.getState(config)
 * const resume = await approveInterrupts(tasks.flatMap(task => task.interrupts), approve)
 * if (resume !== undefined) await graph.invoke(new Command({ resume }), config)
 */
export async function approveInterrupts(
  interrupts: readonly GraphInterrupt[],
  approve: Approve,
  signal?: AbortSignal,
): Promise<Record<string, Approval> | undefined> {
  const waiting = interrupts.flatMap(({ id, value }) =>
    id !== undefined && isRequest(value) ? [[id, value] as const] : [],
  )
  if (waiting.length === 0) return undefined
  // One interrupt may be there twice: as a task's, and as that of a graph within it.
  const each = [...new Map(waiting.map(one => [canonicalJson(one), one] as const)).values()]
  eachHasItsOwn(each.map(([interrupt]) => interrupt))
  eachHasItsOwn(each.map(([, { id }]) => id))
  const decided = each.map(async ([interrupt, { id, tool, input, destructive }]) => {
    return [interrupt, await approve({ id, tool, input, destructive }, signal)] as const
  })
  return Object.fromEntries(await Promise.all(decided))
}

function isRequest(value: unknown): value is ApprovalRequest {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('tool' in value)) return false
  return typeof value.id === 'string' && typeof value.tool === 'string' && 'input' in value
}
