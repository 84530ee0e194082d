// One call from its first request to its result, whichever way the server goes on: it may push asks, answer with input
// requests, or make a task of the call.
import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { AskingMethod } from '../call/incoming.js'
import type { InputRequest } from '../protocol/codec.js'
import { RequestError } from '../protocol/request-error.js'
import { afterTurn } from '../runtime/after-turn.js'
import type { TestAnswerer } from './answerer.js'
import { readAsk, type TestAsk, type TestReply } from './ask.js'

type Params = Readonly<Record<string, unknown>>
type Result = Record<string, unknown>

/** A call that goes on for longer is one that never ends. More than the asks that a server lets one call make. */
const maxRounds = 300

export interface TestCallOptions {
  /** The tool or prompt by name, the resource by URI. */
  readonly name: string
  readonly answerer: TestAnswerer
  readonly send: (call: TestCall, method: string, params: Params) => Promise<Result>
  readonly signal?: AbortSignal | undefined
}

export class TestCall {
  /** What was asked in this call. */
  readonly asks: TestAsk[] = []
  /** Aborts when the test cancels the call, or has no answer for it. */
  readonly signal: AbortSignal
  readonly #options: TestCallOptions
  readonly #failure = new AbortController()
  #rounds = 0

  constructor(options: TestCallOptions) {
    this.#options = options
    const { signal } = options
    this.signal = signal === undefined ? this.#failure.signal : AbortSignal.any([signal, this.#failure.signal])
  }

  /** Sends one request, and nothing after it. */
  send(method: string, params: Params): Promise<Result> {
    return this.#options.send(this, method, params)
  }

  /** Ends the call for the test, with an error. */
  fail(error: unknown): void {
    this.#failure.abort(error)
  }

  /** Answers one ask of the call. */
  answer(
    request: InputRequest,
    { id, withdrawn }: { id?: string; withdrawn?: AbortSignal },
  ): Promise<TestReply | undefined> {
    const ask = readAsk(request, this.#options.name, id)
    this.asks.push(ask)
    return this.#options.answerer.answer(ask, withdrawn)
  }

  /** Goes through with the call. */
  async run(method: AskingMethod, params: Params): Promise<Result> {
    let result = await this.send(method, params)
    while (result.resultType === 'input_required') {
      const { inputRequests, requestState } = result
      const inputResponses = await this.#answerAll(inputRequests)
      result = await this.send(method, { ...params, ...given({ inputResponses, requestState }) })
    }
    return undress(result.resultType === 'task' ? await this.#follow(String(result.taskId)) : result)
  }

  /** Looks after a task until it has ended, once in every turn. */
  async #follow(taskId: string): Promise<Result> {
    try {
      for (;;) {
        const { status, result, error, inputRequests } = await this.send('tasks/get', { taskId })
        if (status === 'completed') return result as Result
        if (status === 'failed') throw asError(error)
        if (status === 'cancelled') throw new Error(`The task of "${this.#options.name}" was cancelled.`)
        const inputResponses = status === 'input_required' ? await this.#answerAll(inputRequests) : undefined
        if (inputResponses !== undefined) await this.send('tasks/update', { taskId, inputResponses })
        await new Promise<void>(afterTurn)
      }
    } catch (error) {
      if (this.signal.aborted || !(error instanceof RequestError)) {
        // The test is over for this call; a task that has ended stays as it is.
        new TestCall({ ...this.#options, signal: undefined }).send('tasks/cancel', { taskId }).catch(() => {})
      }
      throw error
    }
  }

  /** The answers to the asks of a round; undefined where nothing is asked. They are put all at once, in order. */
  async #answerAll(inputRequests: unknown): Promise<Record<string, TestReply | undefined> | undefined> {
    if (++this.#rounds > maxRounds)
      throw new Error(`"${this.#options.name}" went on for ${maxRounds} rounds, and was given up.`)
    // Our own server wrote them.
    const asks = Object.entries((inputRequests ?? {}) as Record<string, InputRequest>)
    if (asks.length === 0) return undefined
    const answers = asks.map(async ([id, request]) => [id, await this.answer(request, { id })] as const)
    return Object.fromEntries(await unlessAborted(Promise.all(answers), this.signal))
  }
}

/** A result as the author made it: without what 2026-07-28 writes on every one. */
function undress({ resultType: _, ttlMs: __, cacheScope: ___, _meta, ...result }: Result): Result {
  const { [SERVER_INFO_META_KEY]: ____, ...meta } = (_meta ?? {}) as Result
  return Object.keys(meta).length > 0 ? { ...result, _meta: meta } : result
}

function asError(error: unknown): RequestError {
  const { code, message, data } = error as { code: number; message: string; data?: unknown }
  return new RequestError(code, message, data)
}

function given(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}
