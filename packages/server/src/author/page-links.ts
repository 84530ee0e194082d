import type { Call } from '../call/call.js'

/** A page that a URL ask leads to. */
interface PageLink {
  readonly elicitationId: string
  readonly message: string
  /** Where it leads on to. */
  readonly url: string
  readonly timeoutMs: number
  readonly allowHttp: boolean
}

/** Pages of our own, which check who opens them before they lead on. */
export interface PageLinks {
  /** Whether people can be told apart there. */
  readonly identifies: boolean
  /** The address of the page for an ask. */
  link(call: Call, page: PageLink): Promise<string>
}
