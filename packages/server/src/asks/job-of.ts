import { inspect } from 'node:util'
import type { ServerContext } from '@modelcontextprotocol/server'
import type { Context } from '../author/context.js'
import { digest } from '../crypto/digest.js'
import { decodeHeaderValue } from '../http/header-value.js'
import { envelopeOf } from '../sdk/envelope-of.js'
import type { Job } from '../server/answer-job.js'
import { promptResult, rawToolResult, resourceResult } from '../server/results.js'
import type { AsksOptions } from './asks.js'

type JobOptions = Pick<AsksOptions, 'name' | 'fallback' | 'annotations'>

/** Any of the kinds of handlers that the SDK has, with our context. The type of `asks` says which arguments fit. */
export type AnyHandler = (...args: never) => unknown

/** What a request to a handler of the SDK runs. It is told by method what it is for. */
export function jobOf(handler: AnyHandler, args: unknown[], ctx: ServerContext, options: JobOptions): Job {
  const { method } = ctx.mcpReq
  const { fallback = 'refuse', annotations = {} } = options
  const [input = {}] = args
  const name = options.name ?? nameInHeader(ctx) ?? handler.name
  const common = {
    target: { method, name: targetName(handler, name, options), digest: digestArguments(args) },
    middleware: [],
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
        resultOf: returned => promptResult(returned, undefined),
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
        tool: { annotations },
        fallback,
        resultOf: rawToolResult,
      }
  }
}

/** What a state is bound to: the author's name for it, else all that tells one handler from another in every process. */
function targetName(handler: AnyHandler, name: string, options: JobOptions): string {
  return options.name ?? `${name} ${digest([handler.name, handler.toString()])}`
}

/** The SDK has checked that it is the name in the request. */
function nameInHeader(ctx: ServerContext): string | undefined {
  const header = envelopeOf(ctx) === undefined ? undefined : ctx.http?.req?.headers.get('mcp-name')
  return header ? decodeHeaderValue(header) : undefined
}

/** A schema may have made anything of the arguments: dates, sets, numbers that JSON does not have. */
function digestArguments(args: unknown[]): string {
  const whole = { depth: Number.POSITIVE_INFINITY, maxArrayLength: null, maxStringLength: null }
  return digest(inspect(args, { ...whole, sorted: true, breakLength: Number.POSITIVE_INFINITY }))
}
