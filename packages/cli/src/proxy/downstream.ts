// What a client says of itself, read off its first message, before anything is done about it.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
} from '@modelcontextprotocol/client'

type Fields = Readonly<Record<string, unknown>>

/** A client that the proxy serves. */
export interface Downstream {
  readonly era: '2025' | '2026'
  readonly info: { readonly name: string; readonly version: string }
  readonly capabilities: ClientCapabilities
}

/** The client behind a message; undefined when the message does not say. */
export function downstreamOf(message: unknown): Downstream | undefined {
  const { method, params } = fields(message)
  const { _meta, clientInfo, capabilities } = fields(params)
  if (method === 'initialize') return { era: '2025', info: infoOf(clientInfo), capabilities: fields(capabilities) }
  const envelope = fields(_meta)
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY]
  if (declared === undefined) return undefined
  return { era: '2026', info: infoOf(envelope[CLIENT_INFO_META_KEY]), capabilities: fields(declared) }
}

/** Whether the client can put asks to its person. */
export function canAsk({ capabilities }: Downstream): boolean {
  return capabilities.elicitation !== undefined
}

export function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function infoOf(value: unknown): Downstream['info'] {
  const { name, version, ...others }: Fields = fields(value)
  return { ...others, name: String(name ?? 'unknown'), version: String(version ?? '0') }
}
