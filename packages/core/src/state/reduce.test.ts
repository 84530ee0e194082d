import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChatAction,
  type ChatState,
  reduceChat,
  reduceSessionSummary,
  type SessionSummary,
  type SessionSummaryAction,
} from './chat/index.js'
import { reduceSession, type SessionAction, type SessionState, SessionStatus } from './session-0.3/index.js'
import type { ActiveTurn } from './turn.js'

const session: SessionState = {
  summary: { resource: 's', provider: 'beckon', title: '', status: SessionStatus.idle, createdAt: 0, modifiedAt: 0 },
  lifecycle: 'ready',
  turns: [],
}
const chat: ChatState = { resource: 'c', title: '', status: SessionStatus.idle, modifiedAt: '', turns: [] }
const summary: SessionSummary = { provider: '', title: '', status: 1, lifecycle: '', chats: [], activeClients: [] }

const requestId = fc.constantFrom('a', 'b', '__proto__')
const questionId = fc.constantFrom('q', '__proto__', 'constructor')
const turnId = fc.constantFrom('t1', 't2', 't3')
const toolCallId = fc.constantFrom('c1', 'c2')
const answer = fc.record({
  state: fc.constantFrom('draft' as const, 'submitted' as const),
  value: fc.record({ kind: fc.constant('text' as const), value: fc.string({ maxLength: 3 }) }),
})
const answers = fc.dictionary(questionId, answer)
const text = fc.constantFrom('x', 'y')
const message = fc.record({ text })
const type = <T extends string>(...types: T[]) => fc.constantFrom(...types)
const request = fc.oneof(fc.record({ id: requestId }), fc.record({ id: requestId, answers }))

/** Everything that changes what a session or chat is doing. */
function actionsOf<C extends 'session' | 'chat'>(c: C) {
  return fc.oneof(
    fc.record({ type: type(`${c}/turnStarted`), turnId, message }),
    fc.record({ type: type(`${c}/turnComplete`, `${c}/turnCancelled`), turnId }),
    fc.record({ type: type(`${c}/error`), turnId, error: fc.constant({ errorType: 'e', message: 'm' }) }),
    fc.oneof(fc.record({ type: type(`${c}/truncated`) }), fc.record({ type: type(`${c}/truncated`), turnId })),
    fc.record({ type: type(`${c}/inputRequested`), request }),
    fc.record({ type: type(`${c}/inputAnswerChanged`), requestId, questionId }),
    fc.record({ type: type(`${c}/inputAnswerChanged`), requestId, questionId, answer }),
    fc.record({ type: type(`${c}/inputCompleted`), requestId, response: type('accept', 'decline', 'cancel'), answers }),
    fc.record({ type: type(`${c}/toolCallStart`), turnId, toolCallId, toolName: text, displayName: text }),
    fc.record({ type: type(`${c}/toolCallReady`), turnId, toolCallId, invocationMessage: text }),
    fc.record({ type: type(`${c}/toolCallConfirmed`), turnId, toolCallId, approved: fc.boolean() }),
    fc.record({ type: type(`${c}/isReadChanged`), isRead: fc.boolean() }),
    fc.record({ type: type(`${c}/isArchivedChanged`), isArchived: fc.boolean() }),
  )
}

function activityOf(open: boolean, turn: ActiveTurn | undefined): number[] {
  const waits = turn?.responseParts.some(
    part =>
      (part.kind === 'inputRequest' && part.response === undefined) ||
      (part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation'),
  )
  if (open || waits) return [SessionStatus.inputNeeded]
  return turn ? [SessionStatus.inProgress] : [SessionStatus.idle, SessionStatus.error]
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

/** Runs actions on frozen arguments and looks at every state on the way. */
function run<S, A>(
  reduce: (state: S, action: A, at: number) => S,
  initial: S,
  actions: A[],
  look: (state: S) => void,
): void {
  let state = deepFreeze(initial)
  for (const [at, action] of deepFreeze(actions).entries()) {
    state = deepFreeze(reduce(state, action, at))
    look(state)
  }
}

describe('any sequence of actions', () => {
  it('keeps the status of a session true to what is open', () => {
    fc.assert(
      fc.property(fc.array(actionsOf('session'), { maxLength: 30 }), (actions: SessionAction[]) => {
        run(reduceSession, session, actions, ({ summary, inputRequests, activeTurn }) => {
          expect(inputRequests).not.toEqual([])
          expect(activityOf(!!inputRequests, activeTurn)).toContain(summary.status & 31)
        })
      }),
    )
  })

  it('keeps the status of a chat true to what is open', () => {
    fc.assert(
      fc.property(fc.array(actionsOf('chat'), { maxLength: 30 }), (actions: ChatAction[]) => {
        run(reduceChat, chat, actions, ({ status, activeTurn }) => {
          expect(activityOf(false, activeTurn)).toContain(status & 31)
        })
      }),
    )
  })

  it('keeps the mirror of a session true to what its chats wait for', () => {
    const entry = fc.record({
      kind: type('toolConfirmation', 'toolClientExecution'),
      id: requestId,
      chat: fc.constant('c'),
    })
    const action = fc.oneof(
      fc.record({ type: type('session/inputNeededSet'), request: entry }),
      fc.record({ type: type('session/inputNeededRemoved'), id: requestId }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions: SessionSummaryAction[]) => {
        run(reduceSessionSummary, summary, actions, ({ status, inputNeeded }) => {
          const waits = !!inputNeeded?.some(({ kind }) => kind === 'toolConfirmation')
          expect((status & SessionStatus.inputNeeded) === SessionStatus.inputNeeded).toBe(waits)
          expect(new Set(inputNeeded?.map(({ id }) => id)).size).toBe(inputNeeded?.length ?? 0)
        })
      }),
    )
  })
})
