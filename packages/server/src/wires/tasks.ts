// The tasks extension: a durable call whose client asks after it. Its open asks are the task's input requests, and
// `tasks/update` brings the answers, to whichever process.
import type { Reply } from '../call/journal.js'
import type { CallState } from '../log/reduce.js'
import { inputRequest, readReply } from '../protocol/elicitation.js'
import { RequestError } from '../protocol/request-error.js'
import { type DurableCalls, isForClient } from '../runner/durable-calls.js'
import type { Clock } from '../runtime/clock.js'

/** The name under which clients and servers declare the extension. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

const pollIntervalMs = 1_000

type Result = Record<string, unknown>
type Calls = Pick<DurableCalls<unknown>, 'look' | 'answer' | 'cancel'>

export class Tasks {
  readonly #calls: Calls
  readonly #clock: Pick<Clock, 'now'>

  constructor(calls: Calls, clock: Pick<Clock, 'now'>) {
    this.#calls = calls
    this.#clock = clock
  }

  /** `tasks/get` */
  async get(id: string, principal: string | undefined): Promise<Result> {
    const state = await this.#find(id, principal)
    return { resultType: 'complete', ...describeTask(id, state), ...outcomeOf(state) }
  }

  /** `tasks/update`: unknown and already answered keys are passed over. */
  async update(
    id: string,
    principal: string | undefined,
    responses: Readonly<Record<string, unknown>>,
  ): Promise<Result> {
    const { open } = await this.#find(id, principal)
    const replies = new Map<string, Reply>()
    for (const { id: ask, ask: asked } of clientAsks({ open })) {
      const reply = Object.hasOwn(responses, ask) ? readReply(asked.kind, responses[ask]) : undefined
      if (reply !== undefined) replies.set(ask, reply)
    }
    await this.#calls.answer(id, replies)
    return { resultType: 'complete' }
  }

  /** `tasks/cancel`: a task that has ended stays as it is. */
  async cancel(id: string, principal: string | undefined): Promise<Result> {
    await this.#find(id, principal)
    await this.#calls.cancel(id)
    return { resultType: 'complete' }
  }

  /** Someone else's task is one that is not there. */
  async #find(id: string, principal: string | undefined): Promise<CallState> {
    const state = await this.#calls.look(id)
    const { record } = state ?? {}
    const isTheirs = record?.isTask && record.principal === (principal ?? null)
    if (state === undefined || !isTheirs || this.#clock.now() >= record.expiresAt)
      throw new RequestError(-32602, 'There is no such task.')
    return state
  }
}

/** A task as the extension describes it. */
export function describeTask(id: string, state: CallState): Result {
  const { createdAt = 0, expiresAt = 0 } = state.record ?? {}
  return {
    taskId: id,
    status: statusOf(state),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(state.updatedAt).toISOString(),
    ttlMs: expiresAt - createdAt,
    pollIntervalMs,
  }
}

function statusOf({ end, open }: CallState): string {
  if (end === 'cancelled') return 'cancelled'
  if (end !== undefined) return 'error' in end ? 'failed' : 'completed'
  return clientAsks({ open }).length > 0 ? 'input_required' : 'working'
}

function outcomeOf({ end, open }: CallState): Result {
  if (end === 'cancelled') return {}
  if (end !== undefined) return end
  const asks = clientAsks({ open })
  if (asks.length === 0) return {}
  return { inputRequests: Object.fromEntries(asks.map(({ id, ask }) => [id, inputRequest(ask, '2026-07-28')])) }
}

/** Those that the client shows: the others are on the desk. */
function clientAsks({ open }: Pick<CallState, 'open'>): CallState['open'] {
  return open.filter(isForClient)
}
