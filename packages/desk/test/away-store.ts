import { type Store, StoreUnavailableError } from 'beckon/store'

/** One node's handle of a store that others share. */
export interface AwayStore extends Store {
  /** Every method rejects, and no message comes through. */
  isAway: boolean
  /** What is written is written, and its answer is lost. */
  isDeaf: boolean
}

export function awayStore(shared: Store): AwayStore {
  const unavailable = () => new StoreUnavailableError('The store', undefined)
  const through = <A extends unknown[], R>(method: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (handle.isAway) throw unavailable()
      const result = await method(...args)
      if (handle.isDeaf) throw unavailable()
      return result
    }
  }
  const handle: AwayStore = {
    shared: true,
    isAway: false,
    isDeaf: false,
    get: through(shared.get),
    set: through(shared.set),
    delete: through(shared.delete),
    compareAndSet: through(shared.compareAndSet),
    append: through(shared.append),
    read: through(shared.read),
    trim: through(shared.trim),
    erase: through(shared.erase),
    put: through(shared.put),
    remove: through(shared.remove),
    range: through(shared.range),
    count: through(shared.count),
    publish: through(shared.publish),
    subscribe: through((topic, listener) =>
      shared.subscribe(topic, message => {
        if (!handle.isAway && !handle.isDeaf) listener(message)
      }),
    ),
    close: async () => {},
  }
  return handle
}
