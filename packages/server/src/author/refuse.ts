import { UnauthorizedError } from '@beckon/core'
import type { Context } from './context.js'

/** Answers for a gate that does not open: a result that the model can read; for prompts and resources, an error. */
export function refuse(ctx: Context, message: string): unknown {
  if (ctx.subject.kind === 'tool') return ctx.error(message)
  throw new UnauthorizedError(message)
}
