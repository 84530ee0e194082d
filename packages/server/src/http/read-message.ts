import type { Exchange } from './exchange/exchange.js'
import { excessIn, excessOf, type SizeLimits } from './json-size.js'
import { refuse } from './reply-with.js'

export interface MessageLimits {
  readonly maxBytes: number
  readonly size: SizeLimits
}

/** Reads the JSON body of a POST, and hands on what it says. What is none is refused here. */
export function readMessage(
  exchange: Exchange,
  { maxBytes, size }: MessageLimits,
  received: (message: unknown) => void,
): void {
  if (!isJson(exchange.header('content-type')) || isEncoded(exchange.header('content-encoding'))) {
    refuse(exchange, 415, {
      code: -32000,
      message: 'Unsupported Media Type: send application/json, not compressed',
    })
    return
  }
  exchange.receive(maxBytes, body => {
    if (body.kind === 'too-large') {
      const headers = ['Connection', 'close']
      return refuse(exchange, 413, { code: -32000, message: `Payload Too Large: more than ${maxBytes} bytes`, headers })
    }
    if (body.kind === 'broken') return malformed(exchange, 'the body could not be read')
    const excess = body.kind === 'value' ? excessOf(body.value, size) : excessIn(body.text, size)
    if (excess === 'depth') return malformed(exchange, 'the body is nested too deeply')
    if (excess === 'values') {
      const message = `Payload Too Large: more than ${size.values} values in one message`
      return refuse(exchange, 413, { code: -32600, message })
    }
    const message = body.kind === 'value' ? body.value : parse(body.text)
    if (message === undefined) return malformed(exchange, 'the body is not JSON')
    received(message)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function malformed(exchange: Exchange, what: string): void {
  refuse(exchange, 400, { code: -32700, message: `Parse error: ${what}` })
}

function isJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || /^\s*application\/json\s*(;|$)/i.test(contentType ?? '')
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && contentEncoding !== 'identity'
}
