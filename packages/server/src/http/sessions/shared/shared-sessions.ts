// The sessions of 2025 clients that this node shares with others: which of them are here, how one gets here, and what other
// nodes send about them.
import type { HttpResponse } from '../../exchange/exchange.js'
import type { SharedInterval } from '../../shared-interval.js'
import { refuseEventId } from '../replies.js'
import type { Session } from '../session.js'
import type { Mail } from './mail.js'
import { NodeMail } from './node-mail.js'
import { Relays } from './relays.js'
import type { SessionRecord } from './session-record.js'
import { type SharedContext, SharedSession } from './shared-session.js'
import type { Sharing } from './sharing.js'
import { type StoredLimits, StoredSessions } from './stored-sessions.js'

export interface SharedSessionsOptions {
  readonly sharing: Sharing
  readonly limits: StoredLimits
  readonly keepAlive: SharedInterval<HttpResponse>
}

/** Makes a copy of a session here, in which no request was taken yet. */
export type Open = (sessionId: string) => Promise<Session>

export class SharedSessions {
  readonly #context: SharedContext
  readonly #mail: NodeMail
  readonly #byName = new Map<string, SharedSession>()
  /** Those whose record could not be read again, and has to be. */
  readonly #stale = new Set<SharedSession>()
  readonly #loading = new Map<string, Promise<Session | undefined>>()

  constructor({ sharing, limits, keepAlive }: SharedSessionsOptions) {
    const send = (node: string, mail: Mail, isKnown: boolean): Promise<void> => this.#mail.send(node, mail, isKnown)
    const { id: node } = sharing.nodes
    const isAlive = (other: string): Promise<boolean> => sharing.nodes.isAlive(other)
    const relays = new Relays({ node, keepAlive, isAlive, send })
    const stored = new StoredSessions(sharing, limits)
    this.#context = { sharing, stored, relays, send, create: (session, record) => this.#create(session, record) }
    this.#mail = new NodeMail(
      sharing,
      mail => this.#hear(mail),
      () => {
        relays.look()
        for (const shared of this.#stale) this.#reread(shared)
        return this.#byName.size > 0 || this.#loading.size > 0 || !relays.isIdle
      },
    )
  }

  /** What a session on this node has to do with others. */
  share(session: Session): SharedSession {
    return new SharedSession(session, this.#context)
  }

  /** A session that another node began, brought here; undefined when there is none, or it is someone else's. */
  load(sessionId: string, principal: string | undefined, open: Open): Promise<Session | undefined> {
    const key = JSON.stringify([sessionId, principal])
    const known = this.#loading.get(key)
    if (known !== undefined) return known
    const loading = this.#load(sessionId, principal, open).finally(() => this.#loading.delete(key))
    this.#loading.set(key, loading)
    return loading
  }

  /** Ends a session on every node. False when there is none, or it is someone else's. */
  async end(sessionId: string, principal: string | undefined): Promise<boolean> {
    const { stored } = this.#context
    const name = stored.nameOf(sessionId)
    const record = await stored.get(name)
    if (!isOf(record, principal)) return false
    await this.#end(name, principal !== undefined)
    return true
  }

  /** A copy is no longer here. The session lives on. */
  left(shared: SharedSession): void {
    if (this.#byName.get(shared.name) === shared) this.#byName.delete(shared.name)
    this.#stale.delete(shared)
    shared.closed()
  }

  stop(): void {
    this.#mail.stop()
  }

  async #load(sessionId: string, principal: string | undefined, open: Open): Promise<Session | undefined> {
    const { stored } = this.#context
    const name = stored.nameOf(sessionId)
    if (!isOf(await stored.get(name), principal)) return undefined
    await this.#here(name)
    // Every node that ends or changes it from now on tells this node.
    const record = await stored.get(name)
    if (!isOf(record, principal)) return undefined
    const session = await open(sessionId)
    const { shared } = session
    if (shared === undefined) return undefined
    this.#byName.set(name, shared)
    await shared.take(record)
    if (session.isClosed) return undefined
    session.opened()
    return session
  }

  async #create(session: SharedSession, record: SessionRecord): Promise<void> {
    const { stored, sharing } = this.#context
    // First of all: a node that has no session looks for no mail.
    this.#byName.set(session.name, session)
    await Promise.all([sharing.nodes.join(), this.#mail.start()])
    const ended = await stored.create(session.name, record)
    await Promise.all(ended.map(name => this.#end(name, record.principal !== null)))
  }

  async #here(name: string): Promise<void> {
    const { stored, sharing } = this.#context
    await Promise.all([sharing.nodes.join(), this.#mail.start(), stored.join(name)])
  }

  async #end(name: string, isKnown: boolean): Promise<void> {
    const { stored, send, sharing } = this.#context
    const nodes = await stored.end(name)
    void this.#byName.get(name)?.session.close()
    const others = nodes.filter(node => node !== sharing.nodes.id)
    await Promise.all(others.map(node => send(node, { kind: 'ended', session: name }, isKnown)))
  }

  #hear(mail: Mail): void {
    if (mail.kind === 'relayed' || mail.kind === 'gone') {
      this.#context.relays.hear(mail)
      return
    }
    const shared = this.#byName.get(mail.session)
    if (mail.kind === 'resume') this.#resume(shared, mail)
    else if (shared === undefined) return
    else if (mail.kind === 'message') shared.session.take(mail.message)
    else if (mail.kind === 'ended') void shared.session.close()
    else if (mail.kind === 'changed') this.#reread(shared)
    else shared.session.tellStanding(mail.json, mail.isNotification)
  }

  #reread(shared: SharedSession): void {
    this.#stale.delete(shared)
    shared.reread().catch(() => {
      if (this.#byName.get(shared.name) === shared) this.#stale.add(shared)
    })
  }

  /** A client is at another node, for a stream of this one. */
  #resume(shared: SharedSession | undefined, mail: Mail & { readonly kind: 'resume' }): void {
    const isKnown = shared?.session.link.principal !== undefined
    const response = this.#context.relays.remoteResponse(mail.relay, mail.node, isKnown)
    if (shared === undefined) refuseEventId(response)
    else shared.session.stream(response, mail.lastEventId)
  }
}

/** Whether there is a record, and whose it is. Someone else's session is as unknown as one that never was. */
function isOf(record: SessionRecord | undefined, principal: string | undefined): record is SessionRecord {
  return record !== undefined && record.principal === (principal ?? null)
}
