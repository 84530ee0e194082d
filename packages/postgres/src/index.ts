export type { PostgresClient, PostgresPool, PostgresQuery } from './connection/pool.js'
export { type PostgresStoreOptions, postgresStore } from './postgres-store.js'
