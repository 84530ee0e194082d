import { nameAsk, type TestAsk, type TestReply } from './ask.js'
import { replyTo, type TestAnswer } from './reply-to.js'

/** Where the answers of a test come from: a function of the ask, or a queue that is used up in order. */
export type AnswerSource = ((ask: TestAsk) => TestAnswer | Promise<TestAnswer>) | readonly TestAnswer[]

type OpenAsked = TestAsk & { outcome: TestReply | undefined }

/** Answers asks for a test, and writes down what was asked. */
export class TestAnswerer {
  readonly asked: OpenAsked[] = []
  readonly #source: AnswerSource | undefined
  #used = 0

  constructor(source: AnswerSource | undefined) {
    this.#source = source
  }

  /** Throws, by name of the ask, when the test has no answer for it. Nothing comes back for one that was withdrawn. */
  async answer(ask: TestAsk, withdrawn?: AbortSignal): Promise<TestReply | undefined> {
    const asked: OpenAsked = { ...ask, outcome: undefined }
    this.asked.push(asked)
    const reply = replyTo(ask, await this.#next(ask))
    if (!withdrawn?.aborted) asked.outcome = reply
    return asked.outcome
  }

  async #next(ask: TestAsk): Promise<TestAnswer> {
    const source = this.#source
    if (source === undefined)
      throw new Error(`${nameAsk(ask)}, and the test client has no \`answer\`. Give it one to createTestClient.`)
    const answer = typeof source === 'function' ? await source(ask) : source[this.#used++]
    if (answer !== undefined && answer !== null) return answer
    const why =
      typeof source === 'function'
        ? 'and `answer` returned nothing for it'
        : `and the ${source.length} answers in the queue were used up`
    throw new Error(`${nameAsk(ask)}, ${why}.`)
  }
}
