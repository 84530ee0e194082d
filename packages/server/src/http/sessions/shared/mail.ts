import type { RpcMessage } from '../../../protocol/messages.js'
import type { HeaderList } from '../../exchange/exchange.js'

/** What nodes send each other. Sessions are named as in the store. */
export type Mail =
  /** An answer to a question of that node, or a cancel of a request that it may have. */
  | { readonly kind: 'message'; readonly session: string; readonly message: RpcMessage }
  /** The session is over. */
  | { readonly kind: 'ended'; readonly session: string }
  /** The session's record has changed. */
  | { readonly kind: 'changed'; readonly session: string }
  /** Something for the GET stream, which that node has. */
  | { readonly kind: 'standing'; readonly session: string; readonly json: string; readonly isNotification: boolean }
  /** A client came back to `node` for a stream that the receiver has. */
  | {
      readonly kind: 'resume'
      readonly session: string
      readonly relay: string
      readonly node: string
      readonly lastEventId: string
    }
  /** What is to be sent to that client. */
  | { readonly kind: 'relayed'; readonly relay: string; readonly outputs: readonly Output[] }
  /** That client went away. */
  | { readonly kind: 'gone'; readonly relay: string }

/** A part of a response. */
export type Output =
  | { readonly kind: 'reply'; readonly status: number; readonly headers: HeaderList; readonly body: string }
  | { readonly kind: 'open'; readonly headers: HeaderList }
  | { readonly kind: 'write'; readonly text: string }
  | { readonly kind: 'end'; readonly text?: string }
