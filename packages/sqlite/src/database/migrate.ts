import type { Connection } from './connection.js'
import { version1 } from './version-1.js'

/** What brings a file from one version to the next. */
interface Migration {
  readonly statements: string
  /** The oldest version of this package that can use what it leaves behind. Default: that which brings it. */
  readonly oldest?: number
}

/** The first one first. What is here never changes, only grows. */
const migrations: readonly Migration[] = [{ statements: version1 }]

/**
 * Brings a file to this version, even while others do so. Each step runs once, all missing ones in one
 * transaction: it is done wholly or not at all.
 * @param later steps of a version to come
 */
export function migrate(connection: Connection, path: string, later: readonly Migration[] = []): void {
  const steps = [...migrations, ...later]
  if (versionOf(connection, path, steps.length) === steps.length) return
  connection.transaction(() => {
    // Another process may have been faster.
    const current = versionOf(connection, path, steps.length)
    if (current === 0) {
      connection.run(
        'create table migrations (version integer primary key, oldest integer not null, applied_at text not null)',
      )
    }
    for (const [index, step] of steps.entries()) {
      if (index < current) continue
      const version = index + 1
      connection.run(step.statements)
      connection.run(`insert into migrations values (${version}, ${step.oldest ?? version}, datetime())`)
    }
  })
}

/** The version of a file; that of this package, where the file is later and says that it can be used all the same. */
function versionOf(connection: Connection, path: string, newest: number): number {
  const table = connection.prepare("select 1 from sqlite_schema where type = 'table' and name = 'migrations'").get([])
  if (table === undefined) return 0
  const row = connection.prepare('select max(version) as version, max(oldest) as oldest from migrations').get([])
  const version = Number(row?.version ?? 0)
  if (version <= newest) return version
  if (Number(row?.oldest) <= newest) return newest
  throw new Error(
    `The file ${path} is at version ${version}, and this @beckon/sqlite knows versions up to ${newest}. ` +
      'Update @beckon/sqlite, or give it another file.',
  )
}
