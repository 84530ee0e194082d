import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { memoryStore } from 'beckon'
import type { Store } from 'beckon/store'

/** Where a command keeps its state when nothing else is said: with the person's other data, in a file of its own. */
export function defaultStore(name: string): string {
  const { XDG_DATA_HOME, LOCALAPPDATA } = process.env
  const data = XDG_DATA_HOME || LOCALAPPDATA || join(homedir(), '.local', 'share')
  return join(data, 'beckon', `${name}.db`)
}

/** What a store is to wait for before it acknowledges a write. */
export interface StoreWishes {
  readonly requireSync?: boolean | undefined
  readonly replicas?: number | undefined
}

/**
 * A store from one word: `memory`, an address of Postgres or Redis, or else the path of a SQLite file. Each store is
 * loaded when it is wanted, since none of them needs what the others do.
 */
export async function openStore(where: string, { requireSync, replicas }: StoreWishes = {}): Promise<Store> {
  if (where === 'memory') return memoryStore()
  if (/^postgres(?:ql)?:\/\//.test(where))
    return (await import('@beckon/postgres')).postgresStore({ url: where, requireSync })
  if (/^rediss?(?:\+\w+)?:\/\//.test(where)) return (await import('@beckon/redis')).redisStore({ url: where, replicas })
  const path = where.replace(/^sqlite:(?:\/\/)?/, '')
  await mkdir(dirname(path), { recursive: true })
  return (await import('@beckon/sqlite')).sqliteStore(path)
}
