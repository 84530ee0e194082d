// The tasks of a client that has tasks and cannot ask. It looks after them itself, and sees them work; what they ask goes
// to the desk as soon as it looks, and a person's answer to the server. So nothing here has a clock, and a proxy that was
// started anew picks up with the next look.

import type { Answered, Subject } from '@beckon/host'
import { type Fields, fields } from '../fields.js'
import type { ProxyDesk } from './proxy-desk.js'

export interface TaskAsksOptions {
  readonly elicit: Answered['elicit']
  /** Sends `tasks/update` to the server. */
  readonly update: (params: Fields) => Promise<unknown>
  readonly desk: ProxyDesk
}

interface KnownTask {
  /** The call that became the task, where it was made through this proxy. */
  readonly subject?: Subject
  /** What withdraws each ask that was put, by its key. A key is never used again. */
  readonly asks: Map<string, AbortController>
  /** A look that was under way when the task ended finds nothing to ask. */
  isOver?: boolean
}

/** Beyond this the oldest are forgotten: a client need not look to the end. */
const maxTasks = 1_000

export class TaskAsks {
  readonly #options: TaskAsksOptions
  readonly #tasks = new Map<string, KnownTask>()
  #open = 0

  constructor(options: TaskAsksOptions) {
    this.#options = options
  }

  get isAsking(): boolean {
    return this.#open > 0
  }

  began(taskId: string, subject: Subject): void {
    this.#remember(taskId, { subject, asks: new Map() })
  }

  /** What the client is told of a task, which the server said this of. */
  seen(taskId: string, state: Fields): Fields {
    if (state.status !== 'working' && state.status !== 'input_required') {
      this.ended(taskId)
      return state
    }
    const { inputRequests, ...rest } = state
    const requests = Object.entries(fields(inputRequests)).map(([key, request]) => [key, fields(request)] as const)
    const asked = requests.filter(([, { method }]) => method === 'elicitation/create')
    const task = this.#tasks.get(taskId) ?? this.#remember(taskId, { asks: new Map() })
    const open = new Set(asked.map(([key]) => key))
    for (const [key, withdrawal] of task.asks) if (!open.has(key)) withdrawal.abort()
    const fresh = task.isOver ? [] : asked.filter(([key]) => !task.asks.has(key))
    for (const [key, { params }] of fresh) this.#put(taskId, task, key, fields(params))
    if (asked.length === 0 || asked.length < requests.length) return state
    return {
      ...rest,
      status: 'working',
      statusMessage: `A person was asked, and can answer at ${this.#options.desk.url}`,
    }
  }

  /** Takes what the task asks off the desk. */
  ended(taskId: string): void {
    const task = this.#tasks.get(taskId)
    if (task === undefined) return
    task.isOver = true
    for (const withdrawal of task.asks.values()) withdrawal.abort()
  }

  #put(taskId: string, { subject, asks }: KnownTask, key: string, params: Fields): void {
    const { elicit, update, desk } = this.#options
    const withdrawal = new AbortController()
    const { signal } = withdrawal
    asks.set(key, withdrawal)
    this.#open++
    elicit(params, { signal, subject })
      .then(outcome => (signal.aborted ? undefined : update({ taskId, inputResponses: { [key]: outcome } })))
      .catch(error => {
        desk.say(
          `An answer did not reach its task, and is asked for again. ${error instanceof Error ? error.message : ''}`,
        )
        asks.delete(key)
      })
      .finally(() => this.#open--)
  }

  #remember(taskId: string, task: KnownTask): KnownTask {
    this.#tasks.set(taskId, task)
    const [oldest] = this.#tasks.keys()
    if (this.#tasks.size > maxTasks && oldest !== undefined) {
      this.ended(oldest)
      this.#tasks.delete(oldest)
    }
    return task
  }
}
