export type { Key } from '../calls/seal.js'
export type { TestClock } from './cases/store-case.js'
export type { Clock } from './expiring-map.js'
export type { JsonValue } from './json.js'
export { type MemoryStoreOptions, memoryStore } from './memory-store.js'
export { sealedStore } from './sealed-store.js'
export type {
  AppendOptions,
  Entry,
  Expiry,
  Listener,
  LogEntry,
  ReadOptions,
  Store,
  Unsubscribe,
  Version,
} from './store.js'
export { type StoreSetup, type TestContext, type TestFunction, type TestStoreOptions, testStore } from './test-store.js'
