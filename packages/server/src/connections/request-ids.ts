// The ids of our requests to clients. Where nodes share a session, an id contains the node that asks, so that whichever node gets
// the answer knows whose it is.
import type { RequestId } from '../protocol/messages.js'

/** The id that a request leaves with. */
export function encodeRequestId(number: number, node: string | undefined): RequestId {
  return node === undefined ? number : `${node}.${number}`
}

/** The node that a client's answer is for; undefined for any other message, and for what was never asked. */
export function answeredNode(message: object): string | undefined {
  return 'method' in message || !('id' in message) ? undefined : decodeNodeId(message.id)?.node
}

/** The number of the request that an answer is for. */
export function answeredNumber(id: unknown): number {
  return decodeNodeId(id)?.number ?? Number(id)
}

function decodeNodeId(id: unknown): { readonly node: string; readonly number: number } | undefined {
  if (typeof id !== 'string') return undefined
  const [, node, number] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(id) ?? []
  return node === undefined ? undefined : { node, number: Number(number) }
}
