// For clients that cannot ask, where a desk is attached: the ask is put on the desk, and the call goes on by itself.
// The request waits for a while; then its result tells the model where the person can answer, and to call the same tool
// with the same arguments again, which continues this very call until its result was delivered once.
import { CallCancelledError } from '@beckon/core'
import type { Ask, Ending, OpenAsk } from '../calls/ask.js'
import type { Attendant } from '../calls/detached/detached-run.js'

/** A call as a desk shows it. */
export interface DeskCall {
  readonly id: string
  readonly server: string
  readonly tool: string
  readonly input: unknown
  readonly principal: string | undefined
}

/** Where a call's asks are put. `@beckon/desk` makes one. */
export interface AskDesk {
  /** A place for a call: the same one for the same call, also after a restart. */
  attend(call: DeskCall): Promise<DeskPlace>
}

/** The place of one call on a desk. */
export interface DeskPlace {
  /** Where a person can answer. */
  readonly link: string
  /** Puts an ask, unless it is there already, and resolves when it has ended. */
  ask(id: string, ask: Ask, options: { expiresAt: number; signal: AbortSignal }): Promise<Ending>
  /** The call is over. */
  leave(how: 'complete' | 'cancel'): Promise<void>
}

/** Puts the asks of a call on a desk. A call that asks nothing is not on it. */
export class DeskAttendant implements Attendant {
  readonly #attend: () => Promise<DeskPlace>
  readonly #open = new Map<string, AbortController>()
  #place: Promise<DeskPlace> | undefined

  constructor(attend: () => Promise<DeskPlace>) {
    this.#attend = attend
  }

  get link(): Promise<string> | undefined {
    return this.#place?.then(place => place.link)
  }

  async put({ id, ask, expiresAt }: OpenAsk): Promise<Ending> {
    const withdrawal = new AbortController()
    this.#open.set(id, withdrawal)
    this.#place ??= this.#attend()
    try {
      return await (await this.#place).ask(id, ask, { expiresAt, signal: withdrawal.signal })
    } finally {
      this.#open.delete(id)
    }
  }

  withdraw({ id }: OpenAsk): void {
    this.#open.get(id)?.abort()
  }

  async leave(how: 'complete' | 'cancel'): Promise<void> {
    await (await this.#place)?.leave(how)
  }
}

/** What a model is told while a person thinks. */
export function waitingText(tool: string, { link, asks }: { link: string; asks: readonly OpenAsk[] }): string {
  const questions = asks.flatMap(({ ask }) => ('message' in ask ? [JSON.stringify(ask.message)] : []))
  return (
    `A person was asked: ${questions.join(', ')}. They have not answered yet, and can do so at ${link} . ` +
    `Tell them, and do not answer for them. To go on, call "${tool}" again with the same arguments: it continues this call.`
  )
}

/** A client that went away leaves the call to whoever asks again. */
export function clientGone(): CallCancelledError {
  return new CallCancelledError('The client went away. The person can still answer: call the tool again.')
}
