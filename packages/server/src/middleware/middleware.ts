import type { Context } from '../author/context.js'

/** Stands before a handler: it may answer by itself, or let the call go on with `next()`, once. */
export type Middleware = (ctx: Context, next: () => Promise<unknown>) => unknown

/** Runs middleware one around the other, and the handler in the middle. */
export function compose(
  middleware: readonly Middleware[],
  ctx: Context,
  handler: () => Promise<unknown>,
): Promise<unknown> {
  if (middleware.length === 0) return handler()
  async function run(index: number): Promise<unknown> {
    const current = middleware[index]
    if (current === undefined) return handler()
    let isSpent = false
    return current(ctx, () => {
      if (isSpent) throw new Error(`${current.name || 'A middleware'} called next() twice.`)
      isSpent = true
      return run(index + 1)
    })
  }
  return run(0)
}
