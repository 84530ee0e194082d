// For those who write a store: what every adapter makes of its options, topics within a process, and the suite.
export { borrowedStore } from './borrowed-store.js'
export type { TestClock } from './cases/store-case.js'
export { encodeJson } from './copy-json.js'
export { afterOf, expiryOf, limitOf, upToOf } from './options.js'
export { type StoreScope, scopedStore } from './scoped-store.js'
export {
  type CheckedPut,
  countLimitOf,
  memberOf,
  putConditionOf,
  putsOf,
  removalsOf,
  removeConditionOf,
  type SetSpan,
  scoreOf,
  spanOf,
} from './set-options.js'
export { type StoreSetup, type TestContext, type TestFunction, type TestStoreOptions, testStore } from './test-store.js'
export { createTopics, encodeMessage, type Topics } from './topics.js'
