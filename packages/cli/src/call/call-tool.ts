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
import { plainLine } from '../plain-text.js'
import { WaitingNotice } from './waiting-notice.js'

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
    options: { signal: AbortSignal; onProgress: (progress: Progress) => void; isAsking: () => boolean },
  ): Promise<CallToolResult>
  /** Whether anything was cancelled because it could not be shown, or its answer did not fit. */
  hasCancelled(): boolean
  close(): Promise<void>
}

const capabilities = { elicitation: { form: {}, url: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** A client of the server whose asks go to a person. */
export async function connectFor(options: CallOptions): Promise<Connected> {
  const { target, era, person, timeoutMs } = options
  const client = new Client(clientInfo, { capabilities, versionNegotiation: negotiation(era) })
  const destructive = new Set<string>()
  let hasCancelled = false
  const answered = answerWith(deskOf(person), client, {
    isDestructive: tool => destructive.has(tool),
    log(problem, what) {
      if (what === 'cancelled') hasCancelled = true
      console.error(plainLine(problem))
    },
  })
  await connect(client, target, options)
  return {
    client,
    async callTool(params, { signal, onProgress, isAsking }) {
      let waiting: WaitingNotice | undefined
      const onprogress = (progress: Progress) => {
        if (!isOfServer(progress)) return
        waiting?.heard(progress.message ?? '')
        onProgress(progress)
      }
      const onTaskStatus = (message: string) => waiting?.heard(message)
      try {
        for (const name of await destructiveTools(client, signal)) destructive.add(name)
        waiting = new WaitingNotice({ say: line => console.error(line), isAsking })
        const result = await answered.callTool(params, { signal, timeout: timeoutMs, onprogress, onTaskStatus })
        for (const block of result.content) if (block.type === 'text') waiting.heard(block.text)
        return result
      } catch (error) {
        throw failure(error, signal)
      } finally {
        waiting?.stop()
      }
    },
    hasCancelled: () => hasCancelled,
    async close() {
      answered.close()
      await client.close()
    },
  }
}

/** Which tools say of themselves that they can destroy something. A server that does not tell is called all the same. */
async function destructiveTools(client: Client, signal: AbortSignal): Promise<string[]> {
  const { tools } = await client.listTools({}, { signal }).catch(() => ({ tools: [] }))
  return tools.filter(({ annotations }) => annotations?.destructiveHint === true).map(({ name }) => name)
}

/** The official client reports its own rounds as if they were the server's progress. */
function isOfServer({ message }: Progress): boolean {
  return message === undefined || !/^Fulfilling input required by '.*' \(round \d+\)$/.test(message)
}

function failure(error: unknown, signal: AbortSignal): CliError {
  if (signal.aborted || error instanceof CallCancelledError) return new CliError('Cancelled.', exitCodes.notAnswered)
  const message = error instanceof Error ? error.message : String(error)
  const prefix = error instanceof ProtocolError ? `The server answered with error ${error.code}: ` : 'The call failed: '
  return new CliError(`${prefix}${plainLine(message)}`, exitCodes.broken)
}
