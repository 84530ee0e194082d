// The tasks extension: a call that goes on by itself. Its open asks are the task's input requests, and `tasks/update`
// brings the answers, to whichever process.
import { CallCancelledError } from '@beckon/core'
import type { Call } from '../call/call.js'
import type { Reply } from '../call/journal.js'
import type { DetachedCalls } from '../calls/detached/detached-calls.js'
import type { About } from '../calls/detached/line.js'
import type { DetachedState } from '../calls/detached/state.js'
import { digest } from '../crypto/digest.js'
import { inputRequest, readReply } from '../protocol/elicitation.js'
import { RequestError } from '../protocol/request-error.js'
import type { Clock } from '../runtime/clock.js'

/** The name under which clients and servers declare the extension. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

export interface TasksOptions<T> {
  calls: DetachedCalls<T>
  clock: Clock
  /** How long a task is kept. */
  ttlMs: number
}

const pollIntervalMs = 1_000

export class Tasks<T> {
  readonly #options: TasksOptions<T>
  readonly #beginning = new WeakMap<Call<T>, Promise<string>>()

  constructor(options: TasksOptions<T>) {
    this.#options = options
  }

  /** Makes a task of a call: from here on it goes on by itself. */
  begin(call: Call<T>, about: Omit<About, 'wire' | 'createdAt' | 'expiresAt'>): void {
    const { calls, clock, ttlMs } = this.#options
    // The same for every run of a call: a replay finds the task that an earlier one began.
    const id = digest([call.id, 'task']).slice(0, 24)
    const run = calls.prepare(id, 'tasks')
    const createdAt = clock.now()
    const entries = [...call.journal.entries]
    const beginning = calls
      .begin(run, call, { ...about, wire: 'tasks', createdAt, expiresAt: createdAt + ttlMs }, entries)
      .then(() => id)
    call.leave(run.wire)
    beginning.catch(error => call.drop(error))
    this.#beginning.set(call, beginning)
    const stopTimer = clock.after(ttlMs, () => call.drop(new CallCancelledError('The time of the task is over.')))
    call.end().then(stopTimer)
  }

  /** The task of a call, once it is written down. */
  async created(call: Call<T>): Promise<Record<string, unknown>> {
    const id = await this.#beginning.get(call)
    const state = id === undefined ? undefined : await this.#options.calls.look(id)
    if (state === undefined || id === undefined) throw new CallCancelledError()
    return { resultType: 'task', ...describe(id, state) }
  }

  /** `tasks/get` */
  async get(id: string, principal: string | undefined): Promise<Record<string, unknown>> {
    const state = await this.#find(id, principal)
    return { resultType: 'complete', ...describe(id, state), ...outcomeOf(state) }
  }

  /** `tasks/update`: unknown and already answered keys are passed over. */
  async update(
    id: string,
    principal: string | undefined,
    responses: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, unknown>> {
    const { open } = await this.#find(id, principal)
    const replies = new Map<string, Reply>()
    for (const { id: ask, ask: asked } of open) {
      const reply = Object.hasOwn(responses, ask) ? readReply(asked.kind, responses[ask]) : undefined
      if (reply !== undefined) replies.set(ask, reply)
    }
    if (replies.size > 0) await this.#options.calls.answer(id, replies)
    return { resultType: 'complete' }
  }

  /** `tasks/cancel`: a task that has ended stays as it is. */
  async cancel(id: string, principal: string | undefined): Promise<Record<string, unknown>> {
    await this.#find(id, principal)
    await this.#options.calls.cancel(id)
    return { resultType: 'complete' }
  }

  /** Someone else's task is one that is not there. */
  async #find(id: string, principal: string | undefined): Promise<DetachedState> {
    const state = await this.#options.calls.look(id)
    const isTheirs = state?.about.wire === 'tasks' && state.about.principal === (principal ?? null)
    if (state === undefined || !isTheirs || this.#options.clock.now() >= state.about.expiresAt)
      throw new RequestError(-32602, 'There is no such task.')
    return state
  }
}

function describe(id: string, state: DetachedState): Record<string, unknown> {
  const { createdAt, expiresAt } = state.about
  return {
    taskId: id,
    status: statusOf(state),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(state.updatedAt).toISOString(),
    ttlMs: expiresAt - createdAt,
    pollIntervalMs,
  }
}

function statusOf({ end, open }: DetachedState): string {
  if (end === 'cancelled') return 'cancelled'
  if (end !== undefined) return 'error' in end ? 'failed' : 'completed'
  return open.length > 0 ? 'input_required' : 'working'
}

function outcomeOf({ end, open }: DetachedState): Record<string, unknown> {
  if (end === 'cancelled') return {}
  if (end !== undefined) return end
  if (open.length === 0) return {}
  return { inputRequests: Object.fromEntries(open.map(({ id, ask }) => [id, inputRequest(ask, '2026-07-28')])) }
}
