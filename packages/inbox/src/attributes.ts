import type { InboxElement } from './elements/inbox/inbox.js'
import type { RequestElement } from './elements/request/request.js'

/** Which ask an event of an element is about. */
export interface AskDetail {
  readonly session: string
  readonly request: string
}

/** What the events of the elements carry, by their names. */
export interface BeckonEvents {
  'beckon-asked': CustomEvent<AskDetail>
  'beckon-selected': CustomEvent<AskDetail>
  'beckon-answered': CustomEvent<AskDetail & { readonly response: 'accept' | 'decline' | 'cancel' }>
  'beckon-signed-out': CustomEvent<{ readonly canSignIn: boolean }>
}

/** What is set on either element; `undo-ms` as everywhere in HTML. */
interface DeskAttributes {
  readonly desk?: string | undefined
  readonly getTicket?: (() => Promise<string>) | undefined
  readonly theme?: 'light' | 'dark' | undefined
  readonly 'undo-ms'?: number | string | undefined
}

/** What is set on `<beckon-inbox>`. */
export interface InboxAttributes extends DeskAttributes {
  readonly client?: InboxElement['client']
  readonly page?: boolean | undefined
}

/** What is set on `<beckon-request>`. */
export interface RequestAttributes extends DeskAttributes {
  readonly client?: RequestElement['client']
  readonly session?: string | undefined
  readonly request?: string | undefined
}
