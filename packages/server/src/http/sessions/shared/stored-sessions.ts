// The sessions of 2025 clients in a shared store. Names have a digest of the session's id, since the id opens it.
//
// A record is there for as long as its session, and goes by itself when no node says that it is in use. Two bounds:
// - Of a principal's sessions, and of all strangers' together, so many are there; the one that was in use longest ago makes
//   room. So strangers end no session of a known caller.
// - A record has so many bytes: with the first, that bounds what strangers keep in the store.
//
// Not defended: strangers against each other.
import { digest } from '../../../crypto/digest.js'
import { Cell, OrderedSet } from '../../../store/handles/index.js'
import { RecordTooLargeError, SessionGoneError } from './errors.js'
import type { SessionRecord } from './session-record.js'
import type { Sharing } from './sharing.js'

export interface StoredLimits {
  /** How many sessions one principal may have, and how many all strangers together. */
  readonly maxSessions: { readonly principal: number; readonly anonymous: number }
  /** How many characters of JSON a record may have. */
  readonly maxLength: { readonly known: number; readonly anonymous: number }
  /** How long a session lives on without use. */
  readonly idleMs: number
}

/** Of the nodes that had a session, so many are told of it: the latest. */
const maxNodes = 32
/** More nodes than have had any session. */
const manyNodes = 1_000
/** So many sessions at most make room for one. */
const maxEnded = 100

export class StoredSessions {
  readonly #sharing: Sharing
  readonly #limits: StoredLimits
  readonly #prefix: string

  constructor(sharing: Sharing, limits: StoredLimits) {
    this.#sharing = sharing
    this.#limits = limits
    this.#prefix = 'http/session'
  }

  nameOf(sessionId: string): string {
    return digest(sessionId)
  }

  /** How often a session that is in use has to be touched. */
  get touchMs(): number {
    return this.#limits.idleMs / 4
  }

  /** Stores a new session. Gives the names of those that have to end for it. */
  async create(name: string, record: SessionRecord): Promise<string[]> {
    if (!this.#fits(record)) throw new RecordTooLargeError()
    // First of all: what counts is never missed, and what is counted in vain goes by itself.
    await this.#count(name, record.principal)
    const [excess] = await Promise.all([
      this.#excess(record.principal),
      this.#cell(name).set(record, { expiresAt: this.#expiry() }),
      this.join(name),
    ])
    return excess.filter(other => other !== name)
  }

  get(name: string): Promise<SessionRecord | undefined> {
    return this.#cell(name).get()
  }

  /** Says that this node has the session. It hears of what becomes of a record that it reads after this. */
  async join(name: string): Promise<void> {
    const { clock, nodes } = this.#sharing
    await this.#nodesOf(name).put(nodes.id, clock.now(), { expiresAt: this.#expiry() })
  }

  /** The nodes that have a session or had it; those that had it last. */
  async nodesOf(name: string, limit: number = maxNodes): Promise<string[]> {
    const members = await this.#nodesOf(name).range({ reverse: true, limit })
    return members.map(({ member }) => member)
  }

  /** Whether a node has a session or had it: one that a client made up has not. */
  async wasAt(name: string, node: string): Promise<boolean> {
    return (await this.nodesOf(name, manyNodes)).includes(node)
  }

  /** Changes a record. False when that changes nothing. */
  async change(name: string, change: (record: SessionRecord) => SessionRecord): Promise<boolean> {
    const result = await this.#cell(name).update<boolean | Error>(record => {
      if (record === undefined) return { result: new SessionGoneError() }
      const changed = change(record)
      if (changed === record) return { result: false }
      if (!this.#fits(changed)) return { result: new RecordTooLargeError() }
      return { value: changed, expiresAt: this.#expiry(), result: true }
    })
    if (result instanceof Error) throw result
    return result
  }

  /** Says that a session is in use. False when it is over. */
  async touch(name: string): Promise<boolean> {
    const record = await this.#cell(name).update<SessionRecord | undefined>(current =>
      current === undefined ? { result: undefined } : { value: current, expiresAt: this.#expiry(), result: current },
    )
    if (record === undefined) return false
    await Promise.all([this.join(name), this.#count(name, record.principal)])
    return true
  }

  /** Ends a session. Gives the nodes that have to hear of it. */
  async end(name: string): Promise<string[]> {
    const record = await this.#cell(name).get()
    await this.#cell(name).delete()
    const nodes = await this.nodesOf(name)
    if (record !== undefined) await this.#sessionsOf(record.principal).remove(name)
    return nodes
  }

  async #count(name: string, principal: string | null): Promise<void> {
    await this.#sessionsOf(principal).put(name, this.#sharing.clock.now(), { expiresAt: this.#expiry() })
  }

  /** Those that are too many: first of all those that are gone by themselves, then those that were in use longest ago. */
  async #excess(principal: string | null): Promise<string[]> {
    const { maxSessions } = this.#limits
    const sessions = this.#sessionsOf(principal)
    const max = principal === null ? maxSessions.anonymous : maxSessions.principal
    const gone = await sessions.range({ to: this.#sharing.clock.now() - this.#lifeMs, limit: maxEnded })
    await sessions.removeRead(gone)
    const excess = (await sessions.count({ upTo: max + maxEnded })) - max
    if (excess <= 0) return []
    return (await sessions.range({ limit: excess })).map(({ member }) => member)
  }

  #fits(record: SessionRecord): boolean {
    const { known, anonymous } = this.#limits.maxLength
    return JSON.stringify(record).length <= (record.principal === null ? anonymous : known)
  }

  get #lifeMs(): number {
    return this.#limits.idleMs + this.touchMs
  }

  #expiry(): number {
    return this.#sharing.clock.now() + this.#lifeMs
  }

  #cell(name: string): Cell<SessionRecord> {
    return new Cell(this.#sharing.store, `${this.#prefix}/${name}`)
  }

  #nodesOf(name: string): OrderedSet {
    return new OrderedSet(this.#sharing.store, `${this.#prefix}/${name}/nodes`)
  }

  #sessionsOf(principal: string | null): OrderedSet {
    const whose = principal === null ? 'anonymous' : `of/${digest(principal)}`
    return new OrderedSet(this.#sharing.store, `${this.#prefix}s/${whose}`)
  }
}
