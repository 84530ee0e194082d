import type { Clock } from 'beckon'
import type { OwnedSessions, Random } from 'beckon/sign-in/adapter'
import type { Viewer } from '../policy/audience.js'

/** What access sees of an HTTP request, or of a WebSocket upgrade. `requestOf` makes one of Node's. */
export interface AccessRequest {
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  /** What follows the `?`; empty without one. */
  readonly query: string
  /** Where it comes from; empty when nobody knows any more. */
  readonly remoteAddress: string
  /** A header's value, by its name in lower case. */
  header(name: string): string | undefined
}

/** A header's name and value; a name may occur more than once. */
export type Header = readonly [name: string, value: string]

/** An answer to a request, as plain data. */
export interface AccessResponse {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string
}

/** Someone who proved who they are. */
export interface Admitted extends Viewer {
  /** When the proof ends, in milliseconds; a socket should not outlive it. Absent: when the desk closes. */
  readonly expiresAt?: number
  /** Whether the proof still holds: someone may have signed out, or lost their token. Absent: as long as it lasts. */
  readonly stillValid?: () => Promise<boolean>
}

/**
 * How people and programs prove to a desk who they are. What proves nothing, or comes from where it must not, is
 * `undefined`: a rejection means that it could not be checked now.
 */
export interface Access {
  /** True when it proves too little for a desk that other machines can reach. */
  readonly loopbackOnly?: boolean
  authenticate(request: AccessRequest): Promise<Admitted | undefined>
  /** Answers a request for one of its own routes; `undefined` for every other. */
  handle(request: AccessRequest): Promise<AccessResponse | undefined>
  /** What someone gets whom nobody knows. Default: 401. */
  challenge?(request: AccessRequest): AccessResponse
  /** Who is signed in where, by principal, for admins. */
  readonly sessions?: OwnedSessions | undefined
  /** Forgets everyone. */
  close?(): void
}

/** What every access takes; tests give their own. */
export interface AccessOptions {
  readonly clock?: Pick<Clock, 'now'>
  readonly random?: Random
}
