// What an application says of itself in `tesseron/hello` and `tesseron/resume`, read with care: names become tool names.
import { errorCodes, isRecord, type Params, RpcError } from '@beckon/core/json-rpc'
import { protocolCodes } from './protocol-codes.js'

export interface ActionOffer {
  readonly name: string
  readonly title: string | undefined
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>> | undefined
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined
  readonly annotations: Readonly<Record<string, unknown>>
  readonly timeoutMs: number
}

export interface ResourceOffer {
  readonly name: string
  readonly description: string | undefined
  readonly mimeType: string | undefined
  readonly subscribable: boolean
}

/** What an application offers. */
export interface Offer {
  readonly app: { readonly id: string; readonly name: string; readonly description: string | undefined }
  readonly actions: readonly ActionOffer[]
  readonly resources: readonly ResourceOffer[]
  /** Whether the application would make use of sampling and elicitation. */
  readonly capabilities: Params
}

/** The protocol's own version, of which the first number has to agree. */
export const protocolVersion = '1.2.0'

const defaultTimeoutMs = 60_000
const maxTimeoutMs = 24 * 60 * 60 * 1000
const maxOffered = 1_000
/** Nor may an id begin as the tools of these would: `tesseron__x` would be taken for the gateway's own. */
const reserved = /^(tesseron|mcp|system)(__|$)/

/** Reads an offer. Throws what the application is answered with: -32000 for a version that is not ours, else -32602. */
export function readOffer(params: Params): Offer {
  const { protocolVersion: version, app, actions, resources, capabilities } = params
  if (typeof version !== 'string' || version.split('.')[0] !== '1') {
    throw new RpcError(
      protocolCodes.protocolMismatch,
      `This gateway speaks protocol ${protocolVersion}, and the application ${JSON.stringify(version)}: the first number differs.`,
    )
  }
  if (!isRecord(app)) throw invalid('`app` is missing')
  const { id, name } = app
  if (typeof id !== 'string' || !/^[a-z][a-z0-9_]{0,63}$/.test(id))
    throw invalid('`app.id` must begin with a small letter, and have only small letters, digits and _')
  if (reserved.test(id)) throw invalid(`the app id "${id}" is reserved`)
  return {
    app: { id, name: typeof name === 'string' && name !== '' ? name : id, description: text(app.description) },
    actions: readActions(actions),
    resources: readResources(resources),
    capabilities: isRecord(capabilities) ? capabilities : {},
  }
}

/** The actions of an offer, or of `actions/list_changed`. Of two with one name the later counts. */
export function readActions(given: unknown): ActionOffer[] {
  return byName(given, 'actions', entry => ({
    name: entry.name,
    title: text(entry.title),
    description: text(entry.description) ?? '',
    inputSchema: isRecord(entry.inputSchema) ? entry.inputSchema : undefined,
    outputSchema: isRecord(entry.outputSchema) ? entry.outputSchema : undefined,
    annotations: isRecord(entry.annotations) ? entry.annotations : {},
    timeoutMs: readTimeout(entry.timeoutMs),
  }))
}

/** The resources of an offer, or of `resources/list_changed`. */
export function readResources(given: unknown): ResourceOffer[] {
  return byName(given, 'resources', entry => ({
    name: entry.name,
    description: text(entry.description),
    mimeType: text(entry.mimeType),
    subscribable: entry.subscribable === true,
  }))
}

function byName<T>(given: unknown, what: string, read: (entry: Record<string, unknown> & { name: string }) => T): T[] {
  if (!Array.isArray(given)) throw invalid(`\`${what}\` is a list`)
  if (given.length > maxOffered) throw invalid(`\`${what}\` has more than ${maxOffered} entries`)
  const offers = new Map<string, T>()
  for (const entry of given) {
    if (!isNamed(entry)) throw invalid(`each of \`${what}\` has a name`)
    offers.set(entry.name, read(entry))
  }
  return [...offers.values()]
}

/** Half a character is not a string: a name becomes part of an address, which cannot hold one. */
function isNamed(entry: unknown): entry is Record<string, unknown> & { name: string } {
  return isRecord(entry) && typeof entry.name === 'string' && entry.name !== '' && !/\p{Surrogate}/u.test(entry.name)
}

function readTimeout(timeoutMs: unknown): number {
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) return defaultTimeoutMs
  return Math.min(timeoutMs, maxTimeoutMs)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function invalid(why: string): RpcError {
  return new RpcError(errorCodes.invalidParams, `This is not an application's hello: ${why}.`)
}
