import type { Clock } from '../runtime/clock.js'
import { Cell } from '../store/handles/index.js'
import type { Store } from '../store/index.js'
import { digestOf } from './secret.js'
import { SecretMap } from './secret-map.js'
import { type UsedSecrets, usedInMemory, usedInStore } from './used-secrets.js'

/** Someone who signed in. */
interface SessionRecord<Person> {
  readonly person: Person
  /** Milliseconds, as is the other. */
  readonly startedAt: number
  readonly expiresAt: number
}

/** A session that was found, and a way to let it live longer, which does nothing once it was ended. */
export interface FoundSession<Person> {
  readonly record: SessionRecord<Person>
  extend(expiresAt: number): Promise<void>
}

/** Where sessions are kept, by their secrets; the secrets themselves are not. */
export interface SessionRecords<Person> {
  add(secret: string, record: SessionRecord<Person>): Promise<void>
  find(secret: string): Promise<FoundSession<Person> | undefined>
  remove(secret: string): Promise<void>
  /** What sessions were begun with, and no other is to be: kept where they are. */
  readonly used: UsedSecrets
  /** Forgets those that nobody else can know of. */
  close(): void
}

/** Sessions of one process; when there are too many, the one that was not used for longest ends. */
export function memoryRecords<Person>(clock: Pick<Clock, 'now'>, max = 10_000): SessionRecords<Person> {
  const sessions = new SecretMap<SessionRecord<Person>>(clock, max)
  return {
    async add(secret, record) {
      sessions.set(secret, record, record.expiresAt)
    },
    async find(secret) {
      const record = sessions.get(secret)
      if (record === undefined) return undefined
      return {
        record,
        async extend(expiresAt) {
          if (sessions.get(secret) === record) sessions.set(secret, { ...record, expiresAt }, expiresAt)
        },
      }
    },
    async remove(secret) {
      sessions.delete(secret)
    },
    used: usedInMemory(clock, max),
    close: () => sessions.clear(),
  }
}

/** Sessions that every process on a store knows. */
export function storeRecords<Person>(store: Store, name = 'access/session'): SessionRecords<Person> {
  const cell = (secret: string) => new Cell<SessionRecord<Person>>(store, `${name}/${digestOf(secret)}`)
  return {
    add: (secret, record) => cell(secret).set(record, { expiresAt: record.expiresAt }),
    async find(secret) {
      const record = await cell(secret).get()
      if (record === undefined) return undefined
      return {
        record,
        // One that was removed meanwhile stays so.
        extend: expiresAt =>
          cell(secret).update(known =>
            known === undefined
              ? { result: undefined }
              : { value: { ...known, expiresAt }, expiresAt, result: undefined },
          ),
      }
    },
    async remove(secret) {
      await cell(secret).delete()
    },
    used: usedInStore(store, `${name}-used`),
    close() {},
  }
}
