// The Vercel AI SDK: a tool with `needsApproval` leaves a request in the messages, and goes on once a response is there.
import { type Approve, eachHasItsOwn, type ToolCall } from './approvals.js'

/** A message, as far as approvals go. */
export interface AiSdkMessage {
  readonly role: string
  readonly content: unknown
}

/** What the SDK takes as an answer. */
export interface AiSdkApprovals {
  readonly role: 'tool'
  readonly content: { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }[]
}

interface Part {
  readonly type?: unknown
  readonly approvalId?: unknown
  readonly toolCallId?: unknown
  readonly toolName?: unknown
  readonly input?: unknown
}

/**
 * Has every call in the messages approved that waits for it, and gives the message that says so; undefined where none waits.
 *
 * @example
 * messages.push(...(await generateText({ model, tools, messages })).response.messages)
 * const answers = await approvalMessage(messages, approve)
 * if (answers !== undefined) messages.push(answers)
 */
export async function approvalMessage(
  messages: readonly AiSdkMessage[],
  approve: Approve,
  signal?: AbortSignal,
): Promise<AiSdkApprovals | undefined> {
  const parts = messages.flatMap(({ content }): readonly Part[] => (Array.isArray(content) ? content : []))
  const answered = new Set(parts.filter(({ type }) => type === 'tool-approval-response').map(part => part.approvalId))
  const requests = parts.filter(({ type }) => type === 'tool-approval-request')
  const open = requests.filter(({ approvalId }) => !answered.has(approvalId))
  if (open.length === 0) return undefined
  // The SDK runs a call once for each request that was approved.
  eachHasItsOwn(requests.map(({ toolCallId }) => String(toolCallId)))
  const content = open.map(async ({ approvalId, toolCallId }) => {
    const approval = await approve(callIn(parts, toolCallId), signal)
    return { type: 'tool-approval-response' as const, approvalId: String(approvalId), ...approval }
  })
  return { role: 'tool', content: await Promise.all(content) }
}

function callIn(parts: readonly Part[], id: unknown): ToolCall {
  const [call, ...others] = parts.filter(({ type, toolCallId }) => type === 'tool-call' && toolCallId === id)
  if (call === undefined) throw new Error(`The messages ask for the approval of "${id}", and have no such call.`)
  // Which of them the SDK would run is its own affair, and the person would see one of them.
  if (others.length > 0) throw new Error(`The messages have several calls with the id "${id}". Give each its own.`)
  return { id: String(id), tool: String(call.toolName), input: call.input }
}
