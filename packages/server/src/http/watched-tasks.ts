// What `subscriptions/listen` with task ids asks for, on any transport.
//
// Threat: someone who listens for the tasks of others. Only ids of the caller's own are acknowledged; another's is as one
// that is not there. One request names so many tasks.
import { isRecord } from '@beckon/core/json-rpc'
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import type { ClientCapabilities } from '../call/incoming.js'
import { isId } from './lean/regular-request.js'
import type { RequestId } from './reply-with.js'
import type { Served } from './served.js'

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
export const maxTaskIds = 100

/** A request to be told of tasks. */
export interface WantedTasks {
  readonly id: RequestId
  readonly taskIds: readonly string[]
  /** What else it asks to be told of. */
  readonly filter: Readonly<Record<string, unknown>>
  readonly capabilities: ClientCapabilities
}

export interface WatchedTasks {
  /** Those of the caller's own. */
  readonly taskIds: readonly string[]
  /** The request was acknowledged: what happened before that is told now. */
  acknowledged(): void
  stop(): void
}

export type SendNotification = (method: string, params: Record<string, unknown>) => void

/** Undefined for any other message. */
export function wantedTasksIn(message: unknown): WantedTasks | undefined {
  if (!isRecord(message) || message.method !== 'subscriptions/listen' || !isId(message.id)) return undefined
  const { params } = message
  if (!isRecord(params) || !isRecord(params.notifications) || !isRecord(params._meta)) return undefined
  const { taskIds, ...filter } = params.notifications
  if (!Array.isArray(taskIds) || !taskIds.every(taskId => typeof taskId === 'string')) return undefined
  const capabilities = params._meta[capabilitiesKey]
  return { id: message.id, taskIds, filter, capabilities: isRecord(capabilities) ? capabilities : {} }
}

/** Watches tasks, and sends how each stands whenever that changes. */
export async function watchTasks(
  { watchTask }: Pick<Served, 'watchTask'>,
  { wanted, principal, send }: { wanted: WantedTasks; principal: string | undefined; send: SendNotification },
): Promise<WatchedTasks> {
  const { capabilities } = wanted
  const early: Record<string, unknown>[] = []
  let isAcknowledged = false
  const tell = (task: Record<string, unknown>): void => {
    if (isAcknowledged) send('notifications/tasks', task)
    else early.push(task)
  }
  const taskIds: string[] = []
  const stops: (() => void)[] = []
  for (const taskId of wanted.taskIds) {
    const stop = await watchTask?.({ taskId, principal, capabilities }, tell)
    if (stop === undefined) continue
    taskIds.push(taskId)
    stops.push(stop)
  }
  return {
    taskIds,
    acknowledged() {
      isAcknowledged = true
      for (const task of early.splice(0)) tell(task)
    },
    stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}

/** A notification of one subscription. */
export function notificationOf(
  id: RequestId,
  method: string,
  params: Record<string, unknown>,
): { jsonrpc: '2.0'; method: string; params: Record<string, unknown> } {
  return { jsonrpc: '2.0', method, params: { ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } } }
}
