import type { Store, Unsubscribe } from './store.js'

/**
 * A handle on a store that someone else closes: closing it ends what was subscribed through it, and the store goes on.
 * The one who makes a store closes it; everyone who is given it works with such a handle.
 */
export function borrowedStore(store: Store): Store {
  const subscriptions = new Set<Unsubscribe>()
  let isClosed = false
  const whileOpen =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      isClosed
        ? Promise.reject(new Error('This store was given back. Use it before its borrower is closed.'))
        : method(...args)
  return {
    shared: store.shared,
    get: whileOpen((...args) => store.get(...args)),
    set: whileOpen((...args) => store.set(...args)),
    delete: whileOpen((...args) => store.delete(...args)),
    compareAndSet: whileOpen((...args) => store.compareAndSet(...args)),
    append: whileOpen((...args) => store.append(...args)),
    read: whileOpen((...args) => store.read(...args)),
    trim: whileOpen((...args) => store.trim(...args)),
    erase: whileOpen((...args) => store.erase(...args)),
    put: whileOpen((...args) => store.put(...args)),
    remove: whileOpen((...args) => store.remove(...args)),
    range: whileOpen((...args) => store.range(...args)),
    count: whileOpen((...args) => store.count(...args)),
    publish: whileOpen((...args) => store.publish(...args)),
    subscribe: whileOpen(async (topic, listener) => {
      const end = await store.subscribe(topic, message => {
        if (!isClosed) listener(message)
      })
      const unsubscribe = async () => {
        subscriptions.delete(unsubscribe)
        await end()
      }
      subscriptions.add(unsubscribe)
      if (isClosed) await unsubscribe()
      return unsubscribe
    }),
    async close() {
      isClosed = true
      await Promise.allSettled(Array.from(subscriptions, unsubscribe => unsubscribe()))
    },
  }
}
