// A call that became a task: looked at until it ends. What it asks goes to the desk as soon as it is seen, and comes off
// the desk when the task no longer asks it.
import { setTimeout as delay } from 'node:timers/promises'
import { CallCancelledError } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import {
  type CallToolResult,
  type Client,
  type ElicitResult,
  isCallToolResult,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import { anything } from '../anything.js'
import type { ElicitationParams } from '../elicitation/desk-request.js'
import type { Task } from './ticketed-transport.js'

export interface FollowOptions {
  readonly client: Client
  readonly elicit: (params: ElicitationParams, signal: AbortSignal) => Promise<ElicitResult>
  /** Cancels the task. */
  readonly signal: AbortSignal
  /** For each request about the task. */
  readonly timeoutMs?: number | undefined
  /** Is told what the task says of its status, whenever that changes. */
  readonly onStatus?: ((message: string) => void) | undefined
}

type Fields = Readonly<Record<string, unknown>>

const defaultPollMs = 1_000
const maxPollMs = 60_000
/** How often in a row a task may be out of reach, before it is given up. */
const patience = 5
const passing: readonly string[] = [SdkErrorCode.RequestTimeout, SdkErrorCode.SendFailed]

export async function followTask(task: Task, options: FollowOptions): Promise<CallToolResult> {
  const following = new Following(task, options)
  try {
    return await following.end()
  } finally {
    following.stop()
  }
}

class Following {
  readonly #task: Task
  readonly #options: FollowOptions
  /** What the task asks, by key. A key is never used again. */
  readonly #asks = new Map<string, AbortController>()
  readonly #failed = new AbortController()
  #answered = new AbortController()
  #status: unknown

  constructor(task: Task, options: FollowOptions) {
    this.#task = task
    this.#options = options
  }

  async end(): Promise<CallToolResult> {
    const stopped = AbortSignal.any([this.#options.signal, this.#failed.signal])
    try {
      return await this.#look(stopped)
    } catch (error) {
      if (!stopped.aborted) throw error
      // Nobody waits for word of this any more.
      this.#request('tasks/cancel', {}).catch(() => {})
      throw stopped.reason
    }
  }

  async #look(stopped: AbortSignal): Promise<CallToolResult> {
    for (;;) {
      // What was answered from here on is not in what is read now.
      this.#answered = new AbortController()
      const state = await this.#reach('tasks/get', {}, stopped)
      const result = this.#take(state)
      if (result !== undefined) return result
      await pause(state.pollIntervalMs ?? this.#task.pollIntervalMs, stopped, this.#answered.signal)
    }
  }

  /** Takes everything off the desk. */
  stop(): void {
    for (const ask of this.#asks.values()) ask.abort()
  }

  #take(state: Fields): CallToolResult | undefined {
    switch (state.status) {
      case 'completed':
        return resultOf(state.result)
      case 'failed': {
        const { code, message, data } = fields(state.error)
        throw ProtocolError.fromError(Number(code), String(message), data)
      }
      case 'cancelled':
        throw new CallCancelledError('The server cancelled the task.')
      default:
        this.#tell(state.statusMessage)
        this.#show(fields(state.inputRequests))
        return undefined
    }
  }

  #tell(status: unknown): void {
    if (typeof status === 'string' && status !== this.#status) this.#options.onStatus?.(status)
    this.#status = status
  }

  #show(requests: Fields): void {
    for (const [key, ask] of this.#asks) if (!Object.hasOwn(requests, key)) ask.abort()
    for (const [key, request] of Object.entries(requests)) {
      if (this.#asks.has(key)) continue
      const withdrawal = new AbortController()
      this.#asks.set(key, withdrawal)
      this.#answer(key, fields(request), withdrawal.signal).catch(error => this.#failed.abort(error))
    }
  }

  async #answer(key: string, { method, params }: Fields, signal: AbortSignal): Promise<void> {
    if (method !== 'elicitation/create') {
      throw new SdkError(SdkErrorCode.CapabilityNotSupported, `A task cannot be given what it asks by "${method}".`)
    }
    const result = await this.#options.elicit(fields(params), signal)
    if (signal.aborted) return
    await this.#reach('tasks/update', { inputResponses: { [key]: result } }, this.#options.signal)
    this.#answered.abort()
  }

  /** A request that is tried again while the server is out of reach: a task outlives that. */
  async #reach(method: string, params: Fields, signal: AbortSignal): Promise<Fields> {
    for (let misses = 1; ; misses++) {
      try {
        return await this.#request(method, params, signal)
      } catch (error) {
        if (signal.aborted || !isPassing(error) || misses === patience) throw error
        await pause(this.#task.pollIntervalMs, signal)
      }
    }
  }

  #request(method: string, params: Fields, signal?: AbortSignal): Promise<Fields> {
    const { client, timeoutMs } = this.#options
    const options: RequestOptions = { ...(signal && { signal }), ...(timeoutMs && { timeout: timeoutMs }) }
    return client.request({ method, params: { taskId: this.#task.taskId, ...params } }, anything, options)
  }
}

async function pause(intervalMs: unknown, stopped: AbortSignal, woken?: AbortSignal): Promise<void> {
  const wanted = typeof intervalMs === 'number' && intervalMs > 0 ? intervalMs : defaultPollMs
  const signal = woken ? AbortSignal.any([stopped, woken]) : stopped
  await delay(Math.min(wanted, maxPollMs), undefined, { signal }).catch(() => {})
  stopped.throwIfAborted()
}

/** Whether the next try may fare better: the server was out of reach. */
function isPassing(error: unknown): boolean {
  if (error instanceof SdkHttpError || error instanceof TypeError) return true
  return error instanceof SdkError && passing.includes(error.code)
}

function resultOf(result: unknown): CallToolResult {
  const { resultType: _, ...rest } = fields(result)
  if (isCallToolResult(rest)) return rest
  throw new SdkError(SdkErrorCode.InvalidResult, 'The task completed with something that is not the result of a tool.')
}

function fields(value: unknown): Fields {
  return isRecord(value) ? value : {}
}
