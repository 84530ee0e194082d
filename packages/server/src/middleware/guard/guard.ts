import type { VerifiedToken } from '../../auth/verified-token.js'
import { callParts } from '../../author/call-internals.js'
import type { Middleware, MiddlewareHooks } from '../../author/middleware.js'
import { refuse } from '../../author/refuse.js'
import type { Session } from '../../author/session.js'
import { RequestError } from '../../protocol/request-error.js'
import type { JsonValue } from '../../store/index.js'
import { authorize } from '../authorization.js'

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

export interface ScopeGuardOptions {
  /** What the token of the call's request has to allow, beyond what `createServer({ auth })` asks of every request. */
  scopes: readonly string[]
  /** What the model is told where a client cannot be sent to get more. */
  message?: string
}

/** What the handler finds in `ctx.var` behind `guard({ scopes })`. */
export interface TokenVars {
  /** The token that let the call pass. */
  token: VerifiedToken
}

/**
 * Lets a call pass whose token has scopes; a client that asks over HTTP with fewer is sent to get them. Without `scopes`, lets
 * a call pass once its caller's session has been authorized, or has a value.
 * @example
 * server.tool('refund', { use: [guard({ scopes: ['orders:refund'] })] }, (_input, ctx) => refund(ctx.var.token.subject))
 * @example
 * server.tool('login', credentials({ ... }), {}, async (_input, ctx) => {
 *   await ctx.session.authorize('guard')
 *   return 'Signed in.'
 * })
 * server.tool('orders', guard({ hidden: true }), {}, listOrders)
 */
export function guard(options: ScopeGuardOptions): MiddlewareHooks<TokenVars>
export function guard(options?: GuardOptions): Middleware
export function guard(options: GuardOptions | ScopeGuardOptions = {}): Middleware {
  return 'scopes' in options ? scopeGuard(options) : sessionGuard(options)
}

function sessionGuard({ key = 'user', name = 'guard', hidden = false, message }: GuardOptions): Middleware {
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

function scopeGuard({ scopes, message }: ScopeGuardOptions): MiddlewareHooks<TokenVars> {
  return {
    name: 'guard',
    scopes,
    async onCall(ctx, next) {
      const { checkToken } = callParts(ctx)
      const found = await authorize(ctx, `guard ${scopes.join(' ')}`, async token => {
        const verdict = await checkToken?.(token).catch(() => {
          throw new RequestError(-32603, 'Whether the token is good cannot be checked now. Try again in a moment.')
        })
        const isEnough = verdict?.kind === 'valid' && scopes.every(scope => verdict.token.scopes.includes(scope))
        // What a token says was parsed from JSON.
        return isEnough ? (verdict.token as object as JsonValue) : undefined
      })
      if (found === undefined) return refuse(ctx, message ?? `Not authorized: this needs ${scopes.join(' and ')}.`)
      ctx.set('token', found as object as VerifiedToken)
      return next()
    },
  }
}
