// What is kept of a flow, in the store and nowhere else: any process can serve its pages, and any can go on with its call.
// It says who is asked for what: the engine's store seals it wherever it leaves this process. Every change is a
// compare-and-set.
import { digest } from '../crypto/digest.js'
import type { Clock } from '../runtime/clock.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import type { Flow, FlowStatus } from './flow.js'

export interface FlowRecord<Data = unknown, Result = unknown> {
  readonly flow: string
  readonly status: FlowStatus
  /** Until when the one that settles it has the time for that, in milliseconds. */
  readonly settlesUntil?: number
  readonly message: string
  /** Where it leads, unless it has a page of its own. */
  readonly target?: string
  readonly data: Data
  readonly elicitationId: string
  readonly sessionId: string
  /** Who it is for; null where it belongs to the first browser that goes on. */
  readonly principal: string | null
  /** The hash of the browser that went on. */
  readonly browser?: string
  /** What was done once. */
  readonly did: readonly string[]
  readonly expiresAt: number
  readonly result?: Result
  readonly reason?: string
}

export interface FlowRecords {
  find(id: string): Promise<FlowRecord | undefined>
  /** The same for a record of this flow, with its types; one of another is as good as none. */
  findOf<Data, Result>(flow: Flow<Data, Result>, id: string): Promise<FlowRecord<Data, Result> | undefined>
  /** Keeps a record unless there is one; resolves to the one that is kept. */
  begin(id: string, record: FlowRecord): Promise<FlowRecord>
  /** Replaces a record by what `next` makes of it; undefined leaves it, and is what comes back. */
  change(id: string, next: (record: FlowRecord) => FlowRecord | undefined): Promise<FlowRecord | undefined>
}

/** How long a record outlives its flow, so that a link that comes late gets a page that says so. */
const keepMs = 24 * 60 * 60 * 1000

/** The records of one server, in its store. */
export function flowRecords(store: Store, clock: Clock): FlowRecords {
  const cell = <Data, Result>(id: string) => new Cell<FlowRecord<Data, Result>>(store, `flow/${digest(id)}`)
  const expiryOf = (record: FlowRecord) => Math.max(record.expiresAt, clock.now()) + keepMs

  return {
    find: id => cell(id).get(),

    async findOf<Data, Result>(flow: Flow<Data, Result>, id: string) {
      const record = await cell<Data, Result>(id).get()
      return record?.flow === flow.name ? record : undefined
    },

    begin: (id, record) =>
      cell(id).update(known =>
        known === undefined ? { value: record, expiresAt: expiryOf(record), result: record } : { result: known },
      ),

    change: (id, next) =>
      cell(id).update(known => {
        const changed = known && next(known)
        return changed === undefined
          ? { result: undefined }
          : { value: changed, expiresAt: expiryOf(changed), result: changed }
      }),
  }
}

/** Whether a flow can still go on. */
export function isOpen(record: FlowRecord, now: number): boolean {
  const status = statusAt(record, now)
  return (status === 'pending' || status === 'opened') && now < record.expiresAt
}

/** How a flow stands. One whose process died while it settled goes on from where it was. */
export function statusAt({ status, settlesUntil = 0 }: FlowRecord, now: number): FlowStatus {
  return status === 'settling' && now >= settlesUntil ? 'opened' : status
}
