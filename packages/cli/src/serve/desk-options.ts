import { resolve } from 'node:path'
import { anyOf, bearerAccess, type DeskOptions, oidcAccess, type Person } from '@beckon/desk'
import { notify } from '@beckon/desk/notify'
import { email } from '@beckon/desk/notify/email'
import { push } from '@beckon/desk/notify/push'
import { passkeys } from 'beckon/passkeys'
import { receipts } from 'beckon/receipts'
import type { Store } from 'beckon/store'
import type { Config } from '../config/definition.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface Surroundings {
  readonly store: Store
  /** Where it is kept who is signed in: encrypted, where the store is shared. */
  readonly people: Store
  /** What relative paths are relative to. */
  readonly folder: string
  readonly onError: (error: unknown) => void
}

/** A desk as a configuration wants it. @throws for what only the desk can find wrong with it */
export function deskOptions(config: Config, { store, people, folder, onError }: Surroundings): DeskOptions {
  const { publicUrl, proxies, allowedHosts, allowedOrigins, groups, roles, servers, rules, webhooks, limits } = config
  return {
    store,
    publicUrl,
    proxies,
    allowedHosts,
    allowedOrigins,
    access: accessOf(config, people, onError),
    directory: groups,
    roles: withoutAbsent(roles),
    servers,
    rules: rules === undefined ? undefined : resolve(folder, rules),
    webhooks,
    limits,
    notify: notifyOf(config),
    history: { keepMs: (config.retention?.callsDays ?? 7) * dayMs },
    auditMs: config.retention?.auditDays === undefined ? undefined : config.retention.auditDays * dayMs,
    passkeys: config.passkeys ? passkeys() : undefined,
    receipts: config.receipts ? receipts() : undefined,
    onError,
  }
}

function accessOf({ oidc, programs = {}, publicUrl }: Config, store: Store, onError: (error: unknown) => void) {
  const { idleMinutes = 480, maxHours = 24, ...provider } = oidc
  const people = oidcAccess({
    ...withoutAbsent(provider),
    publicUrl,
    store,
    sessionIdleMs: idleMinutes * minuteMs,
    sessionMaxMs: maxHours * hourMs,
    onError,
  })
  const tokens = Object.entries(programs).map(([principal, { token, role, groups }]): [string, Person] => [
    token,
    { principal, ...(role && { role }), ...(groups && { groups }) },
  ])
  return tokens.length === 0 ? people : anyOf(people, bearerAccess({ tokens: Object.fromEntries(tokens) }))
}

function notifyOf({ push: { enabled, contact }, email: mail }: Config) {
  const channels = [...(enabled ? [push({ contact })] : []), ...(mail ? [email(mail)] : [])]
  return channels.length === 0 ? undefined : notify({ channels })
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The same without keys that have no value: what takes it tells the two apart. */
function withoutAbsent<T extends object | undefined>(value: T): Present<T> {
  if (value === undefined) return value as Present<T>
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Present<T>
}
