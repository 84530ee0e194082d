import type { Context } from '../../author/context.js'
import type { Middleware } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'
import { explainEnd, type Flow, runFlow, withFlows } from '../../flows/index.js'

/** The names by which a callback finds its way back. */
export interface UrlActionIds {
  /** For `server.session`. */
  readonly sessionId: string
  /** For `server.completeElicitation`. */
  readonly elicitationId: string
}

type UrlOf = (ids: UrlActionIds) => string | Promise<string>

export interface UrlActionOptions {
  /** What the person is told before they open the page. */
  message: string
  /** Where they have to do something, or how to make that address. */
  url?: string | UrlOf
  /** The same as a function in `url`. */
  buildUrl?: UrlOf
  /** Whether it was done already: then nobody is asked. Looked at before, and once more when the person is done. */
  done?: (ctx: Context) => boolean | Promise<boolean>
  /** How long the person may take. Default: 5 minutes. */
  timeoutMs?: number
  /** The same as `timeoutMs`. */
  timeout?: number
}

/** It has no page of its own, so that all of them are one flow. */
const flow: Flow<null> = { name: 'url-action', endsBy: 'elicitation' }

/**
 * Sends the person somewhere before the handler runs, and waits until `server.completeElicitation` says that they are done.
 * @example
 * server.tool('publish', urlAction({
 *   message: 'Sign the contract first.',
 *   url: ({ sessionId, elicitationId }) => `https://sign.example/start?state=${sessionId}:${elicitationId}`,
 *   done: async ctx => (await ctx.session.get('signed')) === true,
 * }), {}, publish)
 */
export function urlAction(options: UrlActionOptions): Middleware {
  const { message, done, timeoutMs = options.timeout } = options
  const url = options.buildUrl ?? options.url
  if (url === undefined) throw new TypeError('urlAction needs a url.')
  // In steps, so that a replay takes the way that the first run took.
  const isDone = async (ctx: Context, when: string) =>
    done !== undefined && (await ctx.step(`url action: done ${when}`, () => done(ctx)))

  return withFlows(async function urlAction(ctx, next) {
    if (await isDone(ctx, 'before')) return next()
    const end = await runFlow(ctx, flow, {
      message,
      timeoutMs,
      begin: async ids => ({ url: typeof url === 'string' ? url : await url(ids), data: null }),
    })
    if (end.kind !== 'done') return explainEnd(ctx, end)
    if (done !== undefined && !(await isDone(ctx, 'after')))
      return refuse(ctx, 'The page was left, and what it is for was not done. Nothing was done here either.')
    return next()
  }, flow)
}
