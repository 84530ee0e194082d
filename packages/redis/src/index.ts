export { type RedisStoreOptions, type RedisStoreTarget, redisStore } from './redis-store.js'
