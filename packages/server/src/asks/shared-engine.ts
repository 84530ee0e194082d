// The official SDK has a server built anew for every request over HTTP, and `asks(...)` with it: what has to outlive a
// request is kept here, once for the process, and found by the options that make a difference.

import { digest } from '../crypto/digest.js'
import { type Key, randomKey } from '../crypto/seal.js'
import { BoundedMap } from '../runtime/bounded-map.js'
import { createEngine, type Engine, type EngineOptions } from '../server/engine.js'
import { memoryStore } from '../store/memory-store.js'
import type { Store } from '../store/store.js'

/** Keys are few in a process. Whoever makes one up for each request loses the oldest of its calls. */
const maxEngines = 64

const enginesByStore = new WeakMap<Store, BoundedMap<string, Engine>>()
let ownStore: Store | undefined
let ownKey: Key | undefined

/** The engine of every `asks` with these options. */
export function sharedEngine({
  keys,
  store = sharedStore(),
  replay = 'when-needed',
}: Pick<EngineOptions, 'keys' | 'store' | 'replay'>): Engine {
  ownKey ??= randomKey()
  const ring = [keys ?? ownKey].flat()
  const engines =
    enginesByStore.get(store) ??
    new BoundedMap<string, Engine>({ max: maxEngines, onEvict: engine => void engine.close() })
  enginesByStore.set(store, engines)
  const id = digest([replay, ...ring.map(key => Buffer.from(key).toString('base64'))])
  const engine = engines.get(id) ?? createEngine({ keys: ring, store, replay }, '')
  engines.set(id, engine)
  return engine
}

/** The store of every `asks` that was given none. */
export function sharedStore(): Store {
  ownStore ??= memoryStore()
  return ownStore
}
