// 2025: an ask is a request to the client, on the stream of the call it belongs to, while the call stays open.
import type { OpenAsk } from '../call/ask.js'
import type { Call } from '../call/call.js'
import type { Wire } from '../call/wire.js'
import { inputRequest, keyMeta, raiseReply, readReply } from '../protocol/elicitation.js'
import type { Incoming } from '../protocol/incoming.js'
import type { Clock } from '../runtime/clock.js'
import { startHeartbeat } from './heartbeat.js'

/** How often a reply that cannot be read is asked for again. */
const attempts = 3
/** The client withdraws nothing by itself: our own expiry comes first. */
const graceMs = 5_000

export class PushWire implements Wire {
  readonly name = 'push'
  readonly #incoming: Incoming
  readonly #clock: Clock
  readonly #open = new Map<string, AbortController>()
  #call: Call | undefined
  #stopBeat: (() => void) | undefined

  constructor(incoming: Incoming, clock: Clock) {
    this.#incoming = incoming
    this.#clock = clock
  }

  /** The call whose asks these are. */
  serve(call: Call): void {
    this.#call = call
  }

  put(ask: OpenAsk): void {
    const withdrawal = new AbortController()
    this.#open.set(ask.id, withdrawal)
    // A client that listens to progress does not give up while a person thinks.
    if (this.#call !== undefined) this.#stopBeat ??= startHeartbeat(this.#incoming, this.#clock, this.#call)
    this.#send(ask, withdrawal.signal, 1).finally(() => this.#close(ask.id))
  }

  withdraw(ask: OpenAsk): void {
    this.#open.get(ask.id)?.abort()
    this.#close(ask.id)
  }

  async #send(open: OpenAsk, signal: AbortSignal, attempt: number): Promise<void> {
    const { send, revision } = this.#incoming
    const { method, params: asked = {} } = inputRequest(open.ask, revision)
    // A client that answers by name knows the author's own names on every wire: in rounds they name the input requests.
    const params = open.mark.key === undefined ? asked : withMeta(asked, { [keyMeta]: open.id })
    try {
      if (send === undefined) throw new Error('This connection takes no requests from the server.')
      const result = await send(method, params, { signal, timeoutMs: open.expiresAt - this.#clock.now() + graceMs })
      const reply = readReply(open.ask.kind, result)
      if (reply !== undefined) this.#call?.settle(open.id, raiseReply(reply, open.ask, revision))
      else if (attempt < attempts) await this.#send(open, signal, attempt + 1)
      else throw new Error('The client answered with something that is no answer.')
    } catch (error) {
      this.#call?.settle(open.id, { kind: 'failed', error })
    }
  }

  #close(id: string): void {
    this.#open.delete(id)
    if (this.#open.size > 0) return
    this.#stopBeat?.()
    this.#stopBeat = undefined
  }
}

function withMeta(params: Record<string, unknown>, meta: Record<string, unknown>): Record<string, unknown> {
  return { ...params, _meta: { ...(params._meta as object | undefined), ...meta } }
}
