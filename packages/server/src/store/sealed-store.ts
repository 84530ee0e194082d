import { createSeal, type Key } from '../calls/seal.js'
import type { JsonValue } from './json.js'
import type { Store } from './store.js'

/**
 * A store in which every value is encrypted and authenticated: whoever reads it elsewhere sees names, times and sizes.
 * The first key seals, all of them open, so that a key can be changed.
 */
export function sealedStore(store: Store, keys: Key | readonly Key[]): Store {
  // A list of keys is an array; a key is a text or bytes.
  const ring = Array.isArray(keys) ? (keys as readonly Key[]) : [keys as Key]
  const { seal, open } = createSeal(ring, 'store')
  // Only this ring can have sealed it, from JSON.
  const read = (value: JsonValue) => open(String(value)) as JsonValue
  const write = (value: JsonValue): string => {
    if (JSON.stringify(value) === undefined) throw new TypeError('A value has to be JSON.')
    return seal(value)
  }
  return {
    shared: store.shared,
    async get(key) {
      const entry = await store.get(key)
      return entry && { ...entry, value: read(entry.value) }
    },
    set: async (key, value, options) => store.set(key, write(value), options),
    delete: key => store.delete(key),
    compareAndSet: async (key, version, value, options) => store.compareAndSet(key, version, write(value), options),
    append: async (log, entries, options) => store.append(log, entries.map(write), options),
    read: async (log, options) =>
      (await store.read(log, options)).map(entry => ({ ...entry, value: read(entry.value) })),
    erase: log => store.erase(log),
    publish: (topic, message) => store.publish(topic, message),
    subscribe: (topic, listener) => store.subscribe(topic, listener),
    close: () => store.close(),
  }
}
