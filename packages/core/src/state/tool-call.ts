/** Where a tool call is in its life. The last two are final. */
export type ToolCallStatus =
  | 'streaming'
  | 'pending-confirmation'
  | 'running'
  | 'auth-required'
  | 'pending-result-confirmation'
  | 'completed'
  | 'cancelled'

/** A tool call of an agent, as a part of its response. Which other fields it has depends on its status. */
export interface ToolCall {
  toolCallId: string
  status: ToolCallStatus
  contributor?: { kind: string } | null
  options?: { id: string }[] | null
  [field: string]: unknown
}

/** What every step of a tool call carries. */
export interface ToolCallStepBase {
  turnId: string
  toolCallId: string
  _meta?: Record<string, unknown>
}

/** Plain text, or text with markup. */
export type Text = string | { markdown: string }

/** Begins a tool call; what the action carries becomes the call. */
export type ToolCallStart<Channel extends string> = ToolCallStepBase & {
  type: `${Channel}/toolCallStart`
  toolName: string
  displayName: string
  intention?: string
  contributor?: { kind: string }
}

/** What happens to a tool call after its start. */
export type ToolCallStep<Channel extends string> = ToolCallStepBase &
  (
    | { type: `${Channel}/toolCallDelta`; content: string; invocationMessage?: Text }
    | {
        type: `${Channel}/toolCallReady`
        invocationMessage: Text
        toolInput?: unknown
        confirmed?: string
        confirmationTitle?: Text
        riskAssessment?: unknown
        edits?: unknown
        editable?: boolean
        options?: { id: string }[]
      }
    | {
        type: `${Channel}/toolCallConfirmed`
        approved: boolean
        confirmed?: string
        editedToolInput?: unknown
        selectedOptionId?: string
        reason?: string
        reasonMessage?: Text
        userSuggestion?: unknown
      }
    | {
        type: `${Channel}/toolCallComplete`
        result: { success: boolean; pastTenseMessage: Text; [field: string]: unknown }
        requiresResultConfirmation?: boolean
      }
    | { type: `${Channel}/toolCallResultConfirmed`; approved: boolean }
    | { type: `${Channel}/toolCallContentChanged`; content: unknown[] }
  )

/** A tool call of an MCP server stops until a person has signed in. In the later dialect only. */
export type ToolCallAuthStep = ToolCallStepBase &
  ({ type: 'chat/toolCallAuthRequired'; auth: unknown } | { type: 'chat/toolCallAuthResolved' })
