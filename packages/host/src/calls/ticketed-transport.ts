// Stands between a connected client and its transport, for two things that the official client does not tell: which
// call the elicitations of a round belong to, and the task that a call became (it takes no `resultType: 'task'`). Only
// answers to calls that carry a ticket are touched; anything else passes as it is.
import { isRecord } from '@beckon/core/json-rpc'
import {
  type CallToolRequest,
  type CallToolResult,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
} from '@modelcontextprotocol/client'

type Params = CallToolRequest['params']
type Fields = Readonly<Record<string, unknown>>

/** A task as the tasks extension describes it. */
export interface Task extends Fields {
  readonly taskId: string
}

/** Not written to any wire: JSON has no symbols. */
const ticketKey = Symbol('beckon/ticket')
/** Where an elicitation of a round, and the stand-in for a task, have the ticket of their call. */
const ticketMeta = 'beckon/ticket'
const taskMeta = 'beckon/task'
const asking = ['tools/call', 'prompts/get', 'resources/read']

/** Parameters of a call whose answers are to be told apart. */
export function withTicket(params: Params, ticket: string): Params {
  return { ...params, _meta: { ...params._meta, [ticketKey]: ticket } }
}

/** The ticket of the call that an elicitation belongs to, where that is known. */
export function ticketOf(params: object): string | undefined {
  const ticket = fieldsIn(params, '_meta')[ticketMeta]
  return typeof ticket === 'string' ? ticket : undefined
}

/** The task that a call became. */
export function taskOf(result: CallToolResult): Task | undefined {
  const task = fieldsIn(result, '_meta')[taskMeta]
  return isRecord(task) && typeof task.taskId === 'string' ? { ...task, taskId: task.taskId } : undefined
}

export class TicketedTransport {
  /** Requests without an answer that a server may ask something for, and the tickets of those that have one. */
  readonly #waiting = new Map<unknown, string | undefined>()

  /** Opens a transport that a client has connected to. */
  constructor(transport: Transport, onClose: () => void) {
    const { send, onmessage, onclose } = transport
    transport.send = (message, options) => {
      this.#sent(message)
      return send.call(transport, message, options)
    }
    transport.onmessage = (message, extra) => onmessage?.(this.#received(message), extra)
    transport.onclose = () => {
      onClose()
      onclose?.()
    }
  }

  /**
   * The ticket of the request that is going on, when there is one alone. What a server of 2025 pushes does not say which
   * request it is for.
   */
  get onlyTicket(): string | undefined {
    const [only, ...others] = this.#waiting.values()
    return others.length === 0 ? only : undefined
  }

  /** Whether requests are going on that were not made through here. */
  get hasOthers(): boolean {
    return [...this.#waiting.values()].includes(undefined)
  }

  /** A call has ended, with or without an answer. */
  forget(ticket: string): void {
    for (const [id, known] of this.#waiting) if (known === ticket) this.#waiting.delete(id)
  }

  #sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if (message.method === 'notifications/cancelled') this.#waiting.delete(message.params?.requestId)
    if (!('id' in message) || !asking.includes(message.method)) return
    const ticket = sentTicket(message)
    // With 2026-07-28 a ticket is all that counts.
    if (ticket !== undefined || !isModern(message)) this.#waiting.set(message.id, ticket)
  }

  #received<T extends JSONRPCMessage>(message: T): T {
    if ('method' in message || !('id' in message)) return message
    const ticket = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    return ticket === undefined ? message : ticketed(message, ticket)
  }
}

function isModern(message: JSONRPCMessage): boolean {
  return PROTOCOL_VERSION_META_KEY in fieldsIn(fieldsIn(message, 'params'), '_meta')
}

function sentTicket(message: JSONRPCMessage): string | undefined {
  const ticket = (fieldsIn(fieldsIn(message, 'params'), '_meta') as { [ticketKey]?: unknown })[ticketKey]
  return typeof ticket === 'string' ? ticket : undefined
}

function ticketed<T extends JSONRPCMessage>(message: T, ticket: string): T {
  const result = fieldsIn(message, 'result')
  switch (result.resultType) {
    case 'task':
      return { ...message, result: standIn(result) }
    case 'input_required': {
      const requests = Object.entries(fieldsIn(result, 'inputRequests'))
      const inputRequests = Object.fromEntries(requests.map(([key, request]) => [key, stamped(request, ticket)]))
      return { ...message, result: { ...result, inputRequests } }
    }
    default:
      return message
  }
}

/** A result that the client takes for any tool: one that failed needs no structured content. */
function standIn({ resultType: _, ...task }: Fields): Fields {
  return { resultType: 'complete', content: [], isError: true, _meta: { [taskMeta]: task } }
}

function stamped(request: unknown, ticket: string): unknown {
  if (!isRecord(request)) return request
  const params = fieldsIn(request, 'params')
  return { ...request, params: { ...params, _meta: { ...fieldsIn(params, '_meta'), [ticketMeta]: ticket } } }
}

function fieldsIn(value: object, key: string): Fields {
  const inner = (value as Fields)[key]
  return isRecord(inner) ? inner : {}
}
