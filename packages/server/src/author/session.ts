import { digest } from '../crypto/digest.js'
import { encodeJson } from '../store/copy-json.js'
import { Cell } from '../store/handles/index.js'
import type { JsonValue, Store, Version } from '../store/index.js'

/** The part of a store that values need. */
export type ValueStore = Pick<Store, 'get' | 'set' | 'delete' | 'compareAndSet'>

/** Values that outlive a call, by name. */
export interface Values {
  get<T = JsonValue>(key: string): Promise<T | undefined>
  /** Takes effect in the order of the calls, awaited or not. */
  set(key: string, value: unknown): Promise<void>
  delete(key: string): Promise<boolean>
}

/** The caller's own scope. */
export interface Session extends Values {
  /** Opaque; `server.session(id)` opens it anywhere. */
  readonly id: string
  /** Lists what is hidden until this was done, and tells the clients concerned. Doing it twice changes nothing. */
  authorize(name: string): Promise<void>
  /** Takes an authorization back, hides what it listed, and tells the clients concerned. */
  revoke(name: string): Promise<void>
  isAuthorized(name: string): Promise<boolean>
}

/** What changes when a session is authorized for something, or no longer is. */
export type OnAuthorization = (sessionId: string) => Promise<void>

/** Writes that were started and not awaited, so that code that depends on them can wait. */
export class PendingWrites {
  readonly #writes = new Set<Promise<unknown>>()

  track<T>(write: Promise<T>): Promise<T> {
    this.#writes.add(write)
    const done = () => this.#writes.delete(write)
    write.then(done, done)
    return write
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#writes)
  }
}

/** A caller's scope, in the store. */
export function openSession(store: ValueStore, id: string, writes: PendingWrites, onChange: OnAuthorization): Session {
  // One key for each authorization: none of several at once can undo another.
  const authorization = (name: string) => new Cell<true>(store, `authorized/${digest([id, name])}`)
  const tell = async (changed: Promise<boolean>) => {
    if (await changed) await onChange(id)
  }
  return {
    id,
    // The id opens it, so no name says it.
    ...openValues(store, `session/${digest(id)}`, writes),
    authorize: name => tell(writes.track(authorization(name).create(true).then(isNew))),
    revoke: name => tell(writes.track(authorization(name).delete())),
    isAuthorized: async name => (await authorization(name).get()) !== undefined,
  }
}

function isNew(version: Version | undefined): boolean {
  return version !== undefined
}

/** A part of the store under a prefix of its own. */
export function openValues(store: ValueStore, prefix: string, writes: PendingWrites): Values {
  /** The code that reads a key says what it wrote there. */
  const cell = <T>(key: string) => new Cell<T>(store, `${prefix}/${key}`)
  const set = async (key: string, value: unknown) => {
    // Within a cell, what has no JSON would be left out.
    encodeJson(value as JsonValue)
    await cell(key).set(value)
  }
  return {
    get: <T>(key: string) => cell<T>(key).get(),
    set: (key, value) => writes.track(set(key, value)),
    delete: key => writes.track(cell(key).delete()),
  }
}
