import type { BeckonEvents } from './attributes.js'
import { InboxElement } from './elements/inbox/inbox.js'
import { AskList } from './elements/list/ask-list.js'
import { RequestElement } from './elements/request/request.js'

for (const [name, element] of [
  ['beckon-ask-list', AskList],
  ['beckon-request', RequestElement],
  ['beckon-inbox', InboxElement],
] as const) {
  if (customElements.get(name) === undefined) customElements.define(name, element)
}

declare global {
  interface HTMLElementTagNameMap {
    'beckon-inbox': InboxElement
    'beckon-request': RequestElement
  }
  interface HTMLElementEventMap extends BeckonEvents {}
}

export type { AskDetail, BeckonEvents, InboxAttributes, RequestAttributes } from './attributes.js'
export { InboxElement, RequestElement }
