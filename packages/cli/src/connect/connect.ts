import {
  type Client,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { CliError, usageError } from '../cli-error.js'
import { exitCodes } from '../exit-codes.js'
import { plainLine } from '../plain-text.js'
import { limitedFetch } from './limited-fetch.js'
import { describeTarget, type Target } from './target.js'

/** Which generation of the protocol to speak; by default the newest that the server has. */
export type Era = 'auto' | '2025' | '2026'

export interface TransportOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** More of the environment of a server that we start. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Where a server that we start writes its own messages. Default: nowhere, but the last of them are told where it does not start. */
  readonly stderr?: 'inherit' | 'ignore' | undefined
  /** Whether a server that we start is known to take a probe, so that it need not be started once for that alone. */
  readonly probesInPlace?: boolean | undefined
}

/** The official client starts a process of its own for a probe, which a server may not survive; but not for a subclass. */
class ProbedInPlace extends StdioClientTransport {}

export function eraOf(word: string | undefined): Era {
  if (word === undefined || word === 'auto' || word === '2025' || word === '2026') return word ?? 'auto'
  throw usageError(`--era is 2025, 2026 or auto, and not "${word}".`)
}

/** How the official client is told which era to speak. */
export function negotiation(era: Era): VersionNegotiationOptions {
  return { mode: era === 'auto' ? 'auto' : era === '2025' ? 'legacy' : { pin: '2026-07-28' } }
}

function transportTo(target: Target, options: TransportOptions = {}): Transport {
  const { headers, env, stderr = 'ignore', probesInPlace = false } = options
  if (target.kind === 'url') {
    const requestInit = { headers: { ...headers } }
    return new StreamableHTTPClientTransport(target.url, { fetch: limitedFetch, requestInit })
  }
  const Transport = probesInPlace ? ProbedInPlace : StdioClientTransport
  return new Transport({
    command: target.command,
    args: [...target.args],
    // The server runs as if it had been started from this terminal.
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1])),
      ...env,
    },
    stderr: stderr === 'ignore' ? 'pipe' : stderr,
  })
}

/** Connects a client. What goes wrong is said in a way that tells what to do. */
export async function connect(client: Client, target: Target, options: TransportOptions = {}): Promise<void> {
  const transport = transportTo(target, options)
  const lastLines = linesFrom(transport)
  try {
    await client.connect(transport)
  } catch (error) {
    await client.close().catch(() => {})
    const why = reason(error, target, lastLines())
    throw new CliError(`Cannot connect to ${describeTarget(target)}. ${why}`, exitCodes.cannotConnect)
  }
}

const maxLines = 10
const maxKeptChars = 8_000

/** The last that a server which we start wrote to its standard error. It is read to the end, so that the server never waits for that. */
function linesFrom(transport: Transport): () => readonly string[] {
  let text = ''
  const stderr = transport instanceof StdioClientTransport ? transport.stderr : null
  stderr?.on('data', part => {
    text = `${text}${part}`.slice(-maxKeptChars)
  })
  return () => {
    const lines = text.split('\n').map(plainLine)
    return lines.filter(line => line !== '').slice(-maxLines)
  }
}

function reason(error: unknown, target: Target, lines: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  if (code === 'ENOENT') return `There is no program of that name.`
  if (code === 'ECONNREFUSED') return 'Nothing listens there: is the server running?'
  if (code === 'ENOTFOUND') return 'There is no host of that name.'
  if (error instanceof SdkHttpError && (error.status === 401 || error.status === 403)) {
    const where =
      target.kind === 'url' && target.url.pathname === '/'
        ? ` Most MCP servers are at ${new URL('/mcp', target.url)}.`
        : ''
    return `It wants to know who calls (${error.status}). Pass --header "Authorization: Bearer <token>".${where}`
  }
  if (error instanceof SdkHttpError && (error.status === 404 || error.status === 405)) {
    return `There is no MCP server at that path (${error.status}). Most are at /mcp.`
  }
  const isOtherEra = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
  if (isOtherEra && message.includes('did not offer')) return 'It does not speak that era.'
  if (target.kind === 'command') {
    const more =
      lines.length === 0 ? 'Run the command by itself to see what it says.' : ['It wrote:', ...lines].join('\n  ')
    return `${message.replace(/\.?$/, '.')} ${more}`
  }
  const cause = causesOf(error).at(-1)?.message ?? message
  if (cause === 'bad port')
    return `Port ${target.url.port} is one that no web client connects to (https://fetch.spec.whatwg.org/#port-blocking). Have the server listen on another.`
  return message.includes(cause) ? message : `${message}: ${cause}`
}

/** The code of a system error, which `fetch` and the SDK have as the cause of theirs. */
function codeOf(error: unknown): unknown {
  for (const each of causesOf(error)) if ('code' in each && /^E[A-Z]+$/.test(String(each.code))) return each.code
  return undefined
}

/** An error, and what caused it, the first cause last. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = []
  for (let at: unknown = error; at instanceof Error && causes.length < 5; ) {
    causes.push(at)
    at = at.cause instanceof AggregateError ? at.cause.errors[0] : at.cause
  }
  return causes
}
