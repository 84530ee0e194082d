// Asks as every revision writes them, and answers back.
import { type AnsweredBy, type Form, plainName } from '@beckon/core'
import { type Block, showMeta } from '@beckon/core/blocks'
import { type WidgetUse, widgetMeta, widgetUri } from '@beckon/core/widgets'
import type { Ask } from '../call/ask.js'
import type { ClientCapabilities } from '../call/incoming.js'
import type { Reply } from '../call/journal.js'
import { messageWith } from '../crypto/bound-message.js'
import type { JsonValue } from '../store/index.js'
import { rendersAsks } from './capabilities.js'
import type { InputRequest } from './codec.js'

/** Where a pushed ask has the name that its author gave it. */
export const keyMeta = 'beckon/key'

/** Where an ask says who asks, when that is not the server. Its message stays word for word as it was asked. */
const askerMeta = 'beckon/asker'

/** What a server declares that reads who answered, so that clients of ours tell nobody else: people's names are not everyone's. */
export const answeredByExtension = 'beckon/answered-by'

/**
 * Where a client of ours says why a person declined, why nobody answered, and who it was: in the content, which means nothing
 * where there is nothing to fill in, or without an accept. The protocol has no place for it, and the official client lets no
 * `_meta` of an answer through on 2026-07-28.
 */
export const reasonField = 'beckon/reason'
export const whyField = 'beckon/why'
export const byField = 'beckon/by'
const maxReason = 2_000
const maxNames = 50

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
export function writeAsk(
  ask: Ask,
  capabilities: ClientCapabilities,
  { lower, mode, namesPages }: Elicitation,
): InputRequest {
  switch (ask.kind) {
    case 'confirm':
      return formElicitation(ask, mode, confirmForm)
    case 'form':
      return ask.widget !== undefined && rendersAsks(capabilities)
        ? withWidget(formElicitation(ask, mode, lower(ask.form)), ask.widget)
        : formElicitation(ask, mode, lower(ask.form))
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
  const { message, asker, show } = words
  if (asker !== undefined || show !== undefined) return elicitation({ ...mode, ...wordsOf(words), requestedSchema })
  // Nearly every one, written out: a spread costs more than everything else about it.
  return elicitation(
    mode.mode === undefined ? { message, requestedSchema } : { mode: mode.mode, message, requestedSchema },
  )
}

/** Its host shows the page of the widget in place of a form of its own, and that form where it cannot. */
function withWidget({ method, params }: InputRequest, widget: WidgetUse): InputRequest {
  const meta = { ...(params?._meta as object), ui: { resourceUri: widgetUri(widget.name) }, [widgetMeta]: widget }
  return { method, params: { ...params, _meta: meta } }
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
  return { message: messageWith(message, show), _meta: meta }
}

/** What a client's result for an ask of a kind says; undefined when it says nothing that can be taken. */
export function readReply(kind: Ask['kind'], result: unknown): Reply | undefined {
  if (!isObject(result)) return undefined
  if (kind === 'sample') return isMessage(result) ? { kind: 'result', result } : undefined
  if (kind === 'roots') return areRoots(result.roots) ? { kind: 'result', result } : undefined
  const { action, content = {} } = result
  if (kind === 'form' && action === 'accept')
    return isObject(content) ? { kind: 'outcome', outcome: { action, content } } : undefined
  const who = kind === 'confirm' ? byIn(content) : {}
  switch (action) {
    case 'accept':
      return isObject(content) ? { kind: 'outcome', outcome: { action, content: {}, ...who } } : undefined
    case 'decline':
      return { kind: 'outcome', outcome: { action, ...reasonIn(content), ...who } }
    case 'cancel':
      return { kind: 'outcome', outcome: { action, ...whyIn(content), ...who } }
    default:
      return undefined
  }
}

function isMessage({ role, content }: { [key: string]: JsonValue }): boolean {
  return (role === 'user' || role === 'assistant') && typeof content === 'object' && content !== null
}

function areRoots(roots: JsonValue | undefined): boolean {
  return Array.isArray(roots) && roots.every(root => isObject(root) && typeof root.uri === 'string')
}

function reasonIn(content: unknown): { reason?: string } {
  const reason = isObject(content) ? content[reasonField] : undefined
  return typeof reason === 'string' && reason !== '' ? { reason: reason.slice(0, maxReason) } : {}
}

function whyIn(content: unknown): { why?: 'expired' | 'withdrawn' } {
  const why = isObject(content) ? content[whyField] : undefined
  return why === 'expired' || why === 'withdrawn' ? { why } : {}
}

/** Names, and never principals: a client says them, and nothing proves them. */
function byIn(content: unknown): { by?: readonly AnsweredBy[] } {
  const said = isObject(content) ? content[byField] : undefined
  const names = Array.isArray(said) ? said.slice(0, maxNames) : []
  const by = names.flatMap(name => (typeof name === 'string' && plainName(name) ? { name: plainName(name) } : []))
  return by.length > 0 ? { by } : {}
}

function isObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
