// The ids of our requests to clients. The SDK numbers its own from 0, and sees those numbers only; so that nobody mistakes them
// for those of the lean path, its numbers leave as odd ones, and the lean path has the even ones. Where nodes share a session, an
// id contains the node that asks, so that whichever node gets the answer knows whose it is.
import { isRecord } from '@beckon/core/json-rpc'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import type { RequestId } from '../reply-with.js'

/** The id that a request leaves with. */
export function encodeRequestId(number: number, node: string | undefined): RequestId {
  return node === undefined ? number : `${node}.${number}`
}

/** A message of the SDK as it leaves: with the id of its request, or the id that it is about. */
export function fromSdk(message: JSONRPCMessage, node: string | undefined): JSONRPCMessage {
  if (!('method' in message)) return message
  if ('id' in message) return { ...message, id: idOfSdk(message.id, node) }
  const { method, params } = message
  if (method !== 'notifications/cancelled' || !isRecord(params)) return message
  return { ...message, params: { ...params, requestId: idOfSdk(params.requestId, node) } }
}

/** The node that a client's answer is for; undefined for any other message, and for what was never asked. */
export function answeredNode(message: JSONRPCMessage): string | undefined {
  return 'method' in message ? undefined : decodeNodeId(message.id)?.node
}

/** What an answer is the answer to: a request of the lean path by its number, or one of the SDK by the SDK's. */
export function answeredRequest(id: unknown): { readonly of: 'lean' | 'sdk'; readonly number: number } {
  const number = decodeNodeId(id)?.number ?? Number(id)
  return number % 2 === 0 ? { of: 'lean', number } : { of: 'sdk', number: (number - 1) / 2 }
}

function idOfSdk(number: unknown, node: string | undefined): RequestId {
  return encodeRequestId(2 * Number(number) + 1, node)
}

function decodeNodeId(id: unknown): { readonly node: string; readonly number: number } | undefined {
  if (typeof id !== 'string') return undefined
  const [, node, number] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(id) ?? []
  return node === undefined ? undefined : { node, number: Number(number) }
}
