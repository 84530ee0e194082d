import type { DeskOptions } from './create-desk.js'
import { unknownName } from './options/unknown-name.js'

/** Every option of a desk, and no other: a record, so that the compiler misses none. */
const known: Record<keyof DeskOptions, true> = {
  store: true,
  keys: true,
  access: true,
  directory: true,
  roles: true,
  rules: true,
  clock: true,
  publicUrl: true,
  proxies: true,
  allowedHosts: true,
  allowedOrigins: true,
  servers: true,
  notify: true,
  webhooks: true,
  history: true,
  auditMs: true,
  limits: true,
  passkeys: true,
  receipts: true,
  onReminder: true,
  tryIt: true,
  onError: true,
}

/** @throws TypeError for options that a desk cannot begin with, or that nobody would read. Values stay out of the messages. */
export function checkOptions(options: DeskOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createDesk() takes an object, or nothing: createDesk({ store }).')
  const unknown = unknownName(options, Object.keys(known))
  if (unknown !== undefined) throw new TypeError(`In the options of createDesk(), ${unknown}`)
  const { store, access } = options
  // An address is no store yet, and may have a password in it.
  if (store !== undefined && typeof store?.get !== 'function')
    throw new TypeError(
      "The `store` of createDesk() must be a store: postgresStore('postgres://...') of @beckon/postgres, redisStore() of " +
        '@beckon/redis, sqliteStore() of @beckon/sqlite, or memoryStore() of beckon.',
    )
  if (access !== undefined && typeof access?.authenticate !== 'function')
    throw new TypeError(
      'The `access` of createDesk() must be bearerAccess({ tokens }), jwtAccess({ ... }), oidcAccess({ ... }) or anyOf(...) of ' +
        '@beckon/desk. Leave it out for one-time links on this machine.',
    )
}
