import type { Text, ToolCall, ToolCallAuthStep, ToolCallStart, ToolCallStatus, ToolCallStep } from './tool-call.js'

type AnyStep = ToolCallStep<'session' | 'chat'> | ToolCallAuthStep

interface Change {
  status?: ToolCallStatus
  [field: string]: unknown
}

/** What a person is shown who has to confirm a tool call. */
const SHOWN = ['confirmationTitle', 'riskAssessment', 'edits', 'editable', 'options'] as const

/** Fields that belong to one status and do not outlive it. */
const PASSING = [
  ...SHOWN,
  'partialInput',
  'confirmed',
  'selectedOption',
  'content',
  'success',
  'pastTenseMessage',
  'structuredContent',
  'error',
  'auth',
]

export function startToolCall(action: ToolCallStart<'session' | 'chat'>): ToolCall {
  const { type: _type, turnId: _turnId, ...call } = action
  return { ...call, status: 'streaming' }
}

/** Moves a tool call on. A step that does not fit its status changes nothing. */
export function reduceToolCall(call: ToolCall, action: AnyStep): ToolCall {
  const { status } = call
  switch (action.type) {
    case 'session/toolCallDelta':
    case 'chat/toolCallDelta':
      if (status !== 'streaming') return call
      return stay(call, action, {
        partialInput: `${call.partialInput ?? ''}${action.content}`,
        invocationMessage: action.invocationMessage ?? call.invocationMessage,
      })

    case 'session/toolCallReady':
      return status === 'pending-confirmation' ? call : ready(call, action)
    case 'chat/toolCallReady':
      return ready(call, action)

    case 'session/toolCallConfirmed':
    case 'chat/toolCallConfirmed': {
      if (status !== 'pending-confirmation') return call
      const selectedOption = call.options?.find(option => option.id === action.selectedOptionId)
      const { confirmed, reason, reasonMessage, userSuggestion } = action
      return action.approved
        ? enter(call, action, {
            status: 'running',
            toolInput: action.editedToolInput ?? call.toolInput,
            confirmed,
            selectedOption,
          })
        : enter(call, action, { status: 'cancelled', reason, reasonMessage, userSuggestion, selectedOption })
    }

    case 'session/toolCallComplete':
    case 'chat/toolCallComplete': {
      const paused = status === 'auth-required'
      // A call that waits for authentication has not run: it can be given up, but it cannot have succeeded.
      if (paused ? action.result.success : status !== 'running' && status !== 'pending-confirmation') return call
      return enter(call, action, {
        confirmed: status === 'pending-confirmation' ? 'not-needed' : call.confirmed,
        selectedOption: call.selectedOption,
        content: paused ? call.content : undefined,
        ...action.result,
        status: action.requiresResultConfirmation && !paused ? 'pending-result-confirmation' : 'completed',
      })
    }

    case 'session/toolCallResultConfirmed':
    case 'chat/toolCallResultConfirmed':
      if (status !== 'pending-result-confirmation') return call
      return action.approved
        ? stay(call, action, { status: 'completed' })
        : enter(call, action, {
            status: 'cancelled',
            reason: 'result-denied',
            selectedOption: call.selectedOption,
          })

    case 'session/toolCallContentChanged':
    case 'chat/toolCallContentChanged':
      return status === 'running' ? stay(call, action, { content: action.content }) : call

    case 'chat/toolCallAuthRequired':
      return status === 'running' && call.contributor?.kind === 'mcp'
        ? stay(call, action, { status: 'auth-required', auth: action.auth })
        : call

    case 'chat/toolCallAuthResolved':
      return status === 'auth-required' ? stay(call, action, { status: 'running', auth: undefined }) : call

    default:
      return call
  }
}

/** What becomes of a tool call when its turn ends: unfinished ones are skipped. */
export function skipUnfinished(call: ToolCall): ToolCall {
  if (call.status === 'completed' || call.status === 'cancelled') return call
  return enter(call, {}, { status: 'cancelled', reason: 'skipped', invocationMessage: call.invocationMessage ?? '' })
}

/** Whether a tool call cannot go on without a person. */
export function awaitsPerson({ status }: ToolCall): boolean {
  return status === 'pending-confirmation' || status === 'pending-result-confirmation' || status === 'auth-required'
}

function ready(call: ToolCall, action: Extract<AnyStep, { invocationMessage: Text }>): ToolCall {
  const { invocationMessage, toolInput, confirmed } = action
  const pending = call.status === 'pending-confirmation'
  if (!pending && call.status !== 'streaming' && call.status !== 'running') return call
  if (confirmed) return enter(call, action, { status: 'running', invocationMessage, toolInput, confirmed })
  const before: Change = pending ? call : {}
  const next: Change = {
    status: 'pending-confirmation',
    invocationMessage,
    toolInput: toolInput ?? before.toolInput,
  }
  for (const field of SHOWN) next[field] = action[field] ?? before[field]
  return enter(call, action, next)
}

function enter(call: ToolCall, action: { _meta?: unknown }, fields: Change): ToolCall {
  const next = { ...call }
  for (const field of PASSING) delete next[field]
  return stay(next, action, fields)
}

function stay(call: ToolCall, action: { _meta?: unknown }, fields: Change): ToolCall {
  const next: ToolCall = { ...call, ...fields, _meta: action._meta ?? call._meta }
  for (const field of Object.keys(next)) if (next[field] === undefined) delete next[field]
  return next
}
