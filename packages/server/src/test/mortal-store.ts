import { type Listener, type Store, StoreUnavailableError } from '../store/index.js'

/** One process's handle of a store that several share. Once it is dead, nothing it does arrives, and it hears nothing. */
export interface MortalStore extends Store {
  die(): void
  /** Every method rejects, until `isAway` is false again. */
  isAway: boolean
}

export function mortalStore(shared: Store): MortalStore {
  let isDead = false
  const alive = <A extends unknown[], R>(method: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => {
      if (isDead) return new Promise(() => {})
      if (handle.isAway) return Promise.reject(new StoreUnavailableError('The store', undefined))
      return method(...args).then(result => (isDead ? new Promise<never>(() => {}) : result))
    }
  }
  const handle: MortalStore = {
    shared: true,
    isAway: false,
    die() {
      isDead = true
    },
    get: alive(shared.get),
    set: alive(shared.set),
    delete: alive(shared.delete),
    compareAndSet: alive(shared.compareAndSet),
    append: alive(shared.append),
    read: alive(shared.read),
    trim: alive(shared.trim),
    erase: alive(shared.erase),
    put: alive(shared.put),
    remove: alive(shared.remove),
    range: alive(shared.range),
    count: alive(shared.count),
    publish: alive(shared.publish),
    subscribe: alive((topic: string, listener: Listener) =>
      shared.subscribe(topic, message => {
        if (!isDead && !handle.isAway) listener(message)
      }),
    ),
    close: async () => {},
  }
  return handle
}
