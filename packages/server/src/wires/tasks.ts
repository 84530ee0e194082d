// The tasks extension: a call that goes on by itself. Its open asks are the task's input requests, and `tasks/update`
// brings the answers.
import { randomBytes } from 'node:crypto'
import { CallCancelledError } from '@beckon/core'
import { BoundedMap } from '../calls/bounded-map.js'
import type { Call } from '../calls/call.js'
import type { Clock } from '../calls/clock.js'
import type { End } from '../calls/wire.js'
import { inputRequest, readReply } from './elicitation.js'
import { RequestError } from './request-error.js'

/** The name under which clients and servers declare the extension. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** How a task ended: with a tool's result, or with a JSON-RPC error. */
type TaskEnd = { result: Record<string, unknown> } | { error: { code: number; message: string; data?: unknown } }

export interface TasksOptions {
  clock: Clock
  /** How long a task is kept. */
  ttlMs: number
  max: number
  /** What the end of a handler comes to. */
  readEnd: (end: End<unknown>, call: Call) => Promise<TaskEnd>
}

interface Task {
  readonly id: string
  readonly principal: string | undefined
  readonly call: Call
  readonly createdAt: number
  lastUpdatedAt: number
  end: TaskEnd | 'cancelled' | undefined
}

const pollIntervalMs = 1_000
export class Tasks {
  readonly #options: TasksOptions
  readonly #tasks: BoundedMap<string, Task>
  readonly #byCall = new WeakMap<Call, Task>()

  constructor(options: TasksOptions) {
    this.#options = options
    this.#tasks = new BoundedMap(options.max, task => task.call.drop())
  }

  /** Makes a task of a call that goes on by itself. A call is one task, however often this is asked for. */
  create(call: Call): Record<string, unknown> {
    const known = this.#byCall.get(call)
    if (known !== undefined) return { resultType: 'task', ...this.#describe(known) }
    const now = this.#options.clock.now()
    const id = randomBytes(18).toString('base64url')
    const task: Task = { id, principal: call.principal, call, createdAt: now, lastUpdatedAt: now, end: undefined }
    this.#tasks.set(id, task)
    this.#byCall.set(call, task)
    this.#options.clock.after(this.#options.ttlMs, () => this.#expire(task))
    call.end().then(end => this.#finish(task, end))
    return { resultType: 'task', ...this.#describe(task) }
  }

  /** `tasks/get` */
  get(id: string, principal: string | undefined): Record<string, unknown> {
    const task = this.#find(id, principal)
    return { resultType: 'complete', ...this.#describe(task), ...outcomeOf(task) }
  }

  /** `tasks/update`: unknown and already answered keys are passed over. */
  update(
    id: string,
    principal: string | undefined,
    responses: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    const task = this.#find(id, principal)
    for (const {
      id: ask,
      ask: { kind },
    } of task.call.openAsks) {
      const reply = Object.hasOwn(responses, ask) ? readReply(kind, responses[ask]) : undefined
      if (reply === undefined) continue
      task.call.settle(ask, reply)
      task.lastUpdatedAt = this.#options.clock.now()
    }
    return { resultType: 'complete' }
  }

  /** `tasks/cancel`: a task that has ended stays as it is. */
  cancel(id: string, principal: string | undefined): Record<string, unknown> {
    const task = this.#find(id, principal)
    if (task.end === undefined) {
      task.end = 'cancelled'
      task.lastUpdatedAt = this.#options.clock.now()
      task.call.drop(new CallCancelledError('The task was cancelled.'))
    }
    return { resultType: 'complete' }
  }

  close(): void {
    for (const task of this.#tasks.values()) task.call.drop()
    this.#tasks.clear()
  }

  /** Someone else's task is one that is not there. */
  #find(id: string, principal: string | undefined): Task {
    const task = this.#tasks.get(id)
    if (task === undefined || task.principal !== principal) throw new RequestError(-32602, 'There is no such task.')
    return task
  }

  async #finish(task: Task, end: End<unknown>): Promise<void> {
    const read = await this.#options.readEnd(end, task.call)
    if (task.end !== undefined) return
    task.end = read
    task.lastUpdatedAt = this.#options.clock.now()
  }

  #expire(task: Task): void {
    this.#tasks.delete(task.id)
    task.call.drop()
  }

  #describe(task: Task): Record<string, unknown> {
    return {
      taskId: task.id,
      status: statusOf(task),
      createdAt: new Date(task.createdAt).toISOString(),
      lastUpdatedAt: new Date(task.lastUpdatedAt).toISOString(),
      ttlMs: this.#options.ttlMs,
      pollIntervalMs,
    }
  }
}

function statusOf({ end, call }: Task): string {
  if (end === 'cancelled') return 'cancelled'
  if (end !== undefined) return 'error' in end ? 'failed' : 'completed'
  return call.openAsks.length > 0 ? 'input_required' : 'working'
}

function outcomeOf({ end, call }: Task): Record<string, unknown> {
  if (end === 'cancelled') return {}
  if (end !== undefined) return end
  const asks = call.openAsks
  if (asks.length === 0) return {}
  return { inputRequests: Object.fromEntries(asks.map(({ id, ask }) => [id, inputRequest(ask, '2026-07-28')])) }
}
