import type { CallToolResult, GetPromptResult, ReadResourceResult, ServerContext } from '@modelcontextprotocol/server'
import type { Context, Fallback } from '../author/context.js'
import { type Identify, normalizePrincipal } from '../author/identify.js'
import type { Answerer, ReplayMode } from '../call/incoming.js'
import type { Key } from '../crypto/seal.js'
import { answerFrom } from '../sdk/incoming-from.js'
import { answerJob } from '../server/answer-job.js'
import type { PromptReturn, ResourceReturn, ToolAnnotations, ToolReturn } from '../server/definitions.js'
import { isRecord } from '../server/results.js'
import type { Store } from '../store/store.js'
import { relayArgument } from '../wires/relay.js'
import { jobOf } from './job-of.js'
import { leaveAsError } from './leave-as-error.js'
import { peerOf, type SdkServer } from './peer-of.js'
import { sharedEngine } from './shared-engine.js'

export interface AsksOptions {
  /**
   * The name of the tool, prompt or resource, which a retry has to be for. Default: what is known of it, and the source
   * of the handler. So name what has to outlive a deploy, and handlers that differ only in what they close over.
   */
  name?: string
  /** Keys that seal request states: the first seals, all of them open. Default: a new one for each process. */
  keys?: Key | readonly Key[]
  /** One for the process, not one for each request. Default: in memory. */
  store?: Store
  /** The person that a request is for, by the server's own authorization. */
  identify?: Identify<ServerContext>
  /**
   * The server that the handler is registered on. A client on 2025 is known in full by it. Without, its elicitation is
   * known, and on stdio its version is taken to be 2025-06-18 unless it can open URLs.
   */
  server?: SdkServer
  /** When a handler is run again from its journal: where it must, on every round, or not at all. */
  replay?: ReplayMode
  /**
   * What to do with an ask that the client cannot put. To relay takes a `name`, and an input schema that lets the
   * argument `beckon` through: `beckon: z.unknown().optional()`.
   */
  fallback?: Fallback
  /** What the tool does to the world: behind these, answers that nobody asked for never count. */
  annotations?: Pick<ToolAnnotations, 'destructive' | 'requiresConfirmation'>
}

/** What a handler for the SDK may return: what a tool, a prompt or a resource of ours may. */
export type AskingReturn = ToolReturn | PromptReturn | ResourceReturn

/** A handler that may ask: it gets what the SDK's own get, with our context for the SDK's at the end. */
export type AskingHandler<Args extends unknown[]> = (
  ...args: [...args: Args, ctx: Context]
) => AskingReturn | Promise<AskingReturn>

/** What the SDK takes from tools, prompts and resources. A result is of the one kind that was asked for. */
export type AskingResult = CallToolResult & GetPromptResult & ReadResourceResult

/**
 * Turns a handler that asks into one for `registerTool`, `registerPrompt` or `registerResource` of the official SDK.
 * Nothing else about that server changes, and the people behind all of its clients can be asked. One thing to look at: a
 * `requestState.verify` of that server's own has to let states of ours through, which have no dot in them.
 * @example
 * mcpServer.registerTool('deploy', { inputSchema: z.object({ env: z.string() }) }, asks(async ({ env }, ctx) => {
 *   if (!(await ctx.confirm(`Deploy to ${env}?`))) return ctx.text('Not deployed.')
 *   return ctx.text(await deploy(env))
 * }))
 */
export function asks<Args extends unknown[] = []>(
  handler: AskingHandler<Args>,
  options: AsksOptions = {},
): (...args: [...args: Args, ctx: ServerContext]) => Promise<AskingResult> {
  const { name, server, fallback } = options
  const identify = options.identify && normalizePrincipal(options.identify)
  if (fallback === 'relay' && name === undefined)
    throw new TypeError('To relay, a model must be told what to call again: give asks the name of the tool.')
  const engine = sharedEngine(options)

  async function answer(ctx: ServerContext, given: unknown[]): Promise<Record<string, unknown>> {
    const relays = fallback === 'relay' && ctx.mcpReq.method === 'tools/call'
    const { args, brought } = relays ? takeRelayed(given) : { args: given, brought: undefined }
    const run: Answerer = async incoming => {
      const relayed = brought === undefined ? undefined : await engine.relay.redeem(brought)
      return answerJob(engine, incoming, jobOf(handler, args, ctx, options), relayed)
    }
    const link = { principal: await identify?.(ctx), sessionId: ctx.sessionId }
    return answerFrom(run, ctx, { params: {}, server: await peerOf(ctx, server), link })
  }

  return async function asks(...all) {
    const given: unknown[] = [...all]
    // The SDK's own comes last, whatever is before it.
    const ctx = given.pop() as ServerContext
    const result = await answer(ctx, given).catch(error => leaveAsError(error, ctx))
    // Of the kind that was asked for, and the SDK checks that.
    return result as AskingResult
  }
}

/** The arguments of a tool without the one of ours. */
function takeRelayed([input, ...others]: unknown[]): { args: unknown[]; brought: unknown } {
  if (!isRecord(input)) return { args: [], brought: undefined }
  const { [relayArgument]: brought, ...rest } = input
  return { args: [rest, ...others], brought }
}
