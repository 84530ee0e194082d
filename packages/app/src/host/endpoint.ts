import type { Channel } from '../protocol/channel.js'
import type { Refusal } from './gate.js'

/** Where an app can be dialled. */
export type Address = { readonly kind: 'ws'; readonly url: string } | { readonly kind: 'uds'; readonly path: string }

/** What comes in on a connection that was let in. */
export interface Visitor {
  receive(frame: string): void
  end(): void
}

/** What an endpoint asks of whoever it is for. */
export interface Doorkeeper {
  check(code: string | undefined): Refusal | undefined
  /** A gateway with the right code is there. */
  welcome(channel: Channel): Visitor
}

/** Something that listens. */
export interface Endpoint {
  readonly address: Address
  /** Stops listening, and ends every connection. */
  close(): Promise<void>
}
