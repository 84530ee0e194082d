// One session on this node, and what it has to do with its copies on others.
//
// A request runs on the node that it came to, and its stream is there. So any node may have questions open, requests that
// wait, and events for a client that comes back; answers, cancels and clients that come for those are sent to that node. What
// every copy has to know is in the record: it is stored before its client hears that it was taken, and then the other nodes
// read it.
import { SerialQueue } from '@beckon/core'
import { answeredNode } from '../../../connections/request-ids.js'
import { randomId } from '../../../crypto/random-id.js'
import type { RequestId, RpcMessage } from '../../../protocol/messages.js'
import { withReceivedAt } from '../../../protocol/received-at.js'
import type { HttpResponse } from '../../exchange/exchange.js'
import { refuse } from '../../reply-with.js'
import { type EventId, standingName } from '../event-id.js'
import { cancelledBy, isInitialize, type WireRequest } from '../messages.js'
import { refuseEventId } from '../replies.js'
import type { Session } from '../session.js'
import { NodeGoneError } from './errors.js'
import type { Mail } from './mail.js'
import { endWithNode, type Relays } from './relays.js'
import { type SessionRecord, settingIn, withSetting } from './session-record.js'
import type { Sharing } from './sharing.js'
import type { StoredSessions } from './stored-sessions.js'

export interface SharedContext {
  readonly sharing: Sharing
  readonly stored: StoredSessions
  readonly relays: Relays
  readonly send: (node: string, mail: Mail, isKnown: boolean) => Promise<void>
  /** Stores a session that was begun here. */
  readonly create: (session: SharedSession, record: SessionRecord) => Promise<void>
}

/** How many streams of other nodes a session may want at once. */
const maxRelays = 100

export class SharedSession {
  readonly name: string
  readonly session: Session
  readonly #context: SharedContext
  /** Requests whose result leaves once it is stored. */
  readonly #settings = new Map<RequestId, WireRequest>()
  /** Messages that this node brought its server itself, and what their result does. */
  readonly #replays = new Map<RequestId, () => void>()
  #record: SessionRecord | undefined
  #relays = 0
  #touchedAt = Number.NEGATIVE_INFINITY
  readonly #rereads = new SerialQueue()

  constructor(session: Session, context: SharedContext) {
    this.session = session
    this.name = context.stored.nameOf(session.sessionId)
    this.#context = context
  }

  get node(): string {
    return this.#context.sharing.nodes.id
  }

  get isRelaying(): boolean {
    return this.#relays > 0
  }

