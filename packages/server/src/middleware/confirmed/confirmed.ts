import type { ConfirmOptions, Context } from '../../author/context.js'
import type { Middleware } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'

/** What is asked: a question, or one made of the call. */
export type Confirmation = string | ConfirmOptions | ((ctx: Context) => string | ConfirmOptions)

/**
 * Asks a person before the handler runs. Only an explicit yes lets the call go on.
 * @example
 * server.tool('clear', confirmed('Remove every todo?'), { description: 'Remove todos' }, async () => todos.clear())
 */
export function confirmed(question: Confirmation): Middleware {
  return async function confirmed(ctx, next) {
    const asked = typeof question === 'function' ? question(ctx) : question
    const { action, reason } = await ctx.confirm.outcome(asked)
    if (action === 'accept') return next()
    const why = reason === undefined ? '' : ` They said: ${JSON.stringify(reason)}`
    return refuse(ctx, `No person confirmed this, so nothing was done.${why}`)
  }
}
