import type { OpenFlow } from './flow.js'
import { waitKey } from './flow-end.js'
import { type FlowRecord, isOpen } from './flow-records.js'
import type { Flows } from './flows.js'

/** A record as pages and routes see it. */
export function openFlow(flows: Flows, id: string, record: FlowRecord): OpenFlow {
  const { records, clock, waits } = flows
  const now = () => clock.now()
  const settle = async (end: Pick<FlowRecord, 'status' | 'result' | 'reason'>) => {
    await records.change(id, known => ({ ...known, ...end }))
    await waits.tell(waitKey(id))
  }
  return {
    id,
    elicitationId: record.elicitationId,
    status: record.status,
    isExpired: now() >= record.expiresAt,
    message: record.message,
    data: record.data,
    principal: record.principal ?? undefined,
    sessionId: record.sessionId,
    session: flows.session(record.sessionId),
    store: flows.store,
    now,

    async once(what) {
      const changed = await records.change(id, known =>
        known.did.includes(what) ? undefined : { ...known, did: [...known.did, what] },
      )
      return changed !== undefined
    },

    async complete(result = null, grant) {
      const isMine = await records.change(id, known =>
        isOpen(known, now()) ? { ...known, status: 'settling' } : undefined,
      )
      if (isMine === undefined) return false
      try {
        await grant?.()
        await flows.written()
      } catch (error) {
        await records.change(id, known => ({ ...known, status: 'opened' }))
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
  }
}
