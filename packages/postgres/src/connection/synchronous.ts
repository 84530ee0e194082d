// Synchronous replication: what was acknowledged is on two hosts, and only the primary acknowledges anything.
import { StoreUnavailableError } from 'beckon/store'
import type { Check } from './connection.js'

/** With names of standbys, and unless a session says otherwise, a commit returns once one of them has it. */
export const isSync: string =
  `(current_setting('synchronous_standby_names') <> '' and ` +
  `current_setting('synchronous_commit') not in ('off', 'local')) as is_sync`

/** @throws when what a statement did is on one host alone */
export function checkSync(row: Readonly<Record<string, unknown>> | undefined): void {
  if (row?.is_sync !== true) throw new StoreUnavailableError('Postgres', new Error(notSync))
}

const notSync =
  'Postgres does not replicate synchronously. Set synchronous_standby_names, or do without requireSync: then a failover can ' +
  'lose what was acknowledged.'

/** A commit of nothing but a note in the log that standbys read: it returns once one of them has it. */
const witness = { name: 'beckon witness', text: `select pg_logical_emit_message(true, 'beckon', ''), ${isSync}` }

/**
 * A server that was the primary answers reads for as long as it does not know that it is none. What it shows was there; that
 * something is absent counts only when it could still commit after it said so.
 */
export const confirmAbsence: Check = async (_rows, ask) => checkSync((await ask(witness))[0])
