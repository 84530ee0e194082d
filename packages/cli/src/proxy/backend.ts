import type { Notification } from '@modelcontextprotocol/client'
import type { Fields } from '../fields.js'
import type { ForwardOptions, Upstream } from './upstream.js'

/** What stands behind a proxy, for one client: a server, or several as one. */
export interface Backend {
  readonly info: { name: string; version: string }
  readonly capabilities: Record<string, unknown>
  readonly instructions: string | undefined
  /** Whether all of it is of 2026-07-28. */
  readonly isModern: boolean
  /** Whether asks of this connection go to the desk. */
  readonly usesDesk: boolean
  /** Whether something is going on that a person may be asked for. */
  readonly isBusy: boolean
  /** Whether a person is being asked on the desk for the call with these parameters. */
  isAskingFor(call: Fields): boolean
  /** The server that a request is for, and its parameters as that one knows them. */
  route(method: string, params: Fields): Promise<Routed>
  /** Sends on what nobody is asked for. */
  forward(method: string, params: Fields, options: ForwardOptions): Promise<Fields>
  notify(notification: Notification): Promise<void>
  subscribe(uri: string): Promise<Fields>
  onNotification(listener: (notification: Notification) => void): () => void
  onClose(listener: () => void): void
  close(): Promise<void>
}

export interface Routed {
  readonly upstream: Upstream
  readonly params: Fields
  /** What the server answered: what it names is its own. */
  readonly seen?: (result: Fields) => void
}
