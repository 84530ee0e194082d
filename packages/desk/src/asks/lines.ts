// What one thing that happens comes to in the log: itself, and what the later dialect's session mirrors.
import { type InputRequest, reduceChat } from '@beckon/core/chat'
import type { Act, Line } from '../log/act.js'
import { channelsOf } from '../state/channels.js'
import { chatAction } from '../state/dialects.js'
import type { SessionRecord } from '../state/session-record.js'
import type { Policy } from './policy.js'

/** When something happened, and who did it. */
export type Stamp = Omit<Line, 'session' | 'act'>

/** An ask is put. */
export function asked(session: string, request: InputRequest, policy: Policy, stamp: Stamp): Line[] {
  const { chat } = channelsOf(session)
  return [
    { session, act: { type: 'inputRequested', request, policy }, ...stamp },
    {
      session,
      act: { type: 'inputNeededSet', request: { kind: 'chatInput', id: request.id, chat, request } },
      at: stamp.at,
    },
  ]
}

/** An ask is over. */
export function completed(session: string, act: Extract<Act, { type: 'inputCompleted' }>, stamp: Stamp): Line[] {
  return [
    { session, act, ...stamp },
    { session, act: { type: 'inputNeededRemoved', id: act.requestId }, at: stamp.at },
  ]
}

/** A turn begins. */
export function started(record: SessionRecord, act: Act, stamp: Stamp): Line[] {
  return [{ session: record.id, act, ...stamp }, ...mirrored(record, act, stamp)]
}

/** A turn is over, and with it every ask that is open. */
export function ended(record: SessionRecord, act: Act, stamp: Stamp): Line[] {
  const session = record.id
  const removed = record.openRequests.map(
    ({ id }): Line => ({ session, act: { type: 'inputNeededRemoved', id }, at: stamp.at }),
  )
  return [{ session, act, ...stamp }, ...removed, ...mirrored(record, act, stamp)]
}

/** What the chat does now, for its session: last, when the session has heard what is waited for no longer. */
function mirrored({ id: session, chat, summary }: SessionRecord, act: Act, { at }: Stamp): Line[] {
  const action = chatAction(act)
  const { status, modifiedAt, resource } = action === undefined ? chat : reduceChat(chat, action, at)
  if (summary.chats[0]?.status === status) return []
  return [{ session, act: { type: 'chatUpdated', chat: resource, changes: { status, modifiedAt } }, at }]
}

/** How long the active turn has run. */
export function durationOf({ bare }: SessionRecord, at: number): number {
  const { startedAt } = bare.chat.activeTurn ?? {}
  return startedAt === undefined ? 0 : Math.max(0, at - Date.parse(startedAt))
}
