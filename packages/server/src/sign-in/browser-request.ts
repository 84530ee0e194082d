/** What signing in sees of a request of a browser. */
export interface BrowserRequest {
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
