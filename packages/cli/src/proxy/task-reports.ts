// Calls that people let run and that became tasks. Their client looks after them, so those who approved one hear what came of it
// when its client sees it end: nothing here has a clock, and a task that nobody looks at is one of which nobody knows.
import { dropOldest } from '@beckon/core'
import { type Fields, fields } from '../fields.js'
import type { Approved } from './approvals.js'

/** Beyond this the oldest are forgotten: a client need not look to the end. */
const maxTasks = 1_000

export class TaskReports {
  readonly #reports = new Map<string, Approved['report']>()

  /** A call of a client has become a task. */
  began(scope: string | undefined, result: Fields, report: Approved['report']): void {
    const { taskId } = result.task === undefined ? result : fields(result.task)
    if (typeof taskId !== 'string') return
    this.#reports.set(keyOf(scope, taskId), report)
    dropOldest(this.#reports, maxTasks)
  }

  /** A client was told this of a task, or given its result. */
  seen(scope: string | undefined, method: string, { taskId }: Fields, told: Fields): void {
    const key = keyOf(scope, String(taskId))
    const report = this.#reports.get(key)
    const end = report && endIn(method, told)
    if (end === undefined) return
    this.#reports.delete(key)
    report?.(end)
  }
}

/** How a task ended; undefined while it goes on, or where its result is fetched by itself, as in 2025. */
function endIn(method: string, told: Fields): Parameters<Approved['report']>[0] | undefined {
  if (method === 'tasks/result') return { result: { ...told } }
  const { status, result, error, statusMessage } = told
  if (status === 'cancelled') return 'cancelled'
  if (status === 'completed' && result !== undefined) return { result: { ...fields(result) } }
  if (status !== 'failed') return undefined
  const message = String(fields(error).message ?? statusMessage ?? 'The task failed.')
  return { error: { code: -32603, message } }
}

/** What a task is called is the server's choice: one client's is never another's. */
function keyOf(scope: string | undefined, taskId: string): string {
  return JSON.stringify([scope ?? null, taskId])
}
