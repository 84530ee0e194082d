import { subjectOf } from '../asks/ask-view.js'
import type { Ask, Session } from '../model/session.js'
import type { Notice } from './channel.js'

export interface NoticeOptions {
  readonly linkTo: (session: string, ask: string) => string
  /** Whether what a tool was called with is told as well. */
  readonly showArguments: boolean
}

export function noticeOf(session: Session, ask: Ask, { linkTo, showArguments }: NoticeOptions): Notice {
  const subject = subjectOf({ session, ask })
  const { id, kind, server, asker, tool, message, askedAt, expiresAt, arguments: input } = subject
  const isDestructive = subject.destructive === true
  return {
    id: ask.instance,
    session: session.id,
    ask: id,
    link: linkTo(session.id, id),
    kind,
    server,
    ...(asker !== undefined && { asker }),
    ...(tool !== undefined && { tool }),
    message,
    isDestructive,
    // What is shown beside a question is not in a notification: anyone who answers there would not have seen it.
    isSimple: kind === 'confirm' && !isDestructive && ask.policy.person !== 'verified' && subject.show === undefined,
    askedAt,
    expiresAt,
    reminder: remindersOf(ask),
    ...(showArguments && input !== undefined && { arguments: input }),
  }
}

/** How often those who may answer were to be reminded so far. */
export function remindersOf({ policy, remindedAt }: Ask): number {
  if (remindedAt === undefined) return 0
  return (policy.remindAt ?? []).filter(at => at <= remindedAt).length
}
