// Which version of this package has written to a store, and the oldest one that may use what it left. Redis has no tables to
// change, so there are no steps as in the other stores: a later version of this package raises what is written here, and one that
// is too old for it leaves the store alone. No replica is waited for: what is called first waits for what came before it, too.
import { schemaOf } from './names.js'
import type { ScriptedClient } from './scripts.js'

/** A store that answers, but that this version cannot use. Trying again does not help. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** How a version of this package writes to Redis. */
export interface Schema {
  readonly version: number
  /** The oldest version that can use what this one writes. */
  readonly oldest: number
}

/** Of this package. */
const current: Schema = { version: 2, oldest: 2 }
/** The oldest version whose data this package reads: before it, logs were streams. */
const oldestRead = 2

/**
 * Brings a store to this version, even while others do so.
 * @param own that of a version to come
 * @throws SchemaError where a later version has written what this one cannot use
 */
export async function checkSchema(client: ScriptedClient, prefix: string, own: Schema = current): Promise<void> {
  const found = await client.beckonSchema(schemaOf(prefix), own.version, JSON.stringify(own), oldestRead)
  const { version, oldest }: Schema = JSON.parse(found)
  if (version < oldestRead)
    throw new SchemaError(
      `The store with the prefix "${prefix}" is at version ${version}, which this @beckon/redis cannot read. Give it another prefix.`,
    )
  if (version <= own.version || oldest <= own.version) return
  throw new SchemaError(
    `The store with the prefix "${prefix}" is at version ${version}, and this @beckon/redis knows versions up to ${own.version}. ` +
      'Update @beckon/redis, or give it another prefix.',
  )
}
