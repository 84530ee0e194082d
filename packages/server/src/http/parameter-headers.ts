import { isRecord } from '@beckon/core/json-rpc'
import type { WireError } from '../protocol/wire-error.js'
import type { Exchange } from './exchange/exchange.js'
import { decodeHeaderValue } from './header-value.js'

/** An argument that a client has to repeat in a header, so that proxies can route by it (`x-mcp-header`). */
export interface ParameterHeader {
  readonly path: readonly string[]
  /** Without the prefix `Mcp-Param-`. */
  readonly name: string
}

/** The arguments of a tool that have to be repeated in a header; undefined when there are none. */
export function parameterHeadersOf(inputSchema: unknown): readonly ParameterHeader[] | undefined {
  const found = [...declared(inputSchema, [])]
  return found.length === 0 ? undefined : found
}

/** The error for a call whose headers do not repeat its arguments; undefined when all is well. */
export function parameterMismatch(
  headers: readonly ParameterHeader[],
  callArguments: unknown,
  exchange: Exchange,
): WireError | undefined {
  for (const { path, name } of headers) {
    const value = valueAt(callArguments, path)
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue
    const header = exchange.header(`mcp-param-${name.toLowerCase()}`)
    const decoded = header === undefined ? undefined : decodeHeaderValue(header)
    if (decoded !== undefined && isSame(decoded, value)) continue
    const body = `the header Mcp-Param-${name} does not repeat the argument ${path.join('.')}`
    const mismatch = { header: `Mcp-Param-${name}`, body }
    return { code: -32020, message: `Bad Request: ${body}`, data: { mismatch } }
  }
  return undefined
}

function* declared(schema: unknown, path: readonly string[]): Generator<ParameterHeader> {
  if (!isRecord(schema)) return
  const name = schema['x-mcp-header']
  if (typeof name === 'string' && path.length > 0) yield { path, name }
  if (!isRecord(schema.properties)) return
  for (const [key, property] of Object.entries(schema.properties)) yield* declared(property, [...path, key])
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const key of path) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

function isSame(header: string, value: string | number | boolean): boolean {
  return (
    header === String(value) ||
    (typeof value === 'number' && /^-?\d+(\.\d+)?$/.test(header) && Number(header) === value)
  )
}
