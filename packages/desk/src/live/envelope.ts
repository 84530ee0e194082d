import type { Dialect } from '../asks/gate.js'
import type { Accepted, Line } from '../log/act.js'
import { channelsOf } from '../state/channels.js'
import { chatAction, olderAction, summaryAction } from '../state/dialects.js'

/** An action on its way to the subscribers of a channel. */
export interface Addressed {
  readonly channel: string
  readonly action: object
}

/** What a line is in a dialect, and where. Nothing, for what a dialect does not have. */
export function addressed({ session, act }: Accepted, dialect: Dialect): Addressed[] {
  const channels = channelsOf(session)
  const actions =
    dialect === 'older'
      ? [{ channel: channels.session, action: olderAction(act) }]
      : [
          { channel: channels.chat, action: chatAction(act) },
          { channel: channels.session, action: summaryAction(act) },
        ]
  return actions.flatMap(({ channel, action }) => (action === undefined ? [] : [{ channel, action }]))
}

/** What an `action` notification carries, as JSON. */
export interface Envelope {
  readonly channel: string
  readonly action: unknown
  readonly serverSeq: number
  /** Absent for what the desk did itself. */
  readonly origin?: Line['origin']
  readonly rejectionReason?: string
  /** Ours: the same for a program, and for good. */
  readonly rejectionCode?: string
}

export function encodeEnvelope({
  channel,
  action,
  serverSeq,
  origin,
  rejectionReason,
  rejectionCode,
}: Envelope): string {
  return JSON.stringify({
    channel,
    action,
    serverSeq,
    ...(origin && { origin }),
    ...(rejectionReason !== undefined && { rejectionReason, rejectionCode }),
  })
}
