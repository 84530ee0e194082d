import type { BrowserRequest } from './browser-request.js'

/** A parameter of the query: undefined when absent; empty, which is never right, when it is there more than once. */
export function param({ query }: BrowserRequest, name: string): string | undefined {
  const values = new URLSearchParams(query).getAll(name)
  return values.length > 1 ? '' : values[0]
}
