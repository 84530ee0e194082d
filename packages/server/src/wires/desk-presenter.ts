import type { Ending, OpenAsk } from '../call/ask.js'
import type { AskPresenter } from '../runner/call-request.js'
import type { DeskPlace } from './desk.js'

/** Shows the asks of one call on a desk. A call that asks nothing there is not on it. */
export class DeskPresenter implements AskPresenter {
  readonly #attend: () => Promise<DeskPlace>
  readonly #open = new Map<string, AbortController>()
  #place: Promise<DeskPlace> | undefined

  constructor(attend: () => Promise<DeskPlace>) {
    this.#attend = attend
  }

  /** Where a person can answer. */
  async link(): Promise<string> {
    return (await this.#attended()).link
  }

  /** Opens an ask, unless it is there already, and resolves when it has ended. */
  async open({ id, ask, expiresAt }: OpenAsk): Promise<Ending> {
    const withdrawal = new AbortController()
    this.#open.set(id, withdrawal)
    try {
      return await (await this.#attended()).ask(id, ask, { expiresAt, signal: withdrawal.signal })
    } finally {
      this.#open.delete(id)
    }
  }

  withdraw({ id }: Pick<OpenAsk, 'id'>): void {
    this.#open.get(id)?.abort()
  }

  /** The call is over. */
  async leave(how: 'complete' | 'cancel'): Promise<void> {
    await (await this.#place)?.leave(how)
  }

  /** A desk that was away is tried again with the next ask. */
  #attended(): Promise<DeskPlace> {
    this.#place ??= this.#attend().catch(error => {
      this.#place = undefined
      throw error
    })
    return this.#place
  }
}
