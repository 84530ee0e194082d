import { base64url, fromBase64url } from '#platform'
import type { RequestId } from '../../protocol/messages.js'
import { isId } from '../../protocol/messages.js'

/** What an event id says. It comes back from the client, so nothing may depend on its being true. */
export interface EventId {
  /** The stream within its session. */
  readonly stream: string
  readonly number: number
  /** The node that has the stream; undefined where there is only one. */
  readonly node: string | undefined
  /** The requests that the stream is the response to: another node ends them when this one is gone. */
  readonly requests: readonly RequestId[]
}

/** The name of the GET stream. Those of POSTs are counted from 1. */
export const standingName = '0'

/** A client sends it back in a header. */
const maxRequestsLength = 512

/** What all ids of one stream end with. */
export function eventIdSuffix(node: string | undefined, requests: readonly RequestId[] = []): string {
  if (node === undefined) return ''
  const written = requests.length === 0 ? '' : base64url(JSON.stringify(requests))
  return `.${node}.${written.length > maxRequestsLength ? '' : written}`
}

export function encodeEventId(stream: string, number: number, suffix: string): string {
  return `${stream}-${number}${suffix}`
}

/** Undefined when it is none of ours. */
export function decodeEventId(id: string): EventId | undefined {
  const found = /^(\d{1,15})-(\d{1,15})(?:\.([\w-]{1,64})\.([\w-]*))?$/.exec(id)
  const [, stream, number, node, written = ''] = found ?? []
  const requests = requestsIn(written)
  if (stream === undefined || requests === undefined) return undefined
  return { stream, number: Number(number), node, requests }
}

function requestsIn(written: string): readonly RequestId[] | undefined {
  if (written === '') return []
  if (written.length > maxRequestsLength) return undefined
  try {
    const requests: unknown = JSON.parse(new TextDecoder().decode(fromBase64url(written)))
    return Array.isArray(requests) && requests.every(isId) ? requests : undefined
  } catch {
    return undefined
  }
}
