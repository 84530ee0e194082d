import type { Context } from '../author/context.js'
import type { Middleware, VarsOf } from '../author/middleware.js'
import type { ToolConfig, ToolHandler } from './definitions.js'
import type { ToolSchema } from './schemas.js'

/** A tool that no server has yet. */
export interface ToolDefinition {
  readonly name: string
  readonly config: ToolConfig
  /** What it takes was checked where it was defined. */
  readonly handler: (input: never, ctx: Context<never>) => unknown
}

/**
 * A tool apart from any server: in a module of its own, for several servers, or for a test. `server.tool(it)` registers it.
 * @example
 * export const clearDone = defineTool('clear_done', { description: 'Remove done todos' }, async (_input, ctx) =>
 *   (await ctx.confirm('Remove done todos?')) ? { removed: await todos.clear() } : { removed: 0 })
 * server.tool(clearDone)
 */
export function defineTool<
  I extends ToolSchema | undefined = undefined,
  O extends ToolSchema | undefined = undefined,
  const Use extends readonly Middleware[] = [],
>(name: string, config: ToolConfig<I, O, Use>, handler: ToolHandler<I, O, VarsOf<Use>>): ToolDefinition {
  return { name, config, handler }
}
