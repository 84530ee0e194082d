import type { Middleware } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'
import type { Session } from '../../author/session.js'

export interface GuardOptions {
  /** The value of the session that lets a call pass. Default: `user`. */
  key?: string
  /** What `session.authorize` calls it: that lets a call pass as well. Default: `guard`. */
  name?: string
  /** Shows what it stands before only to those who may pass. Default: false. */
  hidden?: boolean
  /** What the model is told otherwise. */
  message?: string
}

/**
 * Lets a call pass once its caller's session has been authorized, or has a value.
 * @example
 * server.tool('login', credentials({ ... }), {}, async (_input, ctx) => {
 *   await ctx.session.authorize('guard')
 *   return 'Signed in.'
 * })
 * server.tool('orders', guard({ hidden: true }), {}, listOrders)
 */
export function guard({ key = 'user', name = 'guard', hidden = false, message }: GuardOptions = {}): Middleware {
  async function mayPass(session: Session): Promise<boolean> {
    return (await session.isAuthorized(name)) || Boolean(await session.get(key))
  }
  return {
    name,
    ...(hidden && { listed: ({ session }) => mayPass(session) }),
    async onCall(ctx, next) {
      if (await mayPass(ctx.session)) return next()
      return refuse(ctx, message ?? 'Not authorized: sign in first.')
    },
  }
}
