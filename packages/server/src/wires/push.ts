// 2025: an ask is a request to the client, on the stream of the call it belongs to, while the call stays open.
import type { Ending, OpenAsk } from '../call/ask.js'
import type { Incoming } from '../call/incoming.js'
import { codecOf } from '../protocol/codec.js'
import { keyMeta, readReply } from '../protocol/elicitation.js'
import { startHeartbeat } from '../protocol/heartbeat.js'
import { receivedAtIn } from '../protocol/received-at.js'
import type { AskSender, Settle } from '../runner/call-request.js'
import type { Clock } from '../runtime/clock.js'

/** How often a reply that cannot be read is asked for again. */
const attempts = 3
/** The client withdraws nothing by itself: our own expiry comes first. */
const graceMs = 5_000

interface Sent {
  readonly ending: Ending
  readonly receivedAt?: number | undefined
}

export class PushWire implements AskSender {
  readonly #incoming: Incoming
  readonly #clock: Clock
  readonly #open = new Map<string, AbortController>()
  #stopHeartbeat: (() => void) | undefined

  constructor(incoming: Incoming, clock: Clock) {
    this.#incoming = incoming
    this.#clock = clock
  }

  /**
   * Sends an ask to the client; `settle` is called with how it ended, unless it was withdrawn.
   * @param progress What the handler tells of its own: a client that listens to progress does not give up while a person thinks.
   */
  open(ask: OpenAsk, progress: { readonly lastProgress: number }, settle: Settle): void {
    const withdrawal = new AbortController()
    this.#open.set(ask.id, withdrawal)
    this.#stopHeartbeat ??= startHeartbeat(this.#incoming, this.#clock, progress)
    void this.#send(ask, withdrawal.signal).then(({ ending, receivedAt }) => {
      if (this.#open.get(ask.id) !== withdrawal) return
      this.#close(ask.id)
      settle(ending, receivedAt)
    })
  }

  withdraw({ id }: Pick<OpenAsk, 'id'>): void {
    const withdrawal = this.#open.get(id)
    if (withdrawal === undefined) return
    this.#close(id)
    withdrawal.abort()
  }

  async #send(open: OpenAsk, signal: AbortSignal): Promise<Sent> {
    const { send, revision } = this.#incoming
    const { writeAsk, raiseReply } = codecOf(revision)
    const { method, params: asked = {} } = writeAsk(open.ask)
    // A client that answers by name knows the author's own names on every wire: in rounds they name the input requests.
    const params = open.mark.key === undefined ? asked : withMeta(asked, { [keyMeta]: open.id })
    try {
      if (send === undefined) throw new Error('This connection takes no requests from the server.')
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const result = await send(method, params, { signal, timeoutMs: open.expiresAt - this.#clock.now() + graceMs })
        const reply = readReply(open.ask.kind, result)
        if (reply !== undefined) return { ending: raiseReply(reply, open.ask), receivedAt: receivedAtIn(result) }
      }
      throw new Error('The client answered with something that is not an answer.')
    } catch (error) {
      return { ending: { kind: 'failed', error } }
    }
  }

  #close(id: string): void {
    this.#open.delete(id)
    if (this.#open.size > 0) return
    this.#stopHeartbeat?.()
    this.#stopHeartbeat = undefined
  }
}

function withMeta(params: Record<string, unknown>, meta: Record<string, unknown>): Record<string, unknown> {
  return { ...params, _meta: { ...(params._meta as object | undefined), ...meta } }
}
