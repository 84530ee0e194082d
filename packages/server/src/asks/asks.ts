import type { CallToolResult, GetPromptResult, ReadResourceResult, ServerContext } from '@modelcontextprotocol/server'
import type { Context, NoVars } from '../author/context.js'
import { normalizePrincipal } from '../author/identify.js'
import type { Middleware, VarsOf } from '../author/middleware.js'
import type { Answerer } from '../call/incoming.js'
import { answerFrom } from '../sdk/incoming-from.js'
import { answerJob } from '../server/answer-job.js'
import type { PromptReturn, ResourceReturn, ToolReturn } from '../server/definitions.js'
import { broughtIn, jobOf, paramsOf, wantedBy } from './job-of.js'
import { leaveAsError } from './leave-as-error.js'
import { type AsksOptions, checkOptions, fallbackOf } from './options.js'
import { peerOf } from './peer-of.js'
import { rememberHandler, sharedEngine } from './shared-engine.js'

/** What a handler for the SDK may return: what a tool, a prompt or a resource of ours may. */
export type AskingReturn = ToolReturn | PromptReturn | ResourceReturn

/** A handler that may ask: it gets what the SDK's own get, with our context for the SDK's at the end. */
export type AskingHandler<Args extends unknown[], Vars extends object = NoVars> = (
  ...args: [...args: Args, ctx: Context<Vars>]
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
export function asks<Args extends unknown[] = [], const Use extends readonly Middleware[] = []>(
  handler: AskingHandler<Args, VarsOf<Use>>,
  options: AsksOptions<Use> = {},
): (...args: [...args: Args, ctx: ServerContext]) => Promise<AskingResult> {
  checkOptions(options)
  const identify = options.identify && normalizePrincipal(options.identify)
  const engine = sharedEngine(options)
  rememberHandler(engine, handler, options)

  async function answer(ctx: ServerContext, args: unknown[]): Promise<Record<string, unknown>> {
    if (engine.ring.opening !== undefined) await engine.ring.opening
    const wanted = wantedBy(ctx)
    const relays = fallbackOf(options) === 'relay' && wanted.method === 'tools/call'
    const brought = relays ? broughtIn(args) : undefined
    const run: Answerer = async incoming => {
      const relayed = brought === undefined ? undefined : await engine.relay.redeem(brought)
      return answerJob(engine, incoming, jobOf(handler, args, wanted, options), relayed)
    }
    const link = { principal: await identify?.(ctx), sessionId: ctx.sessionId }
    const params = paramsOf(options.name ?? wanted.name, args)
    return answerFrom(run, ctx, { params, server: await peerOf(ctx, options.server), link })
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
