import {
  type CallToolRequest,
  type CallToolResult,
  type Client,
  type ElicitResult,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client'
import { type AskDesk, remoteDeskFrom } from 'beckon/desk/adapter'
import type { AnswerOptions } from './answer-options.js'
import { anything } from './anything.js'
import { beginTool, type CallOptions, callTool } from './calls/call-tool.js'
import type { Task } from './calls/ticketed-transport.js'
import { Connection } from './connection.js'
import type { ElicitationParams } from './elicitation/desk-request.js'
import type { Subject } from './elicitation/elicit.js'

export type { CallOptions } from './calls/call-tool.js'
export type { Task } from './calls/ticketed-transport.js'
export type { ElicitationParams } from './elicitation/desk-request.js'
export type { Subject } from './elicitation/elicit.js'

/** A client whose elicitations are answered on a desk. */
export interface Answered {
  /**
   * Calls a tool. What it asks is shown as belonging to it; a task is followed to its end; pages
   * that a server of 2025 wants visited first are put on the desk; and the time that a person takes does not count.
   */
  callTool(params: CallToolRequest['params'], options?: CallOptions): Promise<CallToolResult>
  /** As `callTool`, but a task is given back as it began, for callers that follow it themselves. */
  beginTool(params: CallToolRequest['params'], options?: CallOptions): Promise<CallToolResult | Task>
  /** Puts one elicitation that came in another way on the desk, as those of a task do that someone else follows. */
  elicit(
    params: ElicitationParams,
    options: { signal: AbortSignal; subject?: Subject | undefined },
  ): Promise<ElicitResult>
  /** Withdraws what is open, and answers no more. The client stays connected. */
  close(): void
}

/**
 * Takes the elicitations of an official MCP client onto a desk and back, in every era: those that servers of 2025 push,
 * those of the rounds of 2026-07-28, and those of tasks. Works before the client connects, and after. A desk elsewhere is
 * given by its address, with the token that it has for this host: `https://name:token@desk.example`.
 *
 * @example
 * const client = new Client({ name: 'my-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
 * const answered = answerWith(desk, client)
 * await client.connect(transport)
 * await answered.callTool({ name: 'deploy', arguments: { env: 'production' } })
 */
export function answerWith(desk: AskDesk | string, client: Client, options: AnswerOptions = {}): Answered {
  const opened = typeof desk === 'string' ? remoteDeskFrom(desk) : desk
  const connections = new WeakMap<Transport, Connection>()
  let open: Connection | undefined

  function connection(): Connection {
    const { transport } = client
    if (transport === undefined) throw new SdkError(SdkErrorCode.NotConnected, 'The client is not connected.')
    const known = connections.get(transport)
    if (known !== undefined) return known
    open = new Connection(opened, client, transport, options)
    connections.set(transport, open)
    return open
  }

  declareElicitation(client)
  // The client has checked the parameters before; as they came, no keyword of a schema is lost.
  client.setRequestHandler('elicitation/create', { params: anything }, (params, { mcpReq }): Promise<ElicitResult> => {
    const here = connection()
    return here.elicit(params, mcpReq.signal, here.callOf(params))
  })
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    connection().completions.complete(params.elicitationId)
  })

  return {
    callTool: async (params, callOptions = {}) =>
      callTool({ client, connection: connection(), params, options: callOptions }),
    beginTool: async (params, callOptions = {}) =>
      beginTool({ client, connection: connection(), params, options: callOptions }),
    elicit: async (params, { signal, subject }) => connection().elicit(params, signal, subject),
    close() {
      client.removeRequestHandler('elicitation/create')
      client.removeNotificationHandler('notifications/elicitation/complete')
      open?.close()
    },
  }
}

/** Declares what a desk can do, unless the client says for itself what it does. */
function declareElicitation(client: Client): void {
  try {
    client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }))
  } catch {
    if (client.transport !== undefined) {
      throw new SdkError(
        SdkErrorCode.CapabilityNotSupported,
        'The client is connected and did not declare elicitation. Declare it, or call answerWith before connecting.',
      )
    }
    client.registerCapabilities({ elicitation: { form: {}, url: {} } })
  }
}
