// Calls one tool, with someone to answer what it asks.
import { CallCancelledError } from '@beckon/core'
import { answerWith } from '@beckon/host'
import { type CallToolResult, Client, type Progress, ProtocolError } from '@modelcontextprotocol/client'
import { deskOf, type Person } from '../answers/person.js'
import { CliError } from '../cli-error.js'
import { clientInfo } from '../client-info.js'
import { connect, type Era, negotiation, type TransportOptions } from '../connect/connect.js'
import type { Target } from '../connect/target.js'
import { exitCodes } from '../exit-codes.js'
import { plainLine } from '../terminal/plain-text.js'

export interface CallOptions extends TransportOptions {
  readonly target: Target
  readonly era: Era
  readonly person: Person
  readonly timeoutMs: number
}

export interface Connected {
  readonly client: Client
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options: { signal: AbortSignal; onProgress: (progress: Progress) => void },
  ): Promise<CallToolResult>
  close(): Promise<void>
}

const capabilities = { elicitation: { form: {}, url: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** A client of the server whose asks go to a person. */
export async function connectFor(options: CallOptions): Promise<Connected> {
  const { target, era, person, timeoutMs } = options
  const client = new Client(clientInfo, { capabilities, versionNegotiation: negotiation(era) })
  const answered = answerWith(deskOf(person), client, { log: problem => console.error(plainLine(problem)) })
  await connect(client, target, options)
  return {
    client,
    async callTool(params, { signal, onProgress }) {
      try {
        return await answered.callTool(params, { signal, timeout: timeoutMs, onprogress: onProgress })
      } catch (error) {
        throw failure(error, signal)
      }
    },
    async close() {
      answered.close()
      await client.close()
    },
  }
}

function failure(error: unknown, signal: AbortSignal): CliError {
  if (signal.aborted || error instanceof CallCancelledError) return new CliError('Cancelled.', exitCodes.notAnswered)
  const message = error instanceof Error ? error.message : String(error)
  const prefix = error instanceof ProtocolError ? `The server answered with error ${error.code}: ` : 'The call failed: '
  return new CliError(`${prefix}${plainLine(message)}`, exitCodes.broken)
}
