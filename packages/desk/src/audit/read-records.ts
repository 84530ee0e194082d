// Reads a log of which somebody may have spoilt entries. One that was not sealed by us makes a read of many fail: it is found by
// halves, and the others are read.
import { StateRejectedError } from '@beckon/core'
import type { JsonValue, Store } from 'beckon/store'

/** An entry of a log; without a value where nobody can read it. */
export interface ReadRecord {
  readonly seq: number
  readonly value?: JsonValue
}

export async function readRecords(
  store: Pick<Store, 'read'>,
  log: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ReadRecord[]> {
  if (limit === 0) return []
  try {
    return await store.read(log, { after, limit })
  } catch (error) {
    if (!(error instanceof StateRejectedError)) throw error
    if (limit === 1) return [{ seq: after + 1 }]
  }
  const half = Math.ceil(limit / 2)
  const first = await readRecords(store, log, { after, limit: half })
  const last = first.at(-1)
  if (last === undefined || first.length < half) return first
  return [
    ...first,
    ...(await readRecords(store, log, { after: Math.max(last.seq, after + half), limit: limit - half })),
  ]
}
