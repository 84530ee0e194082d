// The ids of our requests to clients contain the node that asks, so that whichever node gets the answer knows whose it is.
// The SDK numbers them, and sees numbers only.
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { isJsonObject } from '../../json-object.js'

/** A message to a client, with the node in the id of our request, or in the id that it is about. */
export function withNode(message: JSONRPCMessage, node: string): JSONRPCMessage {
  if (!('method' in message)) return message
  if ('id' in message) return { ...message, id: encodeNodeId(node, message.id) }
  const { method, params } = message
  if (method !== 'notifications/cancelled' || !isJsonObject(params)) return message
  return { ...message, params: { ...params, requestId: encodeNodeId(node, Number(params.requestId)) } }
}

/** The node that a client's answer is for; undefined for any other message, and for what was never asked. */
export function answeredNode(message: JSONRPCMessage): string | undefined {
  return 'method' in message ? undefined : decodeNodeId(message.id)?.node
}

/** A client's answer with the number that the SDK gave the question; any other message as it is. */
export function withoutNode(message: JSONRPCMessage): JSONRPCMessage {
  const id = 'method' in message ? undefined : decodeNodeId(message.id)
  return id === undefined ? message : { ...message, id: id.number }
}

function encodeNodeId(node: string, id: string | number): string {
  return `${node}.${id}`
}

function decodeNodeId(id: unknown): { readonly node: string; readonly number: number } | undefined {
  if (typeof id !== 'string') return undefined
  const [, node, number] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(id) ?? []
  return node === undefined ? undefined : { node, number: Number(number) }
}
