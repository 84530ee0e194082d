import { type Block, blocksIn, showMeta } from '@beckon/core/blocks'
import type { InputRequest } from '@beckon/core/chat'
import { widgetMeta } from '@beckon/core/widgets'
import { messageWith } from 'beckon/desk/adapter'

const none: readonly Block[] = []
/** A request never changes: what is in it is read once. */
const known = new WeakMap<InputRequest, readonly Block[]>()
const texts = new WeakMap<InputRequest, InputRequest>()

/** What is shown beside a question. */
export function showOf(request: InputRequest): readonly Block[] {
  if (request._meta?.[showMeta] === undefined) return none
  const blocks = known.get(request) ?? blocksIn(request._meta)
  known.set(request, blocks)
  return blocks
}

/** The widget that shows an ask, with what it is given and the digest of its page. */
export function widgetShown({ _meta }: InputRequest): { readonly widget?: unknown } {
  const widget = _meta?.[widgetMeta]
  if (typeof widget !== 'object' || widget === null) return widget === undefined ? {} : { widget }
  // By what it searches is nothing that anybody saw.
  const { find: _, ...shown } = widget as Readonly<Record<string, unknown>>
  return { widget: shown }
}

/** A request for those who have only its message: what is shown beside it is in there, as text. */
export function withShownText(request: InputRequest): InputRequest {
  const blocks = showOf(request)
  if (blocks.length === 0) return request
  const told = texts.get(request) ?? { ...request, message: messageWith(request.message ?? '', blocks) }
  texts.set(request, told)
  return told
}
