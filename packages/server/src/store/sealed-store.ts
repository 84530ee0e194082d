// The threat: someone who reads the database, or who changes, swaps or restores values in it. A value is bound to the name
// of its key or log, so one that was moved elsewhere is refused. Not defended: an older value of the same name put back.
// Names, times, sizes and order are in clear. So are the members and scores of sets, which the store has to sort: anyone who
// reads them sees which ids are in a set and in what order, and anyone who writes can add, move and remove them. What must not be
// read or forged belongs into the value of a key that a member names.
import { StateRejectedError } from '@beckon/core'
import type { Key } from '../crypto/seal.js'
import { type Clock, systemClock } from '../runtime/clock.js'
import type { JsonValue } from './json.js'
import { type KeyRing, keyRingFor } from './key-ring.js'
import type { Store } from './store.js'

/** A sealed store, and its seal for what is not kept in it: what those tell each other who have its keys. */
export interface SealedStore extends Store {
  /** Seals a value for a place, as what is kept is for its name. Undefined while the keys are being read. */
  sealFor(place: string, value: JsonValue): string | undefined
  /** @throws for anything that was not sealed for this place, and while the keys are being read */
  openFrom(place: string, sealed: string): JsonValue
}

/**
 * A store in which every value is encrypted and authenticated: anyone who reads it elsewhere sees names, times and sizes,
 * and the members of sets in their order.
 * The first key seals, all of them open, so that a key can be changed. Without keys, they are kept in the store itself,
 * wrapped by `BECKON_KEY` where that is set.
 */
export function sealedStore(store: Store, keys?: Key | readonly Key[], clock: Clock = systemClock): SealedStore {
  return storeSealedBy(store, keyRingFor(store, keys, clock))
}

/** The same, with the keys of a ring. Closing it closes the ring, too. */
export function storeSealedBy(store: Store, ring: KeyRing): SealedStore {
  const { seal, open } = ring.seal('store')
  function read(name: string, value: JsonValue): JsonValue {
    // Only this ring can have sealed it, as such a pair.
    const [sealedAs, content] = open(typeof value === 'string' ? value : '') as [string, JsonValue]
    if (sealedAs !== name) throw new StateRejectedError('it was sealed for another place')
    return content
  }
  /** Seals values, and goes on: at once where there are keys, as they are now in any case. */
  function write<T>(name: string, values: readonly JsonValue[], then: (sealed: string[]) => Promise<T>): Promise<T> {
    const { opening } = ring
    try {
      if (!values.every(hasJson)) throw new TypeError('A value must be JSON.')
      if (opening !== undefined) return writeLater(opening, name, structuredClone(values), then)
      return then(values.map(value => seal([name, value])))
    } catch (error) {
      return Promise.reject(error)
    }
  }
  async function writeLater<T>(
    opening: Promise<void>,
    name: string,
    values: readonly JsonValue[],
    then: (sealed: string[]) => Promise<T>,
  ): Promise<T> {
    await opening
    return then(values.map(value => seal([name, value])))
  }
  /** After what was called before and waits for keys. */
  async function inOrder<T>(then: () => Promise<T>): Promise<T> {
    if (ring.opening !== undefined) await ring.opening
    return then()
  }
  return {
    shared: store.shared,
    get: key =>
      inOrder(async () => {
        const entry = await store.get(key)
        return entry && { ...entry, value: read(key, entry.value) }
      }),
    set: (key, value, options) => write(key, [value], ([sealed = '']) => store.set(key, sealed, options)),
    delete: key => inOrder(() => store.delete(key)),
    compareAndSet: (key, version, value, options) =>
      write(key, [value], ([sealed = '']) => store.compareAndSet(key, version, sealed, options)),
    append: (log, entries, options) => write(log, entries, sealed => store.append(log, sealed, options)),
    read: (log, options) =>
      inOrder(async () => (await store.read(log, options)).map(entry => ({ ...entry, value: read(log, entry.value) }))),
    trim: (log, upTo) => inOrder(() => store.trim(log, upTo)),
    erase: log => inOrder(() => store.erase(log)),
    put: (...args) => store.put(...args),
    remove: (...args) => store.remove(...args),
    range: (...args) => store.range(...args),
    count: (...args) => store.count(...args),
    publish: (topic, message) => store.publish(topic, message),
    subscribe: (topic, listener) => store.subscribe(topic, listener),
    // A place is not the name of anything that is kept.
    sealFor: (place, value) => (ring.opening === undefined ? seal([`${place} `, value]) : undefined),
    openFrom: (place, sealed) => read(`${place} `, sealed),
    close() {
      ring.close()
      return store.close()
    },
  }
}

/** Whether there is JSON for a value. Most are plain, and written once they are sealed: only what writes itself is tried before. */
function hasJson(value: JsonValue): boolean {
  const isPlain = typeof value === 'object' && value !== null && !('toJSON' in value)
  return isPlain || JSON.stringify(value) !== undefined
}
