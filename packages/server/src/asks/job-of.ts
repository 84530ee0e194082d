import { given } from '@beckon/core'
import { isRecord } from '@beckon/core/json-rpc'
import type { ServerContext } from '@modelcontextprotocol/server'
import type { Context } from '../author/context.js'
import type { AskingMethod } from '../call/incoming.js'
import { digest } from '../crypto/digest.js'
import { decodeHeaderValue } from '../http/header-value.js'
import { envelopeOf } from '../sdk/envelope-of.js'
import type { Job } from '../server/answer-job.js'
import { promptResult, rawToolResult, resourceResult, withContent } from '../server/results.js'
import { relayArgument } from '../wires/relay.js'
import { digestArguments } from './digest-arguments.js'
import { type AsksOptions, fallbackOf } from './options.js'

/** Any of the kinds of handlers that the SDK has, with our context. The type of `asks` says which arguments fit. */
export type AnyHandler = (...args: never) => unknown

/** What a request is for, as far as it says. */
export interface Wanted {
  readonly method: string
  readonly name: string | undefined
}

export function wantedBy(ctx: ServerContext): Wanted {
  return { method: ctx.mcpReq.method, name: nameInHeader(ctx) }
}

/** What a request to a handler of the SDK runs. It is told by method what it is for. */
export function jobOf(handler: AnyHandler, passed: readonly unknown[], wanted: Wanted, options: AsksOptions): Job {
  const method = wanted.method as AskingMethod
  const { annotations, timeoutMs, urlError, output, person, approval, use = [] } = options
  const fallback = fallbackOf(options)
  const args =
    method === 'tools/call' && (fallback !== 'refuse' || options.desk !== undefined) ? withoutOurs(passed) : passed
  const [input = {}] = args
  const name = options.name ?? wanted.name ?? handler.name
  const common = {
    target: { method, name: targetName(handler, name, options), digest: digestArguments(args) },
    middleware: use,
    // Nobody answers `tasks/*` here.
    servesTasks: false,
    // The arguments are those that the SDK called with.
    run: async (context: Context) => handler(...([...args, context] as never)),
  }
  switch (method) {
    case 'prompts/get':
      return {
        ...common,
        subject: { kind: 'prompt', name, input },
        tool: undefined,
        fallback: 'refuse',
        resultOf: returned => promptResult(returned, name, undefined),
      }
    case 'resources/read': {
      const [uri, variables = {}] = args
      return {
        ...common,
        subject: {
          kind: 'resource',
          name: String(uri),
          input: variables,
          ...(options.name !== undefined && { registered: options.name }),
        },
        tool: undefined,
        fallback: 'refuse',
        resultOf: returned => resourceResult(returned, String(uri), undefined),
      }
    }
    default:
      return {
        ...common,
        subject: { kind: 'tool', name, input },
        run: async context => withContent(await common.run(context)),
        tool: given({ annotations, timeoutMs, urlError, output, person, approval }),
        fallback,
        resultOf: returned => rawToolResult(returned, name),
      }
  }
}

/** What of a request is kept, for another process to run it again. */
export function paramsOf(name: string | undefined, args: readonly unknown[]): Record<string, unknown> {
  return args.length === 0 ? { name } : { name, arguments: args[0] }
}

/** The arguments of the handler, from what was kept. */
export function argumentsIn(params: Readonly<Record<string, unknown>>): unknown[] {
  return 'arguments' in params ? [params.arguments] : []
}

/** What a model brought along under the argument of ours. */
export function broughtIn([input]: readonly unknown[]): unknown {
  return isRecord(input) ? input[relayArgument] : undefined
}

/** The arguments of a tool without the one of ours. */
function withoutOurs([input, ...others]: readonly unknown[]): unknown[] {
  if (!isRecord(input)) return []
  const { [relayArgument]: _, ...rest } = input
  return [rest, ...others]
}

/** What a state is bound to: the author's name for it, else all that tells one handler from another in every process. */
function targetName(handler: AnyHandler, name: string, options: AsksOptions): string {
  return options.name ?? `${name} ${digest([handler.name, handler.toString()])}`
}

/** The SDK has checked that it is the name in the request. */
function nameInHeader(ctx: ServerContext): string | undefined {
  const header = envelopeOf(ctx) === undefined ? undefined : ctx.http?.req?.headers.get('mcp-name')
  return header ? decodeHeaderValue(header) : undefined
}
