import { lowerForm, type Revision, raiseContent } from '@beckon/core'
import type { Ask } from '../../call/ask.js'
import type { ClientCapabilities } from '../../call/incoming.js'
import type { Reply } from '../../call/journal.js'
import type { JsonValue } from '../../store/index.js'
import { tasksExtension } from '../capabilities.js'
import type { ConnectionCodec, RevisionCodec } from '../codec.js'
import { writeAsk } from '../elicitation.js'

type Legacy = Exclude<Revision, '2026-07-28'>

const connection: Omit<ConnectionCodec, 'revision'> = {
  hasSessions: true,
  takesRequests: true,
  takesNotifications: true,
  lacks: new Set(['server/discover', 'subscriptions/listen', 'tasks/get', 'tasks/update', 'tasks/cancel']),
  resourceNotFound: -32002,
  peerOf: (_params, introduced) => introduced,
  complete: result => result,
}

/** Forms only, and no modes. */
export const rev20250618: RevisionCodec = codecFor('2025-06-18', { mode: {}, hasUrlErrors: false })

export const rev20251125: RevisionCodec = codecFor('2025-11-25', { mode: { mode: 'form' }, hasUrlErrors: true })

function codecFor(
  revision: Legacy,
  { mode, hasUrlErrors }: { mode: { mode?: 'form' }; hasUrlErrors: boolean },
): RevisionCodec {
  return {
    ...connection,
    revision,
    writeAsk: (ask, capabilities) =>
      writeAsk(ask, capabilities, { lower: form => lowerForm(form, revision), mode, namesPages: true }),
    raiseReply: (reply, ask) => raiseReply(reply, ask, revision),
    isLean: false,
    hasError: code => code !== -32021,
    hasUrlErrors,
  }
}

/** A reply to a lowered form as one to the form itself. */
function raiseReply(reply: Reply, ask: Ask, revision: Legacy): Reply {
  if (ask.kind !== 'form' || reply.kind !== 'outcome' || reply.outcome.action !== 'accept') return reply
  // What is raised from JSON is JSON.
  const content = raiseContent(ask.form, reply.outcome.content, revision) as JsonValue
  return { kind: 'outcome', outcome: { action: 'accept', content } }
}

/** What counts of what a client of 2025 declares, by the version it negotiated: earlier ones have less than they say, and none has tasks. */
export function legacyPeer(
  version: string | undefined,
  capabilities: ClientCapabilities,
): { revision: Legacy; capabilities: ClientCapabilities } {
  const known = withoutTasks(capabilities)
  if (version === '2025-11-25') return { revision: version, capabilities: known }
  // 2025-06-18 has forms only, and versions before it have neither.
  const { elicitation, ...others } = known
  const { url: _, ...forms } = elicitation ?? {}
  const asks = version === '2025-06-18' && elicitation !== undefined ? { elicitation: forms } : {}
  return { revision: '2025-06-18', capabilities: { ...others, ...asks } }
}

function withoutTasks({ extensions, ...others }: ClientCapabilities): ClientCapabilities {
  if (extensions === undefined) return others
  const { [tasksExtension]: _, ...kept } = extensions
  return { ...others, extensions: kept }
}

/** The version of a client that says none, as on stdio, by what it can do. What is written for the older one is right for both. */
export function versionFor({ hasUrl }: { hasUrl: boolean }): Legacy {
  return hasUrl ? '2025-11-25' : '2025-06-18'
}

/** Whether a stream begins with an event that has an id and no message, so that its client can come back to it. */
export function beginsWithEmptyEvent(version: string | undefined): boolean {
  return version !== undefined && version >= '2025-11-25'
}

/** Whether several messages may come in one request: one version had that, and the next took it back. */
export function takesBatches(version: string | undefined): boolean {
  return version === '2025-03-26'
}
