import type { HeaderList, HttpResponse } from '../../exchange/exchange.js'
import type { Output } from './mail.js'

/**
 * The response to a client that came back to another node for a stream of this one: what is written here goes there by mail.
 * One part after the other, and nothing after a part that could not be stored: a client that missed an event and got the
 * next one could not come back for it.
 */
export class RemoteResponse implements HttpResponse {
  readonly #send: (outputs: readonly Output[]) => Promise<void>
  readonly #onEnd: (isBroken: boolean) => void
  readonly #gone: (() => void)[] = []
  readonly #taken: (() => void)[] = []
  #queue: Output[] = []
  #isSending = false
  #isOver = false
  #backlog = 0

  /** @param onEnd Told when nothing more is written; `isBroken` when some of it is lost, so that its client has to come again. */
  constructor(send: (outputs: readonly Output[]) => Promise<void>, onEnd: (isBroken: boolean) => void) {
    this.#send = send
    this.#onEnd = onEnd
  }

  /** What is not stored yet. */
  get backlog(): number {
    return this.#backlog
  }

  reply(status: number, headers: HeaderList, body: string): void {
    this.#finish({ kind: 'reply', status, headers, body })
  }

  open(headers: HeaderList): void {
    this.#put({ kind: 'open', headers })
  }

  write(text: string): void {
    // The node that has the connection keeps it alive by itself.
    if (!text.startsWith(':')) this.#put({ kind: 'write', text })
  }

  end(text?: string): void {
    this.#finish({ kind: 'end', ...(text !== undefined && { text }) })
  }

  destroy(): void {
    this.#finish({ kind: 'end' })
    this.gone()
  }

  onTaken(listener: () => void): void {
    this.#taken.push(listener)
  }

  onGone(listener: () => void): void {
    if (this.#isOver) listener()
    else this.#gone.push(listener)
  }

  /** Its client went away. */
  gone(): void {
    if (!this.#isOver) this.#close(false)
    this.#backlog = 0
    for (const listener of [...this.#gone.splice(0), ...this.#taken]) listener()
  }

  #finish(output: Output): void {
    if (this.#isOver) return
    this.#put(output)
    this.#close(false)
  }

  #close(isBroken: boolean): void {
    this.#isOver = true
    this.#onEnd(isBroken)
  }

  #put(output: Output): void {
    if (this.#isOver) return
    this.#backlog += weightOf(output)
    this.#queue.push(output)
    if (!this.#isSending) void this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    // What comes in this turn goes together.
    await Promise.resolve()
    for (let outputs = this.#take(); outputs.length > 0; outputs = this.#take()) {
      try {
        await this.#send(outputs)
      } catch {
        this.#queue = []
        this.#close(true)
        this.gone()
        break
      }
      this.#backlog -= Math.min(
        this.#backlog,
        outputs.reduce((sum, output) => sum + weightOf(output), 0),
      )
      if (this.#backlog === 0) for (const listener of this.#taken) listener()
    }
    this.#isSending = false
  }

  #take(): Output[] {
    const outputs = this.#queue
    this.#queue = []
    return outputs
  }
}

/** Two bytes for a character, since any text may need them. */
function weightOf(output: Output): number {
  return output.kind === 'write' ? 2 * output.text.length : 0
}
