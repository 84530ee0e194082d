import { AskExpiredError } from '@beckon/core'
import type { CallInternals, People } from '../author/call-internals.js'
import { Lease } from '../store/handles/index.js'

interface WithLeaseOptions {
  readonly where: People & Pick<CallInternals, 'clock'>
  readonly key: string
  /** Longer than what is done takes: for so long one that died in the middle keeps the others waiting. */
  readonly leaseMs: number
}

/** Does something while no other process does. */
export async function withLease<T>({ where, key, leaseMs }: WithLeaseOptions, run: () => Promise<T>): Promise<T> {
  const { store, clock, waits } = where
  const lease = new Lease({ store, key, clock, lengthMs: leaseMs, isFixed: true })
  while ((await lease.take()) === undefined) await untilFree(where, key, lease.heldUntil)
  try {
    return await run()
  } finally {
    await lease.release()
    await waits.tell(key).catch(() => {})
  }
}

async function untilFree(where: WithLeaseOptions['where'], key: string, until: number | undefined): Promise<void> {
  // Another was quicker just now: until when it has it shows with the next look.
  if (until === undefined) return
  const look = async () => ((await where.store.get(key)) === undefined ? true : undefined)
  const free = where.waits.wait({ key, look, expiresAt: until })
  free.watch()
  await free.settled.catch(error => {
    if (!(error instanceof AskExpiredError)) throw error
  })
}