  get #isKnown(): boolean {
    return this.session.link.principal !== undefined
  }

  /** Brings this copy to where the record says that the session is. */
  async take(record: SessionRecord): Promise<void> {
    const before = this.#record
    this.#record = record
    const { initialize, logLevel, subscriptions, standing } = record
    if (before === undefined) await this.#replay('initialize', initialize)
    if (logLevel !== undefined && logLevel !== before?.logLevel)
      await this.#replay('logging/setLevel', { level: logLevel })
    this.#subscribeTo(subscriptions)
    if (standing !== undefined && standing !== this.node && standing !== before?.standing)
      for (const { json, isNotification } of this.session.dropStanding()) this.tell(json, isNotification)
  }

  /** Reads the record again. One time after the other, so that what is older never comes last. */
  reread(): Promise<void> {
    return this.#rereads.run(async () => {
      const record = await this.#context.stored.get(this.name)
      if (record === undefined) await this.session.close()
      else await this.take(record)
    })
  }

  /** Its session is closed here: nobody waits for its server any more. */
  closed(): void {
    for (const done of this.#replays.values()) done()
    this.#replays.clear()
  }

  /** Takes note of a request whose result has to be stored. */
  received(message: RpcMessage): void {
    const request = isInitialize(message) ? message : settingIn(message)
    if (request !== undefined) this.#settings.set(request.id, request)
  }

  /** Stores what a request changed that was answered with a result. Undefined when there is nothing to store. */
  keep(id: RequestId): Promise<void> | undefined {
    const request = this.#settings.get(id)
    if (request === undefined) return undefined
    this.#settings.delete(id)
    if (request.method === 'initialize') return this.#create(request)
    return this.#change(record => withSetting(record, request)).catch(error => {
      // Its client is told that nothing came of it.
      this.#subscribeTo(this.#record?.subscriptions ?? [])
      throw error
    })
  }

  /** Whether a message answers one of ours that no client sent. */
  swallows(message: RpcMessage): boolean {
    if ('method' in message || message.id === undefined) return false
    const done = this.#replays.get(message.id)
    this.#replays.delete(message.id)
    done?.()
    // An error ends what was to be kept.
    if ('error' in message) this.#settings.delete(message.id)
    return done !== undefined
  }

  /** Sends a message to the nodes that it is for; undefined when it is for this one. Resolves once it is stored. */
  forward(message: RpcMessage): Promise<void> | undefined {
    const node = answeredNode(message)
    if (node !== undefined) return node === this.node ? undefined : this.#forwardTo(node, message)
    const cancelled = cancelledBy(message)
    if (cancelled === undefined || this.session.isWaiting(cancelled)) return undefined
    return this.#tellOthers({ kind: 'message', session: this.name, message })
  }

  /** Sends something to the node that has the GET stream. False when that is this one, or none. */
  tell(json: string, isNotification: boolean): boolean {
    const node = this.#record?.standing
    if (node === undefined || node === this.node) return false
    // What cannot be sent there stays here, until another node has that stream.
    this.#tellStanding(node, json, isNotification).catch(() => this.session.tellStanding(json, isNotification))
    return true
  }

  /** Makes this the node that has the GET stream. */
  async standHere(): Promise<void> {
    if (this.#record?.standing === this.node) return
    await this.#change(record => ({ ...record, standing: this.node }))
  }

  /** Goes on with a stream of another node. */
  async resume(response: HttpResponse, lastEventId: string, { node = '', stream, requests }: EventId): Promise<void> {
    const { stored, sharing, relays } = this.#context
    if (!(await stored.wasAt(this.name, node))) return refuseEventId(response)
    const onDeath = (to: HttpResponse, isOpen: boolean): void => {
      if (stream !== standingName) endWithNode(to, isOpen, requests)
      // What it had for this client is lost; the client comes back, and finds the stream here.
      else if (isOpen) to.end()
      else void this.session.stand(to)
    }
    if (!(await sharing.nodes.isAlive(node))) return onDeath(response, false)
    if (this.#relays >= maxRelays)
      return refuse(response, 429, { code: -32000, message: 'Too many streams of this session' })
    this.#relays++
    const onEnd = (): void => {
      this.#relays--
    }
    const { name: session } = this
    await relays.begin(response, { session, isKnown: this.#isKnown, node, lastEventId, onDeath, onEnd })
  }

  /** Says that the session is in use, now and then. */
  used(): void {
    const { sharing, stored } = this.#context
    const now = sharing.clock.now()
    if (now - this.#touchedAt < stored.touchMs) return
    this.#touchedAt = now
    stored.touch(this.name).then(
      isThere => {
        if (!isThere) void this.session.close()
      },
      // A store that is away is told the next time.
      () => {
        this.#touchedAt = Number.NEGATIVE_INFINITY
      },
    )
  }

  async #forwardTo(node: string, message: RpcMessage): Promise<void> {
    const { sharing, stored, send } = this.#context
    const received = withReceivedAt(message, sharing.clock.now())
    // A node that a client made up has no mailbox, and gets none.
    if (!(await stored.wasAt(this.name, node))) throw new NodeGoneError()
    const [isAlive] = await Promise.all([
      sharing.nodes.isAlive(node),
      // Also to one that seems dead: when it was only slow, it goes on.
      send(node, { kind: 'message', session: this.name, message: received }, this.#isKnown),
    ])
    if (!isAlive) throw new NodeGoneError()
  }

  async #tellStanding(node: string, json: string, isNotification: boolean): Promise<void> {
    if (!(await this.#context.sharing.nodes.isAlive(node))) throw new NodeGoneError()
    await this.#context.send(node, { kind: 'standing', session: this.name, json, isNotification }, this.#isKnown)
  }

  async #tellOthers(mail: Mail): Promise<void> {
    const nodes = await this.#context.stored.nodesOf(this.name)
    const others = nodes.filter(node => node !== this.node)
    await Promise.all(others.map(node => this.#context.send(node, mail, this.#isKnown)))
  }

  async #create({ params }: WireRequest): Promise<void> {
    const { link, version } = this.session
    const initialize = { ...(params as object), protocolVersion: version }
    const record = { principal: link.principal ?? null, initialize, subscriptions: [] }
    await this.#context.create(this, record)
    this.#touchedAt = this.#context.sharing.clock.now()
    this.#record = record
  }

  async #change(change: (record: SessionRecord) => SessionRecord): Promise<void> {
    let changed: SessionRecord | undefined
    const isChanged = await this.#context.stored.change(this.name, record => {
      changed = change(record)
      return changed
    })
    if (changed !== undefined) await this.take(changed)
    if (isChanged) await this.#tellOthers({ kind: 'changed', session: this.name })
  }

  /** Makes these its subscriptions. */
  #subscribeTo(uris: readonly string[]): void {
    const { subscriptions } = this.session.link
    const wanted = new Set(uris)
    for (const uri of subscriptions) if (!wanted.has(uri)) subscriptions.delete(uri)
    for (const uri of wanted) subscriptions.add(uri)
  }

  /** Has the server of this node take a request that its client sent to another. */
  #replay(method: string, params: SessionRecord['initialize']): Promise<void> {
    const id = randomId()
    return new Promise(resolve => {
      this.#replays.set(id, resolve)
      this.session.take({ jsonrpc: '2.0', id, method, params })
    })
  }
}
