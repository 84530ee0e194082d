import type { Store } from '../store/index.js'
import type { Telemetry } from './telemetry.js'

/** A store whose every operation is measured, where someone takes the measurements. */
export function timedStore(store: Store, telemetry: Telemetry): Store {
  if (!telemetry.isMeasured) return store
  const timed =
    <A extends unknown[], R>(operation: string, method: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      const from = performance.now()
      const running = method(...args)
      running.then(
        () => telemetry.stored(operation, performance.now() - from, false),
        () => telemetry.stored(operation, performance.now() - from, true),
      )
      return running
    }
  return {
    shared: store.shared,
    get: timed('get', (...args) => store.get(...args)),
    set: timed('set', (...args) => store.set(...args)),
    delete: timed('delete', (...args) => store.delete(...args)),
    compareAndSet: timed('compareAndSet', (...args) => store.compareAndSet(...args)),
    append: timed('append', (...args) => store.append(...args)),
    read: timed('read', (...args) => store.read(...args)),
    trim: timed('trim', (...args) => store.trim(...args)),
    erase: timed('erase', (...args) => store.erase(...args)),
    put: timed('put', (...args) => store.put(...args)),
    remove: timed('remove', (...args) => store.remove(...args)),
    range: timed('range', (...args) => store.range(...args)),
    count: timed('count', (...args) => store.count(...args)),
    publish: timed('publish', (...args) => store.publish(...args)),
    subscribe: (topic, listener) => store.subscribe(topic, listener),
    close: () => store.close(),
  }
}
