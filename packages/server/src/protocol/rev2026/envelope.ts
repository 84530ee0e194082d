// What every request of 2026-07-28 says of its client, in its `_meta`. Its version tells it from a request of 2025, whose clients
// send some of the other keys too, such as a level for logs.
import { isRecord } from '@beckon/core/json-rpc'
import type { ClientCapabilities, LogLevel } from '../../call/incoming.js'
import { isLogLevel } from '../log-level.js'
import { isId, type RequestId } from '../messages.js'
import { capabilitiesKey, clientKey, logLevelKey, versionKey } from '../meta-keys.js'

export interface Envelope {
  readonly version: string
  readonly capabilities: ClientCapabilities
  readonly client: { readonly name: string; readonly version: string } | undefined
  readonly logLevel: LogLevel | undefined
  readonly progressToken: RequestId | undefined
}

/** What is wrong with an envelope, and where. */
export interface EnvelopeIssue {
  readonly key: string
  readonly problem: string
}

/** The `_meta` of a message, where there is one. */
export function metaIn(params: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(params) && isRecord(params._meta) ? params._meta : undefined
}

/** Whether a message says that it is of a revision with envelopes, however wrong the envelope is. */
export function claimsEnvelope(params: unknown): boolean {
  const meta = metaIn(params)
  return meta !== undefined && versionKey in meta
}

/** The keys that an envelope must have and this one has not. */
export function missingIn(meta: Readonly<Record<string, unknown>>): string[] {
  return [versionKey, capabilitiesKey].filter(key => !(key in meta))
}

/** Reads an envelope, or says what is wrong first. */
export function readEnvelope(meta: Readonly<Record<string, unknown>>): Envelope | EnvelopeIssue {
  const [missing] = missingIn(meta)
  if (missing !== undefined) return { key: missing, problem: 'missing' }
  const { [versionKey]: version, [capabilitiesKey]: capabilities, [clientKey]: client, progressToken } = meta
  const logLevel = meta[logLevelKey]
  if (typeof version !== 'string') return { key: versionKey, problem: 'must be a string' }
  if (!areCapabilities(capabilities)) return { key: capabilitiesKey, problem: 'must be an object of objects' }
  if (client !== undefined && !isClient(client)) return { key: clientKey, problem: 'must have a name and a version' }
  if (logLevel !== undefined && !isLogLevel(logLevel)) return { key: logLevelKey, problem: 'must be a level' }
  if (progressToken !== undefined && !isId(progressToken))
    return { key: 'progressToken', problem: 'must be a string or an integer' }
  return { version, capabilities, client, logLevel, progressToken }
}

export function isIssue(read: Envelope | EnvelopeIssue): read is EnvelopeIssue {
  return 'problem' in read
}

/** Whether these are what a client of any revision may declare: what we do not know of may be anything. */
export function areCapabilities(value: unknown): value is ClientCapabilities {
  if (!isRecord(value)) return false
  const { experimental, sampling, elicitation, roots, extensions } = value
  if (![sampling, elicitation, roots].every(isObjectOrNone)) return false
  const { form, url } = isRecord(elicitation) ? elicitation : {}
  return isObjectOrNone(form) && isObjectOrNone(url) && [experimental, extensions].every(areObjectsOrNone)
}

export function isClient(value: unknown): value is { name: string; version: string } {
  return isRecord(value) && typeof value.name === 'string' && typeof value.version === 'string'
}

function isObjectOrNone(value: unknown): boolean {
  return value === undefined || isRecord(value)
}

function areObjectsOrNone(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.values(value).every(isRecord))
}
