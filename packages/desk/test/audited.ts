// An audit on a store that a test can look into, and spoil.
import { memoryStore } from 'beckon'
import { type JsonValue, type Store, sealedStore } from 'beckon/store'
import { createTestClock, type TestClock } from 'beckon/test'
import { Audit } from '../src/audit/audit.js'
import type { AuditEntry, NewEntry } from '../src/audit/entry.js'
import { auditNames } from '../src/audit/log-names.js'
import { deskStore } from '../src/desk-parts.js'

export const hourMs: number = 60 * 60 * 1000

export interface Audited {
  readonly clock: TestClock
  /** As someone sees it who reads and writes the database. */
  readonly raw: Store
  readonly audit: Audit
  readonly errors: unknown[]
  /** Another node, or another start of this one. */
  open(node?: string, store?: Store): Audit
  /** Records views of these sessions. */
  view(...sessions: string[]): Promise<void>
  /** The sessions of the entries that are read. */
  sessions(page?: Parameters<Audit['entries']>[0]): Promise<string[]>
  /** The logs that there are. */
  logs(): Promise<string[]>
  /** Puts other values into a log, in place of all that it has. */
  rewrite(log: string, change: (values: JsonValue[]) => JsonValue[]): Promise<void>
  /** Goes on until the hour is signed. */
  signHour(): Promise<void>
}

const key = 'the key of this desk, and of no other'
const nowhere = {
  sessions: { listen: () => () => {}, replay: async () => [] },
  index: { addNames: () => () => {} },
}

export function audited({
  keepMs,
  isSealed = true,
}: {
  readonly keepMs?: number
  readonly isSealed?: boolean
} = {}): Audited {
  const clock = createTestClock()
  const raw = memoryStore({ clock })
  const errors: unknown[] = []
  const open = (node = 'a', store: Store = raw) =>
    new Audit({
      store: deskStore(isSealed ? sealedStore(store, key, clock) : store),
      clock,
      node,
      keepMs,
      ...nowhere,
      onError: error => errors.push(error),
    })
  const audit = open()
  return {
    clock,
    raw,
    audit,
    errors,
    open,
    view: async (...sessions) => {
      const entries = sessions.map((session): NewEntry => ({ event: 'viewed', at: clock.now(), session }))
      const recorded = audit.record(...entries)
      await audit.written()
      await recorded
    },
    async sessions(page) {
      return (await all(audit, page)).map(({ session }) => session)
    },
    async logs() {
      const found = await raw.range(`desk/${auditNames.logs}`, { limit: 1_000 })
      return found.map(({ member }) => `desk/${auditNames.log(member)}`)
    },
    async rewrite(log, change) {
      const values = (await raw.read(log)).map(({ value }) => value)
      await raw.erase(log)
      await raw.append(log, change(values))
    },
    async signHour() {
      await clock.advance(hourMs - (clock.now() % hourMs) + 3 * 60_000)
      // Rounds are in the time of the clock, and what they do is not.
      for (let round = 0; round < 3; round++) {
        await clock.advance(15_000)
        for (let turn = 0; turn < 200; turn++) await new Promise(resolve => setImmediate(resolve))
      }
    },
  }
}

async function all(audit: Audit, page?: Parameters<Audit['entries']>[0]): Promise<AuditEntry[]> {
  const found: AuditEntry[] = []
  for await (const { entry } of audit.entries(page)) found.push(entry)
  return found
}
