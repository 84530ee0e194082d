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

/** A parameter of the query: undefined when absent; empty, which is never right, when it is there more than once. */
export function param({ query }: BrowserRequest, name: string): string | undefined {
  const values = new URLSearchParams(query).getAll(name)
  return values.length > 1 ? '' : values[0]
}
