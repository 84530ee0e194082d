import { memoryStore, type Store } from '../src/store/index.js'

/** A store of this process that says which keys it holds. */
export function countedStore(clock?: { now(): number }): Store & { readonly keys: ReadonlySet<string> } {
  const store = memoryStore({ clock })
  const keys = new Set<string>()
  return {
    ...store,
    keys,
    set(key, value, options) {
      keys.add(key)
      return store.set(key, value, options)
    },
    compareAndSet(key, version, value, options) {
      keys.add(key)
      return store.compareAndSet(key, version, value, options)
    },
    delete(key) {
      keys.delete(key)
      return store.delete(key)
    },
  }
}
