// Everything that is written is written by `apply`, many writes in one call: one round trip, one transaction, one wait for
// the disk. Time is the database's, so that nodes whose clocks disagree still agree on what has expired.
import { apply } from './apply.js'
import { keys } from './keys.js'
import { logs } from './logs.js'
import { reads } from './reads.js'
import { setReads } from './set-reads.js'
import { sets } from './sets.js'
import { sweep } from './sweep.js'
import { tables } from './tables.js'

/** The tables and functions of version 1, in a schema whose name is quoted already. */
export function version1(schema: string): string {
  return [tables, keys, logs, sets, reads, setReads, apply, sweep].map(part => part(schema)).join('')
}
