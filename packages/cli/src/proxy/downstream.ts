// What a client says of itself, read off its first message, before anything is done about it.

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
} from '@modelcontextprotocol/client'
import { type Fields, fields } from '../fields.js'

const tasks = 'io.modelcontextprotocol/tasks'

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

/** Whether the client can show asks to its person. */
export function canAsk({ capabilities }: Downstream): boolean {
  return capabilities.elicitation !== undefined
}

/** Whether the client looks after tasks, which came with 2026-07-28. */
export function hasTasks({ era, capabilities }: Downstream): boolean {
  return era === '2026' && capabilities.extensions?.[tasks] !== undefined
}

/** What the server is told that its client can do. */
export function declaredFor(downstream: Downstream): ClientCapabilities {
  const { extensions, ...others } = downstream.capabilities
  const { [tasks]: _, ...rest } = extensions ?? {}
  const kept = hasTasks(downstream) ? extensions : Object.keys(rest).length > 0 ? rest : undefined
  const declared = { ...others, ...(kept && { extensions: kept }) }
  if (canAsk(downstream)) return declared
  // With 2026-07-28 a client is asked by ending its request, which a call on the desk does not do.
  const { sampling, roots, ...silent } = declared
  return { ...(downstream.era === '2026' ? silent : declared), elicitation: { form: {}, url: {} } }
}

function infoOf(value: unknown): Downstream['info'] {
  const { name, version, ...others }: Fields = fields(value)
  return { ...others, name: String(name ?? 'unknown'), version: String(version ?? '0') }
}
