import { closeSync, openSync } from 'node:fs'
import Libsql from 'libsql'

/** What a statement takes. */
type Parameter = string | number | null
/** What it gives. */
type Row = Readonly<Record<string, unknown>>

/** A prepared statement. */
interface Statement {
  get(parameters: readonly Parameter[]): Row | undefined
  all(parameters: readonly Parameter[]): Row[]
  /** Resolves to how many rows it changed. */
  run(parameters: readonly Parameter[]): number
}

/** A connection to the file. It waits for nobody: what another process holds is an error that `isBusy` knows. */
export interface Connection {
  prepare(sql: string): Statement
  run(sql: string): void
  /** Does everything or nothing. What is not durable may be lost in a power cut, and waits for no disk. */
  transaction(work: () => void, options?: { isDurable: boolean }): void
  close(): void
}

/** The path of a database that is in memory. */
export const inMemory = ':memory:'

/** Opens the file, and makes it when it is not there. */
export function connect(path: string, synchronous: 'full' | 'normal'): Connection {
  const database = open(path)
  const run = (sql: string): void => {
    database.exec(sql)
  }
  setUp(database, path, synchronous)
  return {
    prepare: sql => prepare(database, sql),
    run,
    transaction(work, { isDurable } = { isDurable: true }) {
      if (!isDurable) run('pragma synchronous = normal')
      try {
        run('begin immediate')
        work()
        run('commit')
      } catch (error) {
        if (database.inTransaction) run('rollback')
        throw error
      } finally {
        if (!isDurable) run(`pragma synchronous = ${synchronous}`)
      }
    },
    close() {
      try {
        if (path !== inMemory) database.pragma('wal_checkpoint(truncate)')
      } catch {
        // That would have left the file whole by itself. Others at work on it will.
      }
      database.close()
    },
  }
}

/** True when another process was at work on the file: the same again may succeed in a moment. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY') || codeOf(error).startsWith('SQLITE_LOCKED')
}

type Database = InstanceType<typeof Libsql>

function open(path: string): Database {
  if (path !== inMemory) makeFile(path)
  try {
    return new Libsql(path)
  } catch (error) {
    throw unusable(path, error)
  }
}

/** Other people of this machine have no business in it. Never opens a file that is there: closing it would end its locks. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unusable(path, error)
  }
}

function setUp(database: Database, path: string, synchronous: 'full' | 'normal'): void {
  try {
    const [mode] = database.pragma('journal_mode = wal') as { journal_mode: string }[]
    if (mode?.journal_mode !== 'wal' && path !== inMemory) {
      throw new Error('it is on a file system that several processes cannot share')
    }
    database.pragma(`synchronous = ${synchronous}`)
    // What is deleted is overwritten where that costs nothing.
    database.pragma('secure_delete = fast')
  } catch (error) {
    database.close()
    throw isBusy(error) ? error : unusable(path, error)
  }
}

function prepare(database: Database, sql: string): Statement {
  const statement = database.prepare(sql)
  return {
    // Rows are objects.
    get: parameters => statement.get(parameters) as Row | undefined,
    all: parameters => statement.all(parameters) as Row[],
    run: parameters => statement.run(parameters).changes,
  }
}

function unusable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : `${cause}`
  return new Error(
    `The file ${path} cannot be used as a SQLite database: ${reason}. Give the path of a file in a folder that is there ` +
      'and may be written to.',
    { cause },
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? `${error.code}` : ''
}
