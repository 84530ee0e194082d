// The store itself, by the configuration that a desk is served with: before there is a desk to ask, or while none can start.
import { performance } from 'node:perf_hooks'
import { resealStore } from 'beckon/store'
import { readConfig } from '../config/read-config.js'
import { withoutPasswords } from '../serve/logger.js'
import { openForServing, reachedStore } from '../serve/open-for-serving.js'

const probe = 'beckon/probe'

export type StoreAction = 'migrate' | 'check' | 'reseal'

/** Brings a store to this version, seals it again, or finds out whether it can be used; gives what to say. @throws CliError when it cannot */
export async function storeAction(action: StoreAction, path: string | undefined): Promise<string> {
  const read = readConfig(path, process.env)
  const where = withoutPasswords(read.config.store)
  // Reaching it brings it to this version, for which no key is needed.
  const store = await (action === 'migrate' ? reachedStore : openForServing)(read)
  try {
    if (action === 'migrate') return `${where} is at this version.`
    if (action === 'reseal') {
      const { values, foreign } = await resealStore(store)
      const others =
        foreign === 0 ? '' : ` ${foreign} are sealed by keys that are not kept there, and are as they were.`
      return `${where}: ${values} values are sealed by a new key, and the keys from before are dropped.${others}`
    }
    const from = performance.now()
    await store.set(probe, from, { expiresAt: Date.now() + 60_000 })
    const isThere = (await store.get(probe))?.value === from
    await store.delete(probe)
    const took = `${(performance.now() - from).toFixed(1)} ms`
    return isThere
      ? `${where} was written to and read, in ${took}.`
      : `${where} does not have what was just written to it.`
  } finally {
    await store.close()
  }
}
