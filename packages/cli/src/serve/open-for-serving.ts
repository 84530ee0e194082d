import { resolve } from 'node:path'
import { checkKeys, type Store, StoreUnavailableError } from 'beckon/store'
import { CliError } from '../cli-error.js'
import { configError, type ReadConfig } from '../config/read-config.js'
import { exitCodes } from '../exit-codes.js'
import { openStore } from '../store/open-store.js'
import { withoutPasswords } from './logger.js'

/**
 * The store of a configuration, as `reachedStore`, with keys that this node can open: from here on, whatever the store seals goes
 * by the configuration's key.
 * @throws CliError that says what is wrong with it, or with the key
 */
export async function openForServing(read: ReadConfig): Promise<Store> {
  const { key } = read.config
  if (key !== undefined) process.env.BECKON_KEY = key
  const store = await reachedStore(read)
  try {
    await checkKeys(store)
    return store
  } catch (error) {
    await store.close().catch(() => {})
    throw error instanceof StoreUnavailableError
      ? problemWith(placeOf(read), error)
      : configError(`"key" (BECKON_KEY): ${reasonOf(error)}`)
  }
}

/**
 * The store of a configuration, reached, and brought to this version: a node that cannot keep anything does not begin.
 * @throws CliError that says what is wrong with it: away, an address that cannot work, or of a later version
 */
export async function reachedStore(read: ReadConfig): Promise<Store> {
  const { requireSync, replicas } = read.config
  const where = placeOf(read)
  const opened = await made(() => openStore(where, { requireSync, replicas }), where)
  try {
    await reach(opened)
    return opened
  } catch (error) {
    await opened.close().catch(() => {})
    throw problemWith(where, error)
  }
}

function placeOf({ config: { store }, folder }: ReadConfig): string {
  return /^memory$|^(?!sqlite)[\w+]+:/.test(store) ? store : resolve(folder, store.replace(/^sqlite:(?:\/\/)?/, ''))
}

/** Asks a store for something, which it answers once it is reached and its tables are as they should be. */
export async function reach(store: Store): Promise<void> {
  await store.get('desk/reached')
}

async function made(make: () => Promise<Store>, where: string): Promise<Store> {
  try {
    return await make()
  } catch (error) {
    throw configError(`"store": ${withoutPasswords(where)} cannot be used. ${reasonOf(error)}`)
  }
}

function problemWith(where: string, error: unknown): CliError {
  const place = withoutPasswords(where)
  if (!(error instanceof StoreUnavailableError))
    return configError(`"store": ${place} cannot be used. ${reasonOf(error)}`)
  return new CliError(
    `"store": ${place} does not answer (${reasonOf(error.cause)}). Start it, or correct the address, and start again.`,
    exitCodes.cannotConnect,
  )
}

function reasonOf(error: unknown): string {
  // Several addresses of one host that all failed have no message of their own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ')
  return withoutPasswords(error instanceof Error ? error.message : String(error))
}
