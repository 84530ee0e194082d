// One connection of an examination: what the server says of itself, and what it asks during a call, as it came.

import { Client, type ClientCapabilities, withInputRequired } from '@modelcontextprotocol/client'
import { clientInfo } from '../client-info.js'
import { connect, negotiation, type TransportOptions } from '../connect/connect.js'
import type { Target } from '../connect/target.js'
import { type Fields, fields } from '../fields.js'
import { anything } from '../proxy/anything.js'
import type { SeenAsk } from './ask-rules.js'
import { probeRounds, type RoundFates, type Send } from './rounds.js'

export interface ToolCall extends Record<string, unknown> {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

export interface ObserveOptions extends TransportOptions {
  readonly target: Target
  readonly era: '2025' | '2026'
  readonly timeoutMs: number
  /** What the client says it can be asked. */
  readonly declares: { readonly form: boolean; readonly url: boolean }
  readonly call?: ToolCall | undefined
}

/** What was seen in one era. */
export interface Observation {
  readonly version: string
  readonly server: Fields
  readonly capabilities: Fields
  readonly tools: readonly Fields[]
  readonly asks: readonly SeenAsk[]
  /** Since 2026-07-28: what became of rounds that were sent back in odd ways. */
  readonly rounds: RoundFates
}

/** Connects, looks around, and calls the tool where there is one. Everything that is asked is declined. */
export async function observe(options: ObserveOptions): Promise<Observation> {
  const { target, era, declares, call, timeoutMs } = options
  const { form, url } = declares
  const capabilities: ClientCapabilities =
    form || url ? { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } } : {}
  const client = new Client(clientInfo, { capabilities, versionNegotiation: negotiation(era) })
  const asks: SeenAsk[] = []
  const see = (params: Fields) => asks.push({ params, declared: declares, era })
  if (form || url) {
    client.setRequestHandler('elicitation/create', { params: anything }, params => {
      see(params)
      return { action: 'decline' as const }
    })
  } else {
    client.fallbackRequestHandler = async ({ method, params }) => {
      if (method === 'elicitation/create') see(params ?? {})
      throw Object.assign(new Error('Method not found'), { code: -32601 })
    }
  }
  await connect(client, target, options)
  try {
    const send: Send = async params => {
      const request = { timeout: timeoutMs, allowInputRequired: true }
      return (await client.request({ method: 'tools/call', params }, withInputRequired(anything), request)) as Fields
    }
    const isAsked = call !== undefined && (await callOnce(call, send, see))
    return {
      version: client.getNegotiatedProtocolVersion() ?? '',
      server: { ...client.getServerVersion() },
      capabilities: { ...client.getServerCapabilities() },
      tools: client.getServerCapabilities()?.tools ? (await client.listTools()).tools : [],
      asks,
      rounds: isAsked && form ? await probeRounds(call, send) : {},
    }
  } finally {
    await client.close()
  }
}

/** Whether the call ended with a question, as it does since 2026-07-28. How else it ends is the tool's own business. */
async function callOnce(call: ToolCall, send: Send, see: (params: Fields) => void): Promise<boolean> {
  const result = await send(call).catch((): Fields => ({}))
  if (result.resultType !== 'input_required') return false
  for (const request of Object.values(fields(result.inputRequests))) {
    const { method, params } = fields(request)
    if (method === 'elicitation/create') see(fields(params))
  }
  return true
}
