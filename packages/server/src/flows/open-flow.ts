import { AskExpiredError } from '@beckon/core'
import { callParts } from '../author/call-internals.js'
import type { Context } from '../author/context.js'
import type { Flow, OpenFlow } from './flow.js'
import { waitKey } from './flow-end.js'
import { type FlowRecord, isOpen, statusAt } from './flow-records.js'
import { type Flows, flowsIn } from './flows.js'

/** As long as a grant may take to be kept. */
const settleMs = 30_000

/** A record as pages and routes see it. */
export function openFlow<Data, Result>(
  flows: Flows,
  id: string,
  record: FlowRecord<Data, Result>,
): OpenFlow<Data, Result> {
  const { records, clock, waits } = flows
  const now = () => clock.now()
  const settle = async (end: Pick<FlowRecord, 'status' | 'result' | 'reason'>) => {
    await records.change(id, known => ({ ...known, ...end }))
    await waits.tell(waitKey(id))
  }
  return {
    id,
    elicitationId: record.elicitationId,
    status: statusAt(record, now()),
    isExpired: now() >= record.expiresAt,
    expiresAt: record.expiresAt,
    message: record.message,
    data: record.data,
    principal: record.principal ?? undefined,
    sessionId: record.sessionId,
    session: flows.session(record.sessionId),
    store: flows.store,
    people: flows.people,
    now,

    async once(what) {
      const changed = await records.change(id, known =>
        known.did.includes(what) ? undefined : { ...known, did: [...known.did, what] },
      )
      return changed !== undefined
    },

    async complete(result, grant) {
      const isMine = await records.change(id, known =>
        isOpen(known, now()) ? { ...known, status: 'settling', settlesUntil: now() + settleMs } : undefined,
      )
      if (isMine === undefined) return false
      try {
        await grant?.()
        await flows.written()
      } catch (error) {
        await records.change(id, known => (known.status === 'settling' ? { ...known, status: 'opened' } : undefined))
        throw error
      }
      await settle({ status: 'done', result })
      flows.onDone(record.elicitationId)
      return true
    },

    async fail(reason) {
      const isMine = await records.change(id, known =>
        isOpen(known, now()) ? { ...known, status: 'failed', reason } : undefined,
      )
      if (isMine !== undefined) await waits.tell(waitKey(id))
      return isMine !== undefined
    },

    async ended(withinMs) {
      const look = async () => isOver(await records.find(id)) || undefined
      const end = waits.wait({ key: waitKey(id), look, expiresAt: now() + withinMs })
      end.watch()
      await end.settled.catch(error => {
        if (!(error instanceof AskExpiredError)) throw error
      })
    },
  }
}

function isOver(record: FlowRecord | undefined): boolean {
  return record === undefined || record.status === 'done' || record.status === 'failed'
}

/** Ends a flow of whichever call as done: what it was for came about in another way, and its link is dead from here on. */
export async function endFlow<Data>(ctx: Context, flow: Flow<Data, null>, flowId: string): Promise<void> {
  const flows = flowsIn(callParts(ctx).settings)
  const record = await flows?.records.findOf(flow, flowId)
  if (flows !== undefined && record !== undefined) await openFlow(flows, flowId, record).complete(null)
}
