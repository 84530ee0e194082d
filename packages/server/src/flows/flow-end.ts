import type { Context } from '../author/context.js'
import { refuse } from '../author/refuse.js'
import { digest } from '../crypto/digest.js'

/** How a flow ended, for the middleware that began it. Null where something other than its page ended it. */
export type FlowEnd<Result = unknown> = { kind: 'done'; result: Result | null } | UnfinishedEnd

export type UnfinishedEnd =
  | { kind: 'failed'; reason: string }
  | { kind: 'declined'; reason?: string }
  | { kind: 'cancelled' }
  | { kind: 'expired' }
  /** The client cannot open pages: the model shows the link, and calling again goes on. */
  | { kind: 'linked'; url: string; message: string }

/** What a model reads when a flow did not end well: a tool's result, and an error for a prompt or a resource. */
export function explainEnd(ctx: Context, end: UnfinishedEnd): unknown {
  return refuse(ctx, wordsFor(end, ctx.subject.name))
}

/** Names what is waited for, between processes. The id opens a page: anyone who hears the name does not learn it. */
export function waitKey(flowId: string): string {
  return `flow/${digest(flowId)}`
}

function wordsFor(end: UnfinishedEnd, name: string): string {
  switch (end.kind) {
    case 'failed':
      return `${end.reason} Nothing was done.`
    case 'declined':
      return `The person declined. Nothing was done.${end.reason === undefined ? '' : ` They said: ${JSON.stringify(end.reason)}`}`
    case 'cancelled':
      return 'The person turned away without an answer. Nothing was done.'
    case 'expired':
      return 'The person did not finish in time. Nothing was done. Call again to send them a new link.'
    case 'linked':
      return (
        `A person has to open a page before this can go on. Show them this: ${JSON.stringify(end.message)} ${end.url} ` +
        `When they say that they are done, call "${name}" again with the same arguments: it goes on from there.`
      )
  }
}
