import type { HeaderList, HttpResponse } from '../../exchange/exchange.js'
import type { Output } from './mail.js'

/** The response to a client that came back to another node for a stream of this one: what is written here goes there by mail. */
export class RemoteResponse implements HttpResponse {
  readonly #send: (output: Output) => Promise<void>
  readonly #onEnd: () => void
  readonly #gone: (() => void)[] = []
  readonly #taken: (() => void)[] = []
  #backlog = 0
  #isOver = false

  /** @param onEnd Told when nothing more is written. */
  constructor(send: (output: Output) => Promise<void>, onEnd: () => void) {
    this.#send = send
    this.#onEnd = onEnd
  }

  /** What is on its way into the store. */
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
    if (!text.startsWith(':')) this.#put({ kind: 'write', text }, text.length)
  }

  end(text?: string): void {
    this.#finish({ kind: 'end', ...(text !== undefined && { text }) }, text?.length)
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

  /** Its client went away, or cannot be reached. */
  gone(): void {
    if (!this.#isOver) this.#close()
    this.#backlog = 0
    for (const listener of [...this.#gone.splice(0), ...this.#taken]) listener()
  }

  #finish(output: Output, length?: number): void {
    if (this.#isOver) return
    this.#put(output, length)
    this.#close()
  }

  #close(): void {
    this.#isOver = true
    this.#onEnd()
  }

  #put(output: Output, length = 0): void {
    if (this.#isOver) return
    this.#backlog += 2 * length
    this.#send(output).then(
      () => this.#took(2 * length),
      () => this.gone(),
    )
  }

  #took(bytes: number): void {
    this.#backlog = Math.max(0, this.#backlog - bytes)
    if (this.#backlog === 0) for (const listener of this.#taken) listener()
  }
}
