import type { Context } from '../../author/context.js'
import type { Middleware, MiddlewareHooks, VarsOf } from '../../author/middleware.js'
import { every } from './every.js'

/** What is let through: names of tools, prompts or resources, or a test of the call. */
export type Exception = string | readonly string[] | ((ctx: Context) => boolean | Promise<boolean>)

/**
 * Middleware for all calls but some.
 * @example
 * server.use(except('login', guard()))
 */
export function except<const Members extends readonly Middleware[]>(
  exception: Exception,
  ...members: Members
): MiddlewareHooks<Partial<VarsOf<Members>>> {
  const rest: MiddlewareHooks = every(...(members as readonly Middleware[]))
  const excepted = new WeakSet<Context>()
  const names = typeof exception === 'function' ? [] : [exception].flat()
  return {
    ...rest,
    name: 'except',
    // What is let through by its name is shown as if nothing stood before it.
    listed: (caller, subject) => names.includes(subject.name) || (rest.listed?.(caller, subject) ?? true),
    async onCall(ctx, next) {
      const isExcepted =
        typeof exception === 'function' ? (await exception(ctx)) === true : names.includes(ctx.subject.name)
      if (!isExcepted) return rest.onCall?.(ctx, next)
      excepted.add(ctx)
      return next()
    },
    onHandle: (ctx, handle) => (excepted.has(ctx) ? handle() : rest.onHandle?.(ctx, handle)),
  }
}
