import type { Store } from 'beckon/store'

/** A store whose hints reach nobody. */
export function quietStore(store: Store): Store {
  return { ...store, subscribe: async () => async () => {} }
}
