import { awaitsPerson, reduceToolCall, startToolCall } from './reduce-tool-call.js'
import { SessionStatus } from './status.js'
import type { ToolCallAuthStep } from './tool-call.js'
import type { ActiveTurn, ResponseAction, ResponsePart } from './turn.js'

/** Adds to the response of the active turn. The same object comes back when nothing changed. */
export function reduceResponse(
  turn: ActiveTurn | undefined,
  action: ResponseAction<'session' | 'chat'> | ToolCallAuthStep,
): ActiveTurn | undefined {
  if (!turn || turn.id !== action.turnId) return turn
  switch (action.type) {
    case 'session/delta':
    case 'chat/delta':
      return changePart(turn, part => appendText(part, 'markdown', action))
    case 'session/reasoning':
    case 'chat/reasoning':
      return changePart(turn, part => appendText(part, 'reasoning', action))
    case 'session/responsePart':
    case 'chat/responsePart':
      // An error ends its turn: it comes with the end, or not at all.
      return action.part.kind === 'error' ? turn : appendPart(turn, action.part)
    case 'session/usage':
    case 'chat/usage':
      return { ...turn, usage: action.usage }
    case 'session/toolCallStart':
    case 'chat/toolCallStart':
      return appendPart(turn, { kind: 'toolCall', toolCall: startToolCall(action) })
    default:
      return changePart(turn, part => {
        if (part.kind !== 'toolCall' || part.toolCall.toolCallId !== action.toolCallId) return part
        const toolCall = reduceToolCall(part.toolCall, action)
        return toolCall === part.toolCall ? part : { ...part, toolCall }
      })
  }
}

/** What a session or chat is doing, by its active turn: waiting for a person, answering, or nothing. */
export function activityOf(turn: ActiveTurn | undefined): number {
  if (!turn) return SessionStatus.idle
  const needsInput = turn.responseParts.some(part =>
    part.kind === 'toolCall' ? awaitsPerson(part.toolCall) : part.kind === 'inputRequest' && !part.response,
  )
  return needsInput ? SessionStatus.inputNeeded : SessionStatus.inProgress
}

export function appendPart(turn: ActiveTurn, part: ResponsePart): ActiveTurn {
  return { ...turn, responseParts: [...turn.responseParts, part] }
}

/** Changes the first part that `change` gives another object for. */
export function changePart(turn: ActiveTurn, change: (part: ResponsePart) => ResponsePart): ActiveTurn {
  let index = 0
  for (const part of turn.responseParts) {
    const changed = change(part)
    if (changed !== part) return { ...turn, responseParts: turn.responseParts.with(index, changed) }
    index++
  }
  return turn
}

function appendText(
  part: ResponsePart,
  kind: 'markdown' | 'reasoning',
  { partId, content }: { partId: string; content: string },
): ResponsePart {
  return part.kind === kind && part.id === partId ? { ...part, content: part.content + content } : part
}
