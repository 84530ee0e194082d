import type { Clock } from '../runtime/clock.js'
import { Cell, OrderedSet } from '../store/handles/index.js'
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

/** A session as an admin of a desk sees it: its id opens nothing. */
export interface ListedSession {
  readonly id: string
  /** Milliseconds, as is the other. */
  readonly startedAt: number
  readonly expiresAt: number
}

/** The sessions of each person. */
export interface OwnedSessions {
  list(owner: string): Promise<ListedSession[]>
  /** Ends one of them, or all; gives how many there were. */
  end(owner: string, id?: string): Promise<number>
}

/** Where sessions are kept, by their secrets; the secrets themselves are not. */
export interface SessionRecords<Person> {
  /** Absent where nobody asks whose they are. */
  readonly owned?: OwnedSessions
  add(secret: string, record: SessionRecord<Person>): Promise<void>
  find(secret: string): Promise<FoundSession<Person> | undefined>
  remove(secret: string): Promise<void>
  /** What sessions were begun with, and no other is to be: kept where they are. */
  readonly used: UsedSecrets
  /** Forgets those that nobody else can know of. */
  close(): void
}

/** Of one person; anyone who has more is a program, or a mistake. */
const maxListed = 1_000
/** Nobody is signed in for longer. */
const rememberedMs = 400 * 24 * 60 * 60 * 1000

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

/** Sessions that every process on a store knows; with `ownerOf`, also by whose they are. */
export function storeRecords<Person>(
  store: Store,
  name = 'access/session',
  ownerOf?: (person: Person) => string,
): SessionRecords<Person> {
  const cellOf = (id: string) => new Cell<SessionRecord<Person>>(store, `${name}/${id}`)
  const cell = (secret: string) => cellOf(digestOf(secret))
  const sessionsOf = (owner: string) => new OrderedSet(store, `${name}-of/${digestOf(owner)}`)

  const owned: OwnedSessions = {
    async list(owner) {
      const sessions = sessionsOf(owner)
      const named = await sessions.range({ limit: maxListed })
      const found = await Promise.all(named.map(async ({ member: id }) => ({ id, record: await cellOf(id).get() })))
      const over = found.filter(({ record }) => record === undefined)
      await Promise.all(over.map(({ id }) => sessions.remove(id)))
      return found.flatMap(({ id, record }) =>
        record === undefined ? [] : [{ id, startedAt: record.startedAt, expiresAt: record.expiresAt }],
      )
    },
    async end(owner, id) {
      let ended = 0
      const sessions = sessionsOf(owner)
      for await (const page of sessions.pages({ limit: maxListed }))
        for (const { member } of page) {
          if (id !== undefined && member !== id) continue
          if (await cellOf(member).delete()) ended++
          await sessions.remove(member)
        }
      return ended
    },
  }

  return {
    ...(ownerOf && { owned }),
    async add(secret, record) {
      const name = async () => {
        if (ownerOf === undefined) return
        const expiresAt = record.startedAt + rememberedMs
        await sessionsOf(ownerOf(record.person)).put(digestOf(secret), record.startedAt, { expiresAt })
      }
      // First the name: a session without one could not be ended. Once more, since one that leads nowhere is cleared away.
      await name()
      await cell(secret).set(record, { expiresAt: record.expiresAt })
      await name()
    },
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
