import type { Connection } from './connection.js'
import { version1 } from './version-1.js'

/** What brings a file from one version to the next, the first one first. What is here never changes, only grows. */
const migrations: readonly string[] = [version1]

/**
 * Brings a file to this version, whoever else does so at the same time. Each step runs once, all missing ones in one
 * transaction: it is done wholly or not at all.
 * @param later steps of a version to come
 */
export function migrate(connection: Connection, path: string, later: readonly string[] = []): void {
  const steps = [...migrations, ...later]
  if (versionOf(connection, path, steps.length) === steps.length) return
  connection.transaction(() => {
    // Another process may have been faster.
    const version = versionOf(connection, path, steps.length)
    if (version === 0) {
      connection.run('create table migrations (version integer primary key, applied_at text not null)')
    }
    for (const [index, step] of steps.entries()) {
      if (index < version) continue
      connection.run(step)
      connection.run(`insert into migrations values (${index + 1}, datetime())`)
    }
  })
}

function versionOf(connection: Connection, path: string, newest: number): number {
  const table = connection.prepare("select 1 from sqlite_schema where type = 'table' and name = 'migrations'").get([])
  if (table === undefined) return 0
  const version = Number(connection.prepare('select max(version) as version from migrations').get([])?.version ?? 0)
  if (version <= newest) return version
  throw new Error(
    `The file ${path} is at version ${version}, and this @beckon/sqlite knows versions up to ${newest}. ` +
      'Update @beckon/sqlite, or give it another file.',
  )
}
