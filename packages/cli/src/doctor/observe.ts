// One connection of an examination: what the server says of itself, and what it asks during a call, as it came.
import { Client, type ClientCapabilities, SdkError, withInputRequired } from '@modelcontextprotocol/client'
import { clientInfo } from '../client-info.js'
import { connect, negotiation, type TransportOptions } from '../connect/connect.js'
import type { Target } from '../connect/target.js'
import { anything } from '../proxy/anything.js'
import type { SeenAsk } from './ask-rules.js'

type Fields = Readonly<Record<string, unknown>>

export interface ToolCall {
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
  /** How the call ended, where one was made. */
  readonly ended: string | undefined
  /** Since 2026-07-28: the first answer that wanted input. */
  readonly round: Fields | undefined
  /** What became of a state that was changed on the way; undefined where there was none. */
  readonly forged: string | undefined
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
    const made = call === undefined ? undefined : await callOnce(client, call, { timeoutMs, see })
    return {
      version: client.getNegotiatedProtocolVersion() ?? '',
      server: { ...client.getServerVersion() },
      capabilities: { ...client.getServerCapabilities() },
      tools: client.getServerCapabilities()?.tools ? (await client.listTools()).tools : [],
      asks,
      ended: made?.ended,
      round: made?.round,
      forged: made?.round && (await forge(client, call, made.round, timeoutMs)),
    }
  } finally {
    await client.close()
  }
}

async function callOnce(
  client: Client,
  call: ToolCall,
  { timeoutMs, see }: { timeoutMs: number; see: (params: Fields) => void },
): Promise<{ ended: string; round: Fields | undefined }> {
  try {
    const result = await send(client, { ...call }, timeoutMs)
    if (result.resultType !== 'input_required')
      return { ended: result.isError ? 'an error' : 'a result', round: undefined }
    for (const request of Object.values(record(result.inputRequests))) {
      const { method, params } = record(request)
      if (method === 'elicitation/create') see(record(params))
    }
    return { ended: 'a question', round: result }
  } catch (error) {
    return { ended: error instanceof Error ? error.message : String(error), round: undefined }
  }
}

/** Sends the round back with its state changed, which no server may take. */
async function forge(
  client: Client,
  call: ToolCall | undefined,
  round: Fields,
  timeoutMs: number,
): Promise<string | undefined> {
  const { requestState, inputRequests } = round
  if (call === undefined || typeof requestState !== 'string') return undefined
  const inputResponses = Object.fromEntries(Object.keys(record(inputRequests)).map(key => [key, { action: 'decline' }]))
  try {
    await send(client, { ...call, inputResponses, requestState: altered(requestState) }, timeoutMs)
    return 'taken'
  } catch (error) {
    return error instanceof SdkError ? `unclear: ${error.message}` : 'refused'
  }
}

/** Another text of the same length: the character in the middle is another one, whatever it was. */
function altered(state: string): string {
  const at = Math.floor(state.length / 2)
  return `${state.slice(0, at)}${state[at] === 'A' ? 'B' : 'A'}${state.slice(at + 1)}`
}

async function send(client: Client, params: Record<string, unknown>, timeoutMs: number): Promise<Fields> {
  const options = { timeout: timeoutMs, allowInputRequired: true }
  return (await client.request({ method: 'tools/call', params }, withInputRequired(anything), options)) as Fields
}

function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
