import { StateRejectedError } from '@beckon/core'
import { BoundedMap } from './bounded-map.js'

/**
 * Which rounds were answered, and with what: each is answered once. The same answers get the same reply again; other
 * answers are refused, also when the reply itself was let go to save memory.
 */
export class SettledRounds<Reply> {
  readonly #answers: BoundedMap<string, string>
  readonly #replies: BoundedMap<string, Promise<Reply>>

  constructor({ maxRounds, maxReplies }: { maxRounds: number; maxReplies: number }) {
    this.#answers = new BoundedMap(maxRounds)
    this.#replies = new BoundedMap(maxReplies)
  }

  /** The reply that these answers got before, perhaps still being worked on; undefined for a round that is open. */
  find(call: string, round: number, answers: string): Promise<Reply> | undefined {
    const id = `${call}.${round}`
    const settledWith = this.#answers.get(id)
    if (settledWith === undefined) return undefined
    if (settledWith !== answers) throw new StateRejectedError('other answers were given before')
    const reply = this.#replies.get(id)
    if (reply === undefined) throw new StateRejectedError('it was answered before, and that reply is no longer kept')
    return reply
  }

  settle(call: string, round: number, answers: string, reply: Promise<Reply>): void {
    const id = `${call}.${round}`
    this.#answers.set(id, answers)
    this.#replies.set(id, reply)
  }

  /** The round was cut short: it is open again. */
  reopen(call: string, round: number): void {
    this.#answers.delete(`${call}.${round}`)
    this.#replies.delete(`${call}.${round}`)
  }
}
