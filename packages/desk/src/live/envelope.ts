import type { Stamp } from '../model/events.js'

/** What an `action` notification carries, as JSON. */
export interface Envelope {
  readonly channel: string
  readonly action: unknown
  readonly serverSeq: number
  /** Absent for what the desk did itself. */
  readonly origin?: Stamp['origin']
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
