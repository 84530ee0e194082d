import { checkKnown } from '../author/known-options.js'
import type { SessionLimits } from '../http/options.js'
import type { ServerOptions } from './beckon-server.js'
import { defaultLimits } from './limits.js'

/** Every option of a server, and no other: a record, so that the compiler misses none. */
const known: Record<keyof ServerOptions, true> = {
  name: true,
  version: true,
  instructions: true,
  identify: true,
  auth: true,
  signIn: true,
  publicUrl: true,
  store: true,
  keys: true,
  people: true,
  desk: true,
  wait: true,
  whenGone: true,
  fallback: true,
  person: true,
  replay: true,
  onDeploy: true,
  quirks: true,
  allowHttp: true,
  retainMs: true,
  limits: true,
  files: true,
  choicePages: true,
  widgets: true,
  passkeys: true,
  receipts: true,
  brand: true,
  onError: true,
  allowedHosts: true,
  allowedOrigins: true,
  maxBodyBytes: true,
  maxValues: true,
  maxSessions: true,
  sessionLimits: true,
  sessionIdleMs: true,
  keepAliveMs: true,
  clock: true,
}

const sessionLimits: Record<keyof SessionLimits, true> = {
  principalShare: true,
  maxRequests: true,
  maxAnonymousRequests: true,
  maxRequestsInAll: true,
  maxBytes: true,
  maxBytesInAll: true,
}

/** @throws TypeError for options that a server cannot begin with, or that nobody would read */
export function checkServerOptions(options: ServerOptions): void {
  for (const name of ['name', 'version'] as const)
    if (typeof options?.[name] !== 'string' || options[name] === '')
      throw new TypeError(
        `createServer() takes a \`${name}\`, which clients are told: createServer({ name: 'shop', version: '1.0.0' }).`,
      )
  checkKnown(options, known, 'createServer() has an option')
  checkKnown(options.limits ?? {}, defaultLimits, 'createServer() has a limit')
  checkKnown(options.sessionLimits ?? {}, sessionLimits, 'createServer() has a limit of sessions')
  checkStore(options.store)
}

/** An address is no store yet. What is there is not said again: it may have a password in it. */
function checkStore(store: ServerOptions['store']): void {
  if (store === undefined || typeof store?.get === 'function') return
  throw new TypeError(
    "The `store` of createServer() must be a store: postgresStore('postgres://...') of @beckon/postgres, redisStore() of " +
      '@beckon/redis, sqliteStore() of @beckon/sqlite, or memoryStore().',
  )
}
