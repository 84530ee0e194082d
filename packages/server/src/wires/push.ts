// 2025: an ask is a request to the client, on the stream of the call it belongs to, while the call stays open.
import type { Ending, OpenAsk } from '../call/ask.js'
import type { Incoming, ReplyListener } from '../call/incoming.js'
import { codecOf } from '../protocol/codec.js'
import { keyMeta, readReply } from '../protocol/elicitation.js'
import { startHeartbeat } from '../protocol/heartbeat.js'
import type { Progress } from '../protocol/progress.js'
import { receivedAtIn } from '../protocol/received-at.js'
import type { AskSender, Settle } from '../runner/call-request.js'
import type { Clock } from '../runtime/clock.js'

/** How often an ask is sent whose reply cannot be read. */
const maxAttempts = 3
/** The client withdraws nothing by itself: our own expiry comes first. */
const graceMs = 5_000

export class PushWire implements AskSender {
  readonly incoming: Incoming
  readonly clock: Clock
  readonly #open = new Map<string, PushedAsk>()
  #stopHeartbeat: (() => void) | undefined

  constructor(incoming: Incoming, clock: Clock) {
    this.incoming = incoming
    this.clock = clock
  }

  /**
   * Sends an ask to the client; `settle` is called with how it ended, unless it was withdrawn.
   * @param progress What the client was told: one that listens to progress does not give up while a person thinks.
   */
  open(ask: OpenAsk, progress: Progress, settle: Settle): void {
    const pushed = new PushedAsk(this, ask, settle)
    this.#open.set(ask.id, pushed)
    this.#stopHeartbeat ??= startHeartbeat(this.incoming, this.clock, progress)
    pushed.send()
  }

  withdraw({ id }: Pick<OpenAsk, 'id'>): void {
    const pushed = this.#open.get(id)
    if (pushed !== undefined && this.close(pushed)) pushed.withdraw()
  }

  /** Lets go of an ask that has ended; false when it was let go of before. */
  close(pushed: PushedAsk): boolean {
    const { id } = pushed.open
    if (this.#open.get(id) !== pushed) return false
    this.#open.delete(id)
    if (this.#open.size > 0) return true
    this.#stopHeartbeat?.()
    this.#stopHeartbeat = undefined
    return true
  }
}

/** One ask on its way to the client and back. A class, since it is made for each: promises cost several times as much. */
class PushedAsk implements ReplyListener {
  readonly open: OpenAsk
  readonly #wire: PushWire
  readonly #settle: Settle
  #attempts = 0
  #withdraw: (() => void) | undefined

  constructor(wire: PushWire, open: OpenAsk, settle: Settle) {
    this.#wire = wire
    this.open = open
    this.#settle = settle
  }

  send(): void {
    const { incoming, clock } = this.#wire
    const { ask, mark, id, expiresAt } = this.open
    this.#attempts += 1
    try {
      if (incoming.send === undefined) throw new Error('This connection takes no requests from the server.')
      const { method, params = {} } = codecOf(incoming.revision).writeAsk(ask, incoming.capabilities)
      // A client that answers by name knows the author's own names on every wire: in rounds they name the input requests.
      const named = mark.key === undefined ? params : withMeta(params, { [keyMeta]: id })
      this.#withdraw = incoming.send(method, named, { timeoutMs: expiresAt - clock.now() + graceMs, listener: this })
    } catch (error) {
      // Nobody is told how an ask ended while it is being opened.
      queueMicrotask(() => this.failed(error))
    }
  }

  withdraw(): void {
    this.#withdraw?.()
  }

  answered(result: unknown): void {
    const ending = this.#endingOf(result)
    if (ending !== undefined) this.#end(ending, receivedAtIn(result))
    else if (this.#attempts < maxAttempts) this.send()
    else this.failed(new Error('The client answered with something that is not an answer.'))
  }

  failed(error: unknown): void {
    this.#end({ kind: 'failed', error })
  }

  /** Undefined for what cannot be read. */
  #endingOf(result: unknown): Ending | undefined {
    const { ask } = this.open
    try {
      const reply = readReply(ask.kind, result)
      return reply && codecOf(this.#wire.incoming.revision).raiseReply(reply, ask)
    } catch (error) {
      return { kind: 'failed', error }
    }
  }

  #end(ending: Ending, receivedAt?: number): void {
    if (this.#wire.close(this)) this.#settle(ending, receivedAt)
  }
}

function withMeta(params: Record<string, unknown>, meta: Record<string, unknown>): Record<string, unknown> {
  return { ...params, _meta: { ...(params._meta as object | undefined), ...meta } }
}
