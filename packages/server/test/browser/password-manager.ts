// Chromium with a profile of its own, in whose password manager a login is kept: as Chromium on Linux keeps it where there
// is no keyring, in a database, under a key that is no secret.
import { createCipheriv, pbkdf2Sync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { flags, fullPath } from '../../../../test/chromium.js'

interface Login {
  /** Where it was saved, with the slash at the end. */
  readonly origin: string
  readonly username: string
  readonly password: string
}

interface Database {
  prepare(sql: string): { all(): unknown[]; run(...values: unknown[]): unknown }
  close(): void
}

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
}

/** A browser whose password manager knows one login. */
export async function browserThatKnows(login: Login): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'beckon-profile-'))
  const file = join(profile, 'Default', 'Login Data')
  const launch = () =>
    chromium.launchPersistentContext(profile, {
      executablePath: fullPath,
      // Both have Chromium leave passwords alone.
      ignoreDefaultArgs: ['--enable-automation', '--headless=old'],
      args: [...flags, '--headless=new', '--password-store=basic'],
    })
  // Chromium makes the database, in the form that this version of it has.
  for (let start = 0; start < 10 && !hasLogins(file); start++) {
    const context = await launch()
    await (await context.newPage()).goto(login.origin)
    await context.close()
  }
  keep(file, login)
  const context = await launch()
  return {
    context,
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function hasLogins(file: string): boolean {
  return existsSync(file) && withDatabase(file, database => columnsOf(database).length > 0)
}

function keep(file: string, { origin, username, password }: Login): void {
  const now = (BigInt(Date.now()) + 11_644_473_600_000n) * 1000n
  const row: Record<string, unknown> = {
    origin_url: origin,
    action_url: origin,
    username_value: username,
    password_value: encrypt(password),
    signon_realm: origin,
    date_created: now,
    date_last_used: now,
    date_password_modified: now,
    times_used: 1,
  }
  withDatabase(file, database => {
    const columns = columnsOf(database).filter(
      ({ name, notnull, dflt_value }) => name !== 'id' && (name in row || (notnull === 1 && dflt_value === null)),
    )
    const values = columns.map(({ name, type }) => row[name] ?? (type === 'INTEGER' ? 0 : ''))
    const places = columns.map(() => '?').join()
    database.prepare(`INSERT INTO logins (${columns.map(({ name }) => name).join()}) VALUES (${places})`).run(...values)
  })
}

function columnsOf(database: Database): Column[] {
  return database.prepare('PRAGMA table_info(logins)').all() as Column[]
}

function withDatabase<T>(file: string, use: (database: Database) => T): T {
  // The one that @beckon/sqlite has.
  const Opened = createRequire(new URL('../../../sqlite/package.json', import.meta.url))('libsql')
  const database: Database = new Opened(file)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

function encrypt(text: string): Buffer {
  const key = pbkdf2Sync('peanuts', 'saltysalt', 1, 16, 'sha1')
  const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16, ' '))
  return Buffer.concat([Buffer.from('v10'), cipher.update(text, 'utf8'), cipher.final()])
}
