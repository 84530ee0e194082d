// The store itself, by the configuration that a desk is served with: before there is a desk to ask, or while none can start.
import { performance } from 'node:perf_hooks'
import { readConfig } from '../config/read-config.js'
import { withoutPasswords } from '../serve/logger.js'
import { openForServing } from '../serve/open-for-serving.js'

const probe = 'beckon/probe'

/** Brings a store to this version, or finds out whether it can be used; gives what to say. @throws CliError when it cannot */
export async function storeAction(action: 'migrate' | 'check', path: string | undefined): Promise<string> {
  const read = readConfig(path, process.env)
  const where = withoutPasswords(read.config.store)
  // Whoever opens it brings it to this version.
  const store = await openForServing(read)
  try {
    if (action === 'migrate') return `${where} is at this version.`
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
