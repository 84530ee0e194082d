// The tasks extension: a durable call whose client asks after it. Its open asks are the task's input requests, and
// `tasks/update` brings the answers, to whichever process.

import type { ClientCapabilities, TaskRequest } from '../call/incoming.js'
import type { CallState } from '../log/reduce.js'
import { tasksExtension } from '../protocol/capabilities.js'
import { readReply } from '../protocol/elicitation.js'
import { orStoreAway, RequestError } from '../protocol/request-error.js'
import { rev20260728 } from '../protocol/rev2026/rev2026.js'
import { type DurableCalls, isForClient } from '../runner/durable-calls.js'
import type { Clock } from '../runtime/clock.js'

const pollIntervalMs = 1_000
/** A change that nobody heard of is found so late. */
const maxLookMs = 30_000

type Result = Record<string, unknown>
type Calls = Pick<DurableCalls<unknown>, 'look' | 'answer' | 'cancel' | 'watch'>

export class Tasks {
  readonly #calls: Calls
  readonly #clock: Pick<Clock, 'now'>

  constructor(calls: Calls, clock: Pick<Clock, 'now'>) {
    this.#calls = calls
    this.#clock = clock
  }

  /** Answers a request about a task. */
  async answer({ method, params, capabilities, principal, inputResponses }: TaskRequest): Promise<Result> {
    checkDeclared(capabilities)
    const id = String(params.taskId)
    try {
      const state = await this.#find(id, principal, method === 'tasks/get')
      if (method === 'tasks/get')
        return { resultType: 'complete', ...describeTask(id, state), ...outcomeOf(state, capabilities) }
      if (method === 'tasks/update') await this.#update(id, inputResponses ?? {})
      // A task that has ended stays as it is.
      else await this.#calls.cancel(id)
      return { resultType: 'complete' }
    } catch (error) {
      throw orStoreAway(error)
    }
  }

  /**
   * Tells how a task stands whenever that changes, until the result is called. Undefined for a task of another caller.
   * @throws RequestError for a client that does not declare tasks
   */
  async watch(
    { taskId, principal, capabilities }: Pick<TaskRequest, 'principal' | 'capabilities'> & { readonly taskId: string },
    tell: (task: Result) => void,
  ): Promise<(() => void) | undefined> {
    checkDeclared(capabilities)
    const first = await this.#find(taskId, principal).catch(() => undefined)
    if (first === undefined) return undefined
    let last = first
    const look = () => {
      this.#calls.look(taskId).then(
        state => {
          if (state === undefined || isSame(state, last)) return
          last = state
          tell({ ...describeTask(taskId, state), ...outcomeOf(state, capabilities) })
          if (state.end !== undefined) stop()
        },
        // A store that is away has said nothing yet.
        () => {},
      )
    }
    const stop = this.#calls.watch(taskId, first, look, maxLookMs)
    return stop
  }

  /** Unknown and already answered keys are passed over. */
  #update(id: string, responses: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#calls.answer(id, ({ id: ask, ask: { kind } }) =>
      Object.hasOwn(responses, ask) ? readReply(kind, responses[ask]) : undefined,
    )
  }

  /** A task of another caller is reported as unknown. */
  async #find(id: string, principal: string | undefined, isTold = true): Promise<CallState> {
    const state = await this.#calls.look(id, isTold)
    const { record } = state ?? {}
    const isTheirs = record?.isTask && record.principal === (principal ?? null)
    if (state === undefined || !isTheirs || this.#clock.now() >= record.expiresAt)
      throw new RequestError(-32602, 'There is no such task.')
    return state
  }
}

function checkDeclared({ extensions }: ClientCapabilities): void {
  if (extensions?.[tasksExtension] === undefined)
    throw new RequestError(-32021, 'The client does not declare tasks.', {
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    })
}

/** Whether a task is described alike: one that another process runs is read anew each time. */
function isSame(one: CallState, other: CallState): boolean {
  if (one.updatedAt !== other.updatedAt || statusOf(one) !== statusOf(other)) return false
  return one.open.length === other.open.length && one.open.every(({ id }, at) => id === other.open[at]?.id)
}

/** A task as the extension describes it. */
export function describeTask(id: string, state: CallState): Result {
  const { createdAt = 0, expiresAt = 0 } = state.record ?? {}
  return {
    taskId: id,
    status: statusOf(state),
    ...statusMessageOf(state),
    createdAt: isoTime(createdAt),
    lastUpdatedAt: isoTime(state.updatedAt),
    ttlMs: expiresAt - createdAt,
    pollIntervalMs,
  }
}

let lastSecond = { number: 0, text: '1970-01-01T00:00:00.' }

/** The second is kept for the next one: to write a whole time takes a microsecond, and there are two in each description. */
function isoTime(at: number): string {
  const second = Math.floor(at / 1_000)
  if (lastSecond.number !== second)
    lastSecond = { number: second, text: new Date(second * 1_000).toISOString().slice(0, -'000Z'.length) }
  return `${lastSecond.text}${String(Math.floor(at) % 1_000).padStart(3, '0')}Z`
}

function statusOf({ end, open }: CallState): string {
  if (end === 'cancelled') return 'cancelled'
  if (end !== undefined) return 'error' in end ? 'failed' : 'completed'
  return clientAsks({ open }).length > 0 ? 'input_required' : 'working'
}

/** Why it failed; or that people are asked elsewhere: without it a client sees a call that works, and nobody to wait for. */
function statusMessageOf({ end, open }: CallState): Result {
  if (end !== undefined) return end !== 'cancelled' && 'error' in end ? { statusMessage: end.error.message } : {}
  const questions = open.flatMap(({ wire, ask }) =>
    wire === 'desk' && 'message' in ask ? [JSON.stringify(ask.message)] : [],
  )
  if (questions.length === 0) return {}
  return { statusMessage: `A person was asked on the desk: ${questions.join(', ')}. They have not answered yet.` }
}

function outcomeOf({ end, open }: CallState, capabilities: ClientCapabilities): Result {
  if (end === 'cancelled') return {}
  if (end !== undefined) return end
  const asks = clientAsks({ open })
  if (asks.length === 0) return {}
  return { inputRequests: Object.fromEntries(asks.map(({ id, ask }) => [id, rev20260728.writeAsk(ask, capabilities)])) }
}

/** Those that the client shows: the others are on the desk. */
function clientAsks({ open }: Pick<CallState, 'open'>): CallState['open'] {
  return open.filter(isForClient)
}
