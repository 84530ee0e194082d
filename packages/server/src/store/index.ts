export type { Key } from '../crypto/seal.js'
export type { TestClock } from './cases/store-case.js'
export { encodeJson } from './copy-json.js'
export type { Clock } from './expiring-map.js'
export type { JsonValue } from './json.js'
export { lentStore } from './lent-store.js'
export { type MemoryStoreOptions, memoryStore } from './memory-store.js'
export { afterOf, expiryOf, limitOf, upToOf } from './options.js'
export { sealedStore } from './sealed-store.js'
export {
  countLimitOf,
  memberOf,
  putConditionOf,
  removeConditionOf,
  type SetSpan,
  scoreOf,
  spanOf,
} from './set-options.js'
export type {
  AppendOptions,
  CountOptions,
  Entry,
  Expiry,
  Listener,
  LogEntry,
  PutOptions,
  RangeOptions,
  ReadOptions,
  RemoveOptions,
  SetMember,
  Store,
  Unsubscribe,
  Version,
} from './store.js'
export { StoreUnavailableError } from './store-unavailable.js'
export { type StoreSetup, type TestContext, type TestFunction, type TestStoreOptions, testStore } from './test-store.js'
export { createTopics, encodeMessage, type Topics } from './topics.js'
