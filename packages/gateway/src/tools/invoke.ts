// Runs an action for a call, from the invocation to its end.

import { randomUUID } from 'node:crypto'
import { CallCancelledError } from '@beckon/core'
import { errorCodes, isRecord, RpcError } from '@beckon/core/json-rpc'
import type { Clock, Context } from 'beckon'
import { Invocation } from '../invocations/invocation.js'
import { agentOf, capabilitiesOf } from '../sessions/agent.js'
import type { AppSession } from '../sessions/app-session.js'
import type { ActionOffer } from '../wire/offer.js'

export interface InvokeOptions {
  readonly session: AppSession
  readonly action: ActionOffer
  readonly input: unknown
  readonly ctx: Context
  readonly clock: Clock
  readonly hasDesk: boolean
  readonly depth: number
}

/** The action's output. Rejects with the application's own error, or with what kept it from answering. */
export async function invoke(options: InvokeOptions): Promise<unknown> {
  const { session, action, input, ctx, clock, hasDesk, depth } = options
  const { peer } = session
  const id = randomUUID()
  const asker = session.claim?.appName ?? session.offer.app.name
  const hostedPeer = session.isHosted ? peer : undefined
  const { timeoutMs } = action
  const invocation = new Invocation({ id, ctx, asker, hasDesk, clock, timeoutMs, depth, hostedPeer })
  const stop = (error: Error) => invocation.stop(error)
  const cancel = () => stop(new CallCancelledError('The call was cancelled.'))
  session.invocations.set(id, invocation)
  session.remind(agentOf(ctx), capabilitiesOf(ctx, hasDesk))
  const abandoned = new AbortController()
  const params = { name: action.name, input, invocationId: id, ...clientOf(ctx) }
  const answer = peer.request('actions/invoke', params, { signal: abandoned.signal })
  ctx.signal.addEventListener('abort', cancel, { once: true })
  if (ctx.signal.aborted) cancel()
  try {
    return readOutput(await invocation.until(answer))
  } finally {
    session.invocations.delete(id)
    ctx.signal.removeEventListener('abort', cancel)
    if (invocation.wasStopped) {
      abandoned.abort()
      peer.notify('actions/cancel', { invocationId: id })
    }
  }
}

function clientOf({ client }: Context): object {
  return client === undefined ? {} : { client }
}

function readOutput(result: unknown): unknown {
  if (!isRecord(result))
    throw new RpcError(errorCodes.internalError, 'The application answered with something that is not a result.')
  return result.output
}
