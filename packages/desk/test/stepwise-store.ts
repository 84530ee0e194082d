import type { Store } from 'beckon/store'

/** What may go wrong between two parts of an append. */
export interface StepwiseOptions {
  /** Runs once the puts of an append are there, and before its entries. */
  readonly beforeEntries?: (log: string, entries: readonly unknown[]) => Promise<unknown>
  /** The process dies when the entries are there: nothing is taken out of sets. */
  readonly diesAfterEntries?: boolean
}

/** A store that makes an append in parts, as one does whose sets are on several servers. */
export function stepwiseStore(store: Store, { beforeEntries, diesAfterEntries }: StepwiseOptions): Store {
  return {
    ...store,
    async append(log, entries, { puts = [], removals = [], ...options } = {}) {
      for (const { set, member, score, expiresAt } of puts) await store.put(set, member, score, { expiresAt })
      await beforeEntries?.(log, entries)
      const at = await store.append(log, entries, options)
      if (at !== undefined && !diesAfterEntries) for (const { set, member } of removals) await store.remove(set, member)
      return at
    },
  }
}
