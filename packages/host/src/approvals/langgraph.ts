// LangGraph: a node calls `interrupt` with what it wants to do, and the graph goes on by `Command({ resume })`.
import type { Approval, Approve, ToolCall } from './approvals.js'

/** What a node gives to `interrupt`: the call that it wants to make. */
export type ApprovalRequest = Pick<ToolCall, 'tool' | 'input' | 'destructive'>

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
  const decided = waiting.map(async ([id, { tool, input, destructive }]) => {
    return [id, await approve({ id, tool, input, destructive }, signal)] as const
  })
  return Object.fromEntries(await Promise.all(decided))
}

function isRequest(value: unknown): value is ApprovalRequest {
  return (
    typeof value === 'object' && value !== null && 'tool' in value && typeof value.tool === 'string' && 'input' in value
  )
}
