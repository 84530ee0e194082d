// Asks as the protocol writes them, and its answers back.
import { type Form, lowerForm, type Revision, raiseContent } from '@beckon/core'
import type { Ask } from '../call/ask.js'
import type { Reply } from '../call/journal.js'
import type { JsonValue } from '../store/index.js'

/** A request to the client: pushed on 2025, in `inputRequests` on 2026-07-28. */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params?: Record<string, unknown>
}

/** Where a pushed ask has the name that its author gave it. */
export const keyMeta = 'beckon/key'

/** Where an ask says who asks, when that is not the server. Its message stays word for word as it was put. */
const askerMeta = 'beckon/asker'

/** A confirm has nothing to fill in: a client shows accept and decline alone. */
const confirmForm: Form = { type: 'object', properties: {}, required: [] }

/** The request that puts an ask. */
export function inputRequest(ask: Ask, revision: Revision): InputRequest {
  switch (ask.kind) {
    case 'confirm':
      return elicitation(revision, { ...wordsOf(ask), requestedSchema: confirmForm })
    case 'form':
      return elicitation(revision, { ...wordsOf(ask), requestedSchema: lowerForm(ask.form, revision) })
    case 'url': {
      const id = revision === '2026-07-28' ? {} : { elicitationId: ask.elicitationId }
      return { method: 'elicitation/create', params: { mode: 'url', ...wordsOf(ask), url: ask.url, ...id } }
    }
    case 'sample':
      // The engine keeps sampling parameters as JSON; an author gives an object.
      return { method: 'sampling/createMessage', params: ask.params as Record<string, unknown> }
    case 'roots':
      return { method: 'roots/list', params: {} }
  }
}

function wordsOf({ message, asker }: { message: string; asker?: string }): Record<string, unknown> {
  return asker === undefined ? { message } : { message, _meta: { [askerMeta]: asker } }
}

/** Only 2025-06-18 has no modes. */
function elicitation(revision: Revision, params: Record<string, unknown>): InputRequest {
  return { method: 'elicitation/create', params: revision === '2025-06-18' ? params : { mode: 'form', ...params } }
}

/** What a client's result for an ask of a kind says; undefined when it says nothing that can be taken. */
export function readReply(kind: Ask['kind'], result: unknown): Reply | undefined {
  if (!isObject(result)) return undefined
  if (kind === 'sample' || kind === 'roots') return { kind: 'result', result }
  const { action, content = {} } = result
  switch (action) {
    case 'accept':
      return isObject(content)
        ? { kind: 'outcome', outcome: { action, content: kind === 'form' ? content : {} } }
        : undefined
    case 'decline':
    case 'cancel':
      return { kind: 'outcome', outcome: { action } }
    default:
      return undefined
  }
}

/** A reply to a lowered form as one to the form itself. */
export function raiseReply(reply: Reply, ask: Ask, revision: Revision): Reply {
  if (ask.kind !== 'form' || reply.kind !== 'outcome' || reply.outcome.action !== 'accept') return reply
  // What is raised from JSON is JSON.
  const content = raiseContent(ask.form, reply.outcome.content, revision) as JsonValue
  return { kind: 'outcome', outcome: { action: 'accept', content } }
}

function isObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
