import {
  type CallToolRequest,
  type CallToolRequestOptions,
  type CallToolResult,
  type Client,
  type Progress,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import type { Connection } from '../connection.js'
import { followTask } from './follow-task.js'
import type { RunningCall } from './page-visits.js'
import { PageVisits } from './page-visits.js'
import { startPatience } from './patience.js'
import { type Task, taskOf, withTicket } from './ticketed-transport.js'

/** As those of the official client; `timeout` does not count the time that a person takes. */
export interface CallOptions extends CallToolRequestOptions {
  /** Is told what a task says of its status, whenever that changes. */
  onTaskStatus?: (message: string) => void
}

export interface CallContext {
  readonly client: Client
  readonly connection: Connection
  readonly params: CallToolRequest['params']
  readonly options: CallOptions
}

const defaultTimeoutMs = 60_000
/** Timers overflow above this and would fire at once. */
const neverMs = 2 ** 31 - 1

/** One call of a tool to its end. */
export function callTool(context: CallContext): Promise<CallToolResult> {
  const { client, connection, options } = context
  return during(context, async (call, signal) => {
    const result = await callWithPages(context, call, signal)
    const task = taskOf(result)
    if (task === undefined) return result
    return followTask(task, {
      client,
      elicit: (asked, withdrawn) => connection.elicit(asked, AbortSignal.any([signal, withdrawn]), call),
      signal,
      timeoutMs: options.timeout,
      onStatus: options.onTaskStatus,
    })
  })
}

/** One call of a tool to its result, or to the task that it became. */
export function beginTool(context: CallContext): Promise<CallToolResult | Task> {
  return during(context, async (call, signal) => {
    const result = await callWithPages(context, call, signal)
    return taskOf(result) ?? result
  })
}

async function during<T>(
  { connection, params, options }: CallContext,
  work: (call: RunningCall, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { closed } = connection
  const call = connection.start({ tool: params.name, input: params.arguments ?? {} })
  const signal = options.signal ? AbortSignal.any([options.signal, closed]) : closed
  try {
    return await work(call, signal)
  } finally {
    connection.end(call)
  }
}

/** A server of 2025 may refuse a call until some pages were visited. */
async function callWithPages(context: CallContext, call: RunningCall, signal: AbortSignal): Promise<CallToolResult> {
  const visits = new PageVisits(context.connection, call, signal)
  for (;;) {
    try {
      return await callOnce(context, call, signal)
    } catch (error) {
      if (!(error instanceof UrlElicitationRequiredError) || !(await visits.before(error.elicitations))) throw error
    }
  }
}

async function callOnce(context: CallContext, call: RunningCall, signal: AbortSignal): Promise<CallToolResult> {
  const { client, connection, params, options } = context
  const patience = startPatience(connection.asks, options.timeout ?? defaultTimeoutMs)
  try {
    const request = {
      ...options,
      timeout: neverMs,
      signal: AbortSignal.any([signal, patience.signal]),
      // Asks the server for signs of life.
      onprogress(progress: Progress) {
        patience.renew()
        options.onprogress?.(progress)
      },
    }
    return await connection.during(call, () => client.callTool(withTicket(params, call.ticket), request))
  } finally {
    patience.stop()
  }
}
