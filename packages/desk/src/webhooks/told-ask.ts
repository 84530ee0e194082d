import { subjectOf } from '../asks/ask-view.js'
import { type Ended, endedOf } from '../asks/happening.js'
import type { Ask, Report, Session } from '../model/session.js'

/** What a hook may be told of an ask. Never what was answered, nor why it was declined. */
export interface ToldAsk {
  readonly id: string
  readonly server: string
  readonly about: AboutAsk
  /** Whether others were asked instead. */
  readonly isEscalated: boolean
  /** Absent while it is open. */
  readonly ended?: Omit<Ended, 'reason'>
  /** What came of its call, without a word of the result. */
  readonly status?: Report['status']
}

/** Not its arguments: a hook may be a room of a chat, and anyone who may answer sees them behind the link. */
export interface AboutAsk {
  readonly kind: string
  /** Who asks, where that is not the server itself. */
  readonly asker?: string
  readonly tool?: string
  /** Whether the tool can destroy something. */
  readonly destructive?: true
  readonly message: string
  /** The page that the ask is about. */
  readonly url?: string
  readonly expiresAt: number
}

export function toldAsk(session: Session, ask: Ask): ToldAsk {
  const { id, formers, ending } = ask
  const { reason: _, ...ended } = endedOf(ending)
  return {
    id,
    server: session.server,
    about: aboutOf(session, ask),
    isEscalated: formers !== undefined,
    ...(ending && { ended }),
    ...(session.report && { status: session.report.status }),
  }
}

function aboutOf(session: Session, ask: Ask): AboutAsk {
  const { kind, asker, tool, destructive, message, url, expiresAt } = subjectOf({ session, ask })
  // A page about who someone is, is for them alone.
  const isShown = url !== undefined && ask.policy.owner === undefined
  return {
    kind,
    ...(asker !== undefined && { asker }),
    ...(tool !== undefined && { tool }),
    ...(destructive && { destructive }),
    message,
    ...(isShown && { url }),
    expiresAt,
  }
}
