import type { Caller } from './caller.js'
import type { Context, NoVars, Subject } from './context.js'

/** Lets the call go on, once, and resolves to what the rest of it returned. */
export type Next = () => Promise<unknown>

/**
 * Stands before a handler: it may answer by itself, or let the call go on with `next()`, once. `Vars` is what it adds to
 * `ctx.var`. As a method, so that one that adds something can stand wherever a middleware can.
 */
export type MiddlewareFunction<Vars extends object = NoVars> = {
  call(ctx: Context<Vars>, next: Next): unknown
}['call']

/** What is registered with a middleware before it. */
export type Registered = Pick<Subject, 'kind' | 'name'>

/** A middleware that takes part in more than calls. */
export interface MiddlewareHooks<Vars extends object = NoVars> {
  /** What `session.authorize` lists, where `onRegister` hides; and what errors call it. */
  readonly name: string
  /**
   * Scopes that a token has to have for what it is put before. Asked for over HTTP before the call begins, so that a client can
   * get them; `onCall` checks them too, for where no client can be asked.
   */
  readonly scopes?: readonly string[]
  /** Called once for everything that it is put before. False hides that until `session.authorize(name)`. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that returns nothing has that type
  onRegister?(subject: Registered): boolean | void
  /** Whether a caller is shown what it is put before. What may be called is for `onCall` to say. */
  listed?(caller: Caller, subject: Registered): boolean | Promise<boolean>
  /** As a middleware that is a function. */
  onCall?: MiddlewareFunction<Vars>
  /**
   * Stands around the handler itself, inside of every middleware's `onCall`, wherever it was registered: so a handler
   * that is run again, or not at all, has no gate passed twice and none skipped.
   */
  onHandle?(ctx: Context<Vars>, handle: Next): unknown
  /** Gets what the rest of the call returned, and gives what `next()` resolves to. */
  onResult?(result: unknown, ctx: Context<Vars>): unknown
}

/**
 * What stands before a handler: a function, or hooks. `Vars` is what it adds to `ctx.var`.
 * @example
 * const signedIn: Middleware<{ user: User }> = async (ctx, next) => {
 *   ctx.set('user', await userOf(ctx.principal))
 *   return next()
 * }
 * server.tool('orders', { use: [signedIn] }, (_input, ctx) => ordersOf(ctx.var.user))
 */
export type Middleware<Vars extends object = NoVars> = MiddlewareFunction<Vars> | MiddlewareHooks<Vars>

/** What a list of middleware adds to `ctx.var`, beside what is there. */
export type VarsOf<List extends readonly Middleware[], Vars extends object = NoVars> = List extends readonly [
  infer First,
  ...infer Rest extends readonly Middleware[],
]
  ? VarsOf<Rest, Merged<Vars & VarsIn<First>>>
  : Vars

/** What one middleware adds. */
type VarsIn<One> = One extends (ctx: Context<infer Vars>, next: Next) => unknown
  ? Vars
  : One extends MiddlewareHooks<infer Vars>
    ? Vars
    : NoVars

type Merged<T> = { [Name in keyof T]: T[Name] }

/** The scopes that middleware ask for. */
export function scopesIn(middleware: readonly Middleware[]): string[] {
  return middleware.flatMap(one => (typeof one === 'function' ? [] : (one.scopes ?? [])))
}

/** Runs middleware one around the other, and the handler in the middle. */
export function compose(middleware: readonly Middleware[], ctx: Context, handler: Next): Promise<unknown> {
  if (middleware.length === 0) return handler()
  return passAll(middleware, ctx, () => handleWith(middleware, ctx, handler))
}

/** Runs the `onCall` of each, one around the other. */
async function passAll(middleware: readonly Middleware[], ctx: Context, inner: Next, index = 0): Promise<unknown> {
  const current = middleware[index]
  if (current === undefined) return inner()
  let isSpent = false
  return callWith(current, ctx, () => {
    if (isSpent) throw new Error(`${current.name || 'A middleware'} called next() twice.`)
    isSpent = true
    return passAll(middleware, ctx, inner, index + 1)
  })
}

/** Runs the `onHandle` of each, one around the other. */
export async function handleWith(
  middleware: readonly Middleware[],
  ctx: Context,
  handler: Next,
  index = 0,
): Promise<unknown> {
  const current = middleware[index]
  if (current === undefined) return handler()
  const inner = () => handleWith(middleware, ctx, handler, index + 1)
  return typeof current === 'function' || current.onHandle === undefined ? inner() : current.onHandle(ctx, inner)
}

/** Runs one middleware around the rest of a call. */
export function callWith(middleware: Middleware, ctx: Context, next: Next): unknown {
  if (typeof middleware === 'function') return middleware(ctx, next)
  const rest = middleware.onResult === undefined ? next : async () => middleware.onResult?.(await next(), ctx)
  return middleware.onCall === undefined ? rest() : middleware.onCall(ctx, rest)
}
