import type { AccessRequest } from './access.js'

/** A parameter of the query: undefined when absent; empty, which is never right, when it is there more than once. */
export function param({ query }: AccessRequest, name: string): string | undefined {
  const values = new URLSearchParams(query).getAll(name)
  return values.length > 1 ? '' : values[0]
}
