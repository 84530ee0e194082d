// `subscriptions/listen`, on any transport: one request that is told of changes, and of tasks, from then on.
//
// Threat: someone who listens for the tasks of others. Only ids of the caller's own are acknowledged; another's is as one
// that is not there. One request names so many tasks.
import { isRecord } from '@beckon/core/json-rpc'
import type { ClientCapabilities } from '../call/incoming.js'
import type { Link } from '../protocol/link.js'
import type { RequestId, RpcNotification, RpcRequest, RpcResult } from '../protocol/messages.js'
import { serverInfoKey, subscriptionKey } from '../protocol/meta-keys.js'
import { RequestError } from '../protocol/request-error.js'
import type { Filter, Listeners } from './listeners.js'
import type { Served } from './served.js'

const maxTaskIds = 100
/** How many resources one request may name. */
const maxUris = 1_000

/** How many may be open at once, on one server over HTTP and on one connection over stdio. */
export const maxSubscriptions = 1_000

/** What a request wants to be told of. */
export interface Wanted {
  readonly id: RequestId
  readonly filter: Filter
  readonly taskIds: readonly string[] | undefined
  readonly capabilities: ClientCapabilities
}

/** Someone who is told of something. */
export interface Subscription {
  /** Whether there is nothing that they are told of. */
  readonly isEmpty: boolean
  stop(): void
}

/** Reads what a request wants to be told of. */
export function wantedIn({ id, params }: RpcRequest, capabilities: ClientCapabilities): Wanted {
  const notifications = params?.notifications
  if (!isRecord(notifications)) throw invalid()
  const { resourceSubscriptions, taskIds } = notifications
  if (!areStrings(resourceSubscriptions) || !areStrings(taskIds)) throw invalid()
  if (!listNames.every(name => isFlag(notifications[name]))) throw invalid()
  if (taskIds !== undefined && taskIds.length > maxTaskIds)
    throw new RequestError(-32602, `A request names at most ${maxTaskIds} tasks.`)
  const flags = Object.fromEntries(listNames.flatMap(name => (notifications[name] === true ? [[name, true]] : [])))
  const filter = { ...flags, ...(resourceSubscriptions?.length && { resourceSubscriptions }) }
  return { id, filter, taskIds, capabilities }
}

function invalid(): RequestError {
  return new RequestError(-32602, "Invalid params: 'notifications' must say what to be told of")
}

const listNames = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const

/** Tells someone what they want to be told of: first that they are, and of what. */
export async function subscribe(
  { watchTask, maySubscribe }: Pick<Served, 'watchTask' | 'maySubscribe'>,
  listeners: Listeners,
  { wanted, link, send }: { wanted: Wanted; link: Link; send: (message: RpcNotification) => void },
): Promise<Subscription> {
  const { id, capabilities } = wanted
  const filter = await allowedIn(wanted.filter, uri =>
    maySubscribe === undefined ? true : maySubscribe(uri, { link, header: name => link.header?.(id, name) }),
  )
  const wantedTasks = watchTask && wanted.taskIds
  const early: Record<string, unknown>[] = []
  let isAcknowledged = false
  const stops: (() => void)[] = []
  const taskIds: string[] = []
  const tell = (method: string, params: Record<string, unknown>) => send(notificationOf(id, method, params))
  for (const taskId of wantedTasks ?? []) {
    const stop = await watchTask?.({ taskId, principal: link.principal, capabilities }, task => {
      if (isAcknowledged) tell('notifications/tasks', task)
      else early.push(task)
    })
    if (stop === undefined) continue
    taskIds.push(taskId)
    stops.push(stop)
  }
  stops.push(listeners.listen(link, filter, tell))
  const acknowledged = wantedTasks === undefined ? filter : { ...filter, taskIds }
  tell('notifications/subscriptions/acknowledged', { notifications: acknowledged })
  isAcknowledged = true
  for (const task of early.splice(0)) tell('notifications/tasks', task)
  return {
    isEmpty: Object.keys(acknowledged).length === 0,
    stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}

/** What someone wants to be told of, with only those resources that they may be told of. */
async function allowedIn(filter: Filter, isAllowed: (uri: string) => Promise<boolean> | boolean): Promise<Filter> {
  const { resourceSubscriptions, ...lists } = filter
  if (resourceSubscriptions === undefined) return filter
  const uris = resourceSubscriptions.slice(0, maxUris)
  const verdicts = await Promise.all(uris.map(isAllowed))
  const allowed = uris.filter((_, index) => verdicts[index])
  return allowed.length === 0 ? lists : { ...lists, resourceSubscriptions: allowed }
}

/** What says that a subscription is over, since the server closes. */
export function subscriptionEnd(id: RequestId, info: Served['info']): RpcResult {
  const _meta = { [subscriptionKey]: id, [serverInfoKey]: info }
  return { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } }
}

function notificationOf(id: RequestId, method: string, params: Record<string, unknown>): RpcNotification {
  return { jsonrpc: '2.0', method, params: { ...params, _meta: { [subscriptionKey]: id } } }
}

function areStrings(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every(item => typeof item === 'string'))
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}
