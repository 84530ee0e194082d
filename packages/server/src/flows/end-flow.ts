import { callParts } from '../author/call-internals.js'
import type { Context } from '../author/context.js'
import { flowsIn } from './flows.js'
import { openFlow } from './open-flow.js'

/** Ends a flow of whichever call as done: what it was for came about in another way, and its link is dead from here on. */
export async function endFlow(ctx: Context, flowId: string): Promise<void> {
  const flows = flowsIn(callParts(ctx).settings)
  const record = await flows?.records.find(flowId)
  if (flows !== undefined && record !== undefined) await openFlow(flows, flowId, record).complete()
}
