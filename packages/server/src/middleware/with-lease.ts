// One process at a time does something. One that dies in the middle keeps the others waiting for what is left of its lease
// and no longer: whoever then comes first takes its place, by the version that the dead one wrote. So it does not
// matter whether the store has noticed, nor how far its clock, or that of the dead process, is off.
import { AskExpiredError } from '@beckon/core'
import type { CallInternals, People } from '../author/call-internals.js'
import type { Version } from '../store/index.js'

interface LeaseOptions {
  readonly where: People & Pick<CallInternals, 'clock'>
  readonly key: string
  /** Longer than what is done takes. */
  readonly leaseMs: number
}

/** Does something while no other process does, in the order in which they come to it. */
export async function withLease<T>(options: LeaseOptions, run: () => Promise<T>): Promise<T> {
  const { where, key } = options
  const mine = await take(options)
  try {
    return await run()
  } finally {
    // Only while it is ours: it may have lapsed.
    await where.store.compareAndSet(key, mine, 0, { expiresAt: 0 })
    await where.waits.tell(key).catch(() => {})
  }
}

async function take({ where, key, leaseMs }: LeaseOptions): Promise<Version> {
  const { store, clock } = where
  let holder: { readonly version: Version; readonly until: number } | undefined
  for (;;) {
    const held = await store.get(key)
    const longest = clock.now() + leaseMs
    if (held === undefined) holder = undefined
    else if (held.version !== holder?.version)
      holder = { version: held.version, until: Math.min(Number(held.value), longest) }
    if (holder !== undefined && clock.now() < holder.until) {
      await untilFree({ where, key, until: holder.until })
      continue
    }
    const mine = await store.compareAndSet(key, holder?.version, longest, { expiresAt: longest })
    if (mine !== undefined) return mine
  }
}

async function untilFree({ where, key, until }: Omit<LeaseOptions, 'leaseMs'> & { until: number }): Promise<void> {
  const look = async () => ((await where.store.get(key)) === undefined ? true : undefined)
  const free = where.waits.wait({ key, look, expiresAt: until })
  free.watch()
  await free.settled.catch(error => {
    if (!(error instanceof AskExpiredError)) throw error
  })
}
