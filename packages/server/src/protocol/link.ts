import type { ConnectionCodec } from './codec.js'

/** What is known of a connection, or of a request that is one by itself. */
export interface Link {
  /** How its client is spoken to. What is negotiated on it, its requests know: `Incoming.revision`. */
  readonly codec: ConnectionCodec
  readonly transport: 'http' | 'stdio'
  /** Who the connection is for. A 2025 session belongs to the caller that opened it. */
  readonly principal: string | undefined
  /** The 2025 session or the stdio connection; undefined on 2026-07-28 over HTTP. */
  readonly sessionId: string | undefined
  /** Whether its request came from a program on this machine, and through no proxy. */
  readonly isLocal?: boolean | undefined
  /** A header of the HTTP request that brought a message, while it waits for its answer. */
  readonly header?: ((id: string | number, name: string) => string | undefined) | undefined
  /** The address that the HTTP request with a message came from, while it waits for its answer. */
  readonly address?: ((id: string | number) => string | undefined) | undefined
  /** The resources that a 2025 client subscribed to. The methods `resources/subscribe` and `unsubscribe` keep it. */
  readonly subscriptions: Set<string>
  /** This node, where a session is on several. */
  readonly node?: string | undefined
}
