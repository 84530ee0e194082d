export type { Key } from '../crypto/seal.js'
export type { Clock } from './expiring-map.js'
export type { JsonValue } from './json.js'
export { checkKeys } from './key-ring.js'
export { type MemoryStoreOptions, memoryStore } from './memory-store.js'
export { type Resealed, type ResealOptions, resealStore } from './reseal.js'
export { type SealedStore, sealedStore } from './sealed-store.js'
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
  SetPut,
  SetRemoval,
  Store,
  Unsubscribe,
  Version,
} from './store.js'
export { StoreUnavailableError } from './store-unavailable.js'
