// Asks as every revision writes them, and answers back.
import type { Form } from '@beckon/core'
import { type Block, messageWith, showMeta } from '@beckon/core/blocks'
import type { Ask } from '../call/ask.js'
import type { Reply } from '../call/journal.js'
import type { JsonValue } from '../store/index.js'
import type { InputRequest } from './codec.js'

/** Where a pushed ask has the name that its author gave it. */
export const keyMeta = 'beckon/key'

/** Where an ask says who asks, when that is not the server. Its message stays word for word as it was asked. */
const askerMeta = 'beckon/asker'

/**
 * Where a client of ours says why a person declined, and why nobody answered: in the content, which means nothing without an
 * accept. The protocol has no place for it, and the official client lets no `_meta` of an answer through on 2026-07-28.
 */
export const reasonField = 'beckon/reason'
const whyField = 'beckon/why'
const maxReason = 2_000

/** A confirm has nothing to fill in: a client shows accept and decline alone. */
const confirmForm: Form = { type: 'object', properties: {}, required: [] }

/** What revisions differ in. */
interface Elicitation {
  /** A form as the revision knows it. */
  lower(form: Form): unknown
  /** What says that it is a form; nothing where there are no modes. */
  readonly mode: { readonly mode?: 'form' }
  /** Whether a page is named by its id. */
  readonly namesPages: boolean
}

/** The request that opens an ask. */
export function writeAsk(ask: Ask, { lower, mode, namesPages }: Elicitation): InputRequest {
  switch (ask.kind) {
    case 'confirm':
      return formElicitation(ask, mode, confirmForm)
    case 'form':
      return formElicitation(ask, mode, lower(ask.form))
    case 'url': {
      const id = namesPages ? { elicitationId: ask.elicitationId } : {}
      return elicitation({ mode: 'url', ...wordsOf(ask), url: ask.url, ...id })
    }
    case 'sample':
      // The engine keeps sampling parameters as JSON; an author gives an object.
      return { method: 'sampling/createMessage', params: ask.params as Record<string, unknown> }
    case 'roots':
      return { method: 'roots/list', params: {} }
  }
}

function formElicitation(words: Words, mode: Elicitation['mode'], requestedSchema: unknown): InputRequest {
  if (words.asker === undefined && words.show === undefined)
    return elicitation({ ...mode, message: words.message, requestedSchema })
  return elicitation({ ...mode, ...wordsOf(words), requestedSchema })
}

function elicitation(params: Record<string, unknown>): InputRequest {
  return { method: 'elicitation/create', params }
}

interface Words {
  readonly message: string
  readonly show?: readonly Block[]
  readonly asker?: string
}

/** What is shown beside the question is in the message, for every client, and as it is for clients of ours. */
function wordsOf({ message, show, asker }: Words): Record<string, unknown> {
  if (asker === undefined && show === undefined) return { message }
  const meta = { ...(asker !== undefined && { [askerMeta]: asker }), ...(show !== undefined && { [showMeta]: show }) }
  return { message: messageWith(message, show ?? []), _meta: meta }
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
      return { kind: 'outcome', outcome: { action, ...reasonIn(content) } }
    case 'cancel':
      return { kind: 'outcome', outcome: { action, ...whyIn(content) } }
    default:
      return undefined
  }
}

function reasonIn(content: unknown): { reason?: string } {
  const reason = isObject(content) ? content[reasonField] : undefined
  return typeof reason === 'string' && reason !== '' ? { reason: reason.slice(0, maxReason) } : {}
}

function whyIn(content: unknown): { why?: 'expired' | 'withdrawn' } {
  const why = isObject(content) ? content[whyField] : undefined
  return why === 'expired' || why === 'withdrawn' ? { why } : {}
}

function isObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
