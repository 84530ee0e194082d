export type { PostgresClient, PostgresPool, PostgresQuery } from './pool.js'
export { type PostgresStoreOptions, postgresStore } from './postgres-store.js'
