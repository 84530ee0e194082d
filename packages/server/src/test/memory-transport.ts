import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/server'

/** The client's end. */
export interface Receiver {
  /** Takes what the server sends. `relatedTo` is the request that it belongs to, as a stream of its own would say. */
  receive(message: JSONRPCMessage, relatedTo: string | number | undefined): void
  /** The connection was closed, from either side. */
  closed(): void
}

/**
 * The server's end of a connection in memory. The SDK's own pair hands objects on as they are, at once, and without
 * saying which request a message belongs to; here every message goes through JSON, and arrives later in the turn.
 */
export class MemoryTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  readonly #receiver: Receiver
  #isClosed = false

  constructor(receiver: Receiver) {
    this.#receiver = receiver
  }

  async start(): Promise<void> {}

  /** From the server to the client. */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) return
    const copy = throughJson(message)
    queueMicrotask(() => this.#receiver.receive(copy, options?.relatedRequestId))
  }

  /** From the client to the server. */
  deliver(message: JSONRPCMessage): void {
    const copy = throughJson(message)
    queueMicrotask(() => this.#isClosed || this.onmessage?.(copy))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
    this.#receiver.closed()
  }
}

function throughJson(message: JSONRPCMessage): JSONRPCMessage {
  return JSON.parse(JSON.stringify(message))
}
