// Claims survive a restart of the gateway: in the server's store where there is one, else in a file beside the manifests.
// Threat: someone who can write to a shared store makes an application theirs, or puts another's claim in the place of one.
// What is there is sealed, and bound to its name. Not defended: an older state of all claims put back.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord } from '@beckon/core/json-rpc'
import type { Clock } from 'beckon'
import { type Key, type Store, sealedStore } from 'beckon/store'
import { borrowedStore } from 'beckon/store/adapter'
import { Cell } from 'beckon/store/handles'
import { isAlive } from '../discovery/is-alive.js'
import { type Claim, isClaim } from './claim.js'

/** Where claims are kept. */
export interface ClaimStorage {
  /** What is kept now. Rejects where nothing can be. */
  load(): Promise<Claim[]>
  /** Changes what is kept, even while others change it. */
  update(change: Change): Promise<void>
  /** Lets another process take over. */
  release(): Promise<void>
}

type Change = (claims: readonly Claim[]) => Claim[]

const key = 'gateway/claims'

export interface StoreStorageOptions {
  readonly keys: Key | readonly Key[] | undefined
  readonly clock: Clock
}

/** A store that several gateways share has the claims of all of them. */
export function storeStorage(given: Store, { keys, clock }: StoreStorageOptions): ClaimStorage {
  // What is in this process alone is as safe there as its key would be.
  const borrowed = borrowedStore(given)
  const store = given.shared ? sealedStore(borrowed, keys, clock) : borrowed
  const claims = new Cell<readonly Claim[]>(store, key)
  return {
    load: async () => readClaims(await claims.get()),
    update: change => claims.update(kept => ({ value: change(readClaims(kept)), result: undefined })),
    release: () => store.close(),
  }
}

/**
 * The file belongs to one process at a time: a second gateway on the same home keeps its claims in memory, so that the
 * two never take each other's.
 */
export function fileStorage(path: string): ClaimStorage {
  let isOurs = false
  const write = async (pid: number | undefined, claims: readonly Claim[]): Promise<void> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const next = `${path}.${process.pid}.tmp`
    await writeFile(next, JSON.stringify({ pid, claims }), { mode: 0o600 })
    await rename(next, path)
  }
  let kept: readonly Claim[] = []
  return {
    async load() {
      if (isOurs) return [...kept]
      const { pid, claims } = await readKept(path)
      if (typeof pid === 'number' && isAlive(pid)) throw new Error(`process ${pid} keeps its own in ${path}.`)
      isOurs = true
      kept = readClaims(claims)
      await write(process.pid, kept)
      return [...kept]
    },
    async update(change) {
      kept = change(kept)
      if (isOurs) await write(process.pid, kept)
    },
    async release() {
      if (isOurs) await write(undefined, kept)
      isOurs = false
    },
  }
}

async function readKept(path: string): Promise<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isRecord(kept) ? kept : {}
  } catch {
    return {}
  }
}

function readClaims(value: unknown): Claim[] {
  return Array.isArray(value) ? value.filter(isClaim) : []
}
