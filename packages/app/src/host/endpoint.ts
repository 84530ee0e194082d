import type { Channel } from '../protocol/channel.js'
import type { Refusal } from './authorizer.js'

/** Where an app can be dialled. */
export type Address = { readonly kind: 'ws'; readonly url: string } | { readonly kind: 'uds'; readonly path: string }

/** Takes what comes in on a connection that was accepted. */
export interface Receiver {
  receive(frame: string): void
  end(): void
}

/** Decides over the connections of an endpoint. */
export interface Acceptor {
  check(code: string | undefined): Refusal | undefined
  /** A gateway with the right code is there. */
  accept(channel: Channel): Receiver
}

/** Something that listens. */
export interface Endpoint {
  readonly address: Address
  /** Stops listening, and ends every connection. */
  close(): Promise<void>
}
