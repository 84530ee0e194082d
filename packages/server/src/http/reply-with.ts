import type { RequestId } from '../protocol/messages.js'
import type { WireError } from '../protocol/wire-error.js'
import type { HeaderList, HttpResponse } from './exchange/exchange.js'

export const jsonHeaders: HeaderList = ['Content-Type', 'application/json']

export const eventStreamHeaders: HeaderList = [
  'Content-Type',
  'text/event-stream',
  'Cache-Control',
  'no-cache, no-transform',
  'X-Accel-Buffering',
  'no',
]

/** What a refusal needs beside its status. */
export interface Refusal extends WireError {
  readonly id?: RequestId | null
  readonly headers?: HeaderList
}

/** Answers a request that went nowhere with a status and a JSON-RPC error. */
export function refuse(response: HttpResponse, status: number, { id = null, headers = [], ...error }: Refusal): void {
  response.reply(status, [...jsonHeaders, ...headers], JSON.stringify({ jsonrpc: '2.0', error, id }))
}

/** Answers 202, which is all that a notification or a response gets. */
export function accept(response: HttpResponse): void {
  response.reply(202, [], '')
}

/** One message as an event of a stream. */
export function eventOf(json: string, id?: string): string {
  return id === undefined ? `event: message\ndata: ${json}\n\n` : `id: ${id}\nevent: message\ndata: ${json}\n\n`
}

/** The message of such an event. */
export function messageIn(event: string): string {
  const label = '\ndata: '
  return event.slice(event.indexOf(label) + label.length, -2)
}
