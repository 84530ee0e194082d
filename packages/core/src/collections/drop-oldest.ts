/** Keeps a collection within a bound, where each addition may put it one above: what was added first goes first. */
export function dropOldest<K>(entries: Map<K, unknown> | Set<K>, max: number): void {
  if (entries.size <= max) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    return
  }
}
