import type { Context } from '../../author/context.js'
import type { Next } from '../../author/middleware.js'
import { ToolResult } from '../../author/results.js'
import type { Receipt } from './checkout.js'

/** Where a result has the receipt. */
const receiptMeta = 'beckon/receipt'

/** Goes on, and puts the receipt into the result. A call that fails after it was paid for is told of, once. */
export async function withReceipt(
  ctx: Context,
  receipt: Receipt,
  next: Next,
  onFailure: ((receipt: Receipt, ctx: Context) => void | Promise<void>) | undefined,
): Promise<unknown> {
  const failed = async () => {
    if (onFailure !== undefined) await ctx.step('payment failure', () => onFailure(receipt, ctx))
  }
  const result = await next().catch(async (error: unknown) => {
    await failed()
    throw error
  })
  const { _meta, ...rest } = asResult(result)
  if (rest.isError === true) await failed()
  return { ...rest, _meta: { ..._meta, [receiptMeta]: receipt } }
}

/** What a handler returned, as an object that can carry something along. */
function asResult(result: unknown): { _meta?: object; isError?: unknown; [key: string]: unknown } {
  if (typeof result === 'object' && result !== null) return { ...result }
  return { ...(typeof result === 'string' ? new ToolResult().text(result) : new ToolResult()) }
}
