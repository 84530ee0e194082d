// A client as the protocol describes it: confirmed state and pending actions are kept apart, its own echo confirms,
// another's action rebases, and a reason drops.
import { once } from 'node:events'
import { type AsksAction, type AsksState, reduceAsks } from '@beckon/core/asks'
import { reduceChat, reduceSessionSummary } from '@beckon/core/chat'
import {
  asksChannel,
  type Dialect,
  type DialectTraits,
  dialectTraits,
  liveErrorCodes,
  rootChannel,
  type Snapshot as Taken,
  type Envelope as Told,
} from '@beckon/core/live'
import { reduceSession } from '@beckon/core/session-0.3'
import { WebSocket } from 'ws'

export type Action = { readonly type: string } & Readonly<Record<string, unknown>>
export type State = Readonly<Record<string, unknown>>

export type Envelope = Told<Action>

export interface Notification {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** What a request came back with when it failed. */
export interface Failure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A version of each dialect. */
const versions: Readonly<Record<Dialect, string>> = { '0.3': '0.3.0', '0.6': '0.8.0', '0.9': '0.9.0', '1.0': '1.0.0' }

/**
 * A state without what can be forgotten: whether the session of the later dialects, which says in its own status that someone
 * was waited for, asked whoever looks, or only others.
 */
export function asTold<T>(state: T): T {
  if (typeof state !== 'object' || state === null || !('chats' in state) || !('status' in state)) return state
  return { ...state, status: Number(state.status) & ~0b1001 }
}

interface Mirror {
  confirmed: State
  /** The last line that is in it. */
  seq: number
  pending: { readonly clientSeq: number; readonly action: Action }[]
}

export interface LiveClientOptions {
  /** May be another node's from the next connection on. */
  url: string
  readonly dialect: Dialect
  readonly clientId: string
  readonly now: () => number
}

export class LiveClient {
  readonly options: LiveClientOptions
  readonly mirrors: Map<string, Mirror> = new Map()
  readonly envelopes: Envelope[] = []
  readonly rejections: Envelope[] = []
  /** What came again, or after what came later. */
  readonly outOfOrder: Envelope[] = []
  readonly notifications: Notification[] = []
  /** Answers that belong to no request. */
  readonly strays: { readonly error: Failure }[] = []
  socket: WebSocket | undefined
  lastSeen = 0
  closed: Promise<{ code: number }> = Promise.resolve({ code: 0 })
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Failure): void }>()
  readonly #watchers = new Set<() => void>()
  #nextId = 1
  #nextClientSeq = 1

  constructor(options: LiveClientOptions) {
    this.options = options
  }

  get chatChannel(): string {
    return this.#has.hasChats ? 'ahp-chat:/s' : 'ahp-session:/s'
  }

  get prefix(): string {
    return this.#has.hasChats ? 'chat' : 'session'
  }

  async dial(): Promise<void> {
    const socket = new WebSocket(this.options.url, { perMessageDeflate: false })
    this.socket = socket
    socket.on('message', data => {
      if (this.socket === socket) this.#receive(String(data))
    })
    socket.on('error', () => {})
    this.closed = once(socket, 'close').then(([code]) => {
      for (const { reject } of this.#waiting.values()) reject({ code: 0, message: `closed ${code}` })
      this.#waiting.clear()
      return { code }
    })
    await once(socket, 'open')
  }

  async initialize(params: object = {}): Promise<Record<string, unknown>> {
    const protocolVersions = [versions[this.options.dialect]]
    const { clientId } = this.options
    const all = { channel: rootChannel, protocolVersions, clientId, ...params }
    return this.request('initialize', all, ({ snapshots, serverSeq }) => {
      for (const snapshot of snapshots as Snapshot[]) this.#take(snapshot)
      this.lastSeen = Math.max(this.lastSeen, Number(serverSeq))
    })
  }

  async subscribe(channel: string = this.chatChannel): Promise<State> {
    const { snapshot } = await this.request('subscribe', { channel }, result => this.#take(result.snapshot as Snapshot))
    return (snapshot as Snapshot).state
  }

  /** Comes back on a new socket, with what it had. */
  async reconnect(): Promise<Record<string, unknown>> {
    const { clientId } = this.options
    await this.dial()
    const params = { clientId, lastSeenServerSeq: this.lastSeen, subscriptions: [...this.mirrors.keys()] }
    try {
      return await this.request('reconnect', { channel: rootChannel, ...params }, result => this.#recover(result))
    } catch (error) {
      // A desk that does not know the client.
      if ((error as Failure).code !== liveErrorCodes.notFound) throw error
      this.lastSeen = 0
      return this.initialize({ initialSubscriptions: params.subscriptions })
    }
  }

  /** What comes back is given to `take` before anything that came after it is looked at. */
  request(
    method: string,
    params: object,
    take: (result: Record<string, unknown>) => void = () => {},
  ): Promise<Record<string, unknown>> {
    const id = this.#nextId++
    this.send({ jsonrpc: '2.0', id, method, params })
    return new Promise((resolve, reject) => {
      const settle = (result: unknown) => {
        take(result as Record<string, unknown>)
        resolve(result as Record<string, unknown>)
      }
      this.#waiting.set(id, { resolve: settle, reject })
    })
  }

  /** What a request is refused with. */
  async failure(method: string, params: object): Promise<Failure> {
    try {
      await this.request(method, params)
    } catch (error) {
      return error as Failure
    }
    throw new Error(`${method} was not refused`)
  }

  notify(method: string, params: object): void {
    this.send({ jsonrpc: '2.0', method, params })
  }

  /** An action of this client's dialect; its type may have gone without the prefix. */
  prefixed(action: Action): Action {
    return action.type.includes('/') ? action : { ...action, type: `${this.prefix}/${action.type}` }
  }

  /** Applies an action at once, and sends it. The type goes without its prefix. */
  dispatch(action: Action, channel: string = this.chatChannel): number {
    const clientSeq = this.#nextClientSeq++
    const full = this.prefixed(action)
    this.mirrors.get(channel)?.pending.push({ clientSeq, action: full })
    this.notify('dispatchAction', { channel, clientSeq, action: full })
    return clientSeq
  }

  /** Sends an action and gives the reason why it was rejected, once it has been seen to. */
  async reasonFor(action: Action, channel?: string): Promise<string | undefined> {
    const clientSeq = this.dispatch(action, channel)
    await this.ping()
    return this.rejections.find(({ origin }) => origin?.clientSeq === clientSeq)?.rejectionReason
  }

  /** Once this resolves, everything that was sent to this client before has arrived. */
  async ping(): Promise<void> {
    await this.request('ping', { channel: rootChannel })
  }

  send(message: unknown): void {
    this.socket?.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  confirmed(channel: string = this.chatChannel): State | undefined {
    return this.mirrors.get(channel)?.confirmed
  }

  /** As its user sees it. */
  optimistic(channel: string = this.chatChannel): State | undefined {
    const mirror = this.mirrors.get(channel)
    return mirror?.pending.reduce((state, { action }) => this.#reduce(channel, state, action), mirror.confirmed)
  }

  /** Resolves as soon as something holds; it is looked at with every message. */
  until(condition: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (!condition()) return
        this.#watchers.delete(look)
        resolve()
      }
      this.#watchers.add(look)
      look()
    })
  }

  /** Loses the connection, without a word. */
  drop(): void {
    this.socket?.terminate()
    this.socket = undefined
  }

  #receive(text: string): void {
    const message = JSON.parse(text)
    if (message.method === 'action') this.#apply(message.params)
    else if (message.method !== undefined) this.notifications.push(message)
    else if (this.#waiting.has(message.id)) {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.error) waiting?.reject(message.error)
      else waiting?.resolve(message.result)
    } else this.strays.push(message)
    for (const look of [...this.#watchers]) look()
  }

  #apply(envelope: Envelope): void {
    const { channel, action, serverSeq, origin, rejectionReason } = envelope
    this.envelopes.push(envelope)
    this.lastSeen = Math.max(this.lastSeen, serverSeq)
    const mirror = this.mirrors.get(channel)
    const isOwn = origin?.clientId === this.options.clientId
    if (isOwn && mirror) mirror.pending = mirror.pending.filter(({ clientSeq }) => clientSeq !== origin?.clientSeq)
    if (rejectionReason !== undefined) this.rejections.push(envelope)
    else if (mirror) {
      if (serverSeq <= mirror.seq) this.outOfOrder.push(envelope)
      mirror.seq = serverSeq
      mirror.confirmed = this.#reduce(channel, mirror.confirmed, action)
    }
  }

  #recover(result: Record<string, unknown>): void {
    for (const mirror of this.mirrors.values()) mirror.pending = []
    if (result.type === 'replay') {
      for (const channel of result.missing as string[]) this.mirrors.delete(channel)
      for (const envelope of result.actions as Envelope[]) this.#apply(envelope)
      return
    }
    this.mirrors.clear()
    this.lastSeen = 0
    for (const snapshot of result.snapshots as Snapshot[]) this.#take(snapshot)
  }

  #take({ resource, state, fromSeq }: Snapshot): void {
    this.mirrors.set(resource, { confirmed: state, seq: fromSeq, pending: [] })
    this.lastSeen = Math.max(this.lastSeen, fromSeq)
  }

  #reduce(channel: string, state: State, action: Action): State {
    if (channel === rootChannel) return state
    if (channel === asksChannel) {
      return { ...reduceAsks(state as unknown as AsksState, action as unknown as AsksAction) }
    }
    // What comes over the wire is what the reducers take.
    const [was, happened] = [state as never, action as never]
    const { hasChats, hasTurnTimes } = this.#has
    if (!hasChats) return { ...reduceSession(was, happened, this.options.now()) }
    if (!channel.startsWith('ahp-chat:')) return { ...reduceSessionSummary(was, happened) }
    return { ...(hasTurnTimes ? reduceChat(was, happened) : reduceChat(was, happened, this.options.now())) }
  }

  get #has(): DialectTraits {
    return dialectTraits[this.options.dialect]
  }
}

type Snapshot = Taken<State>
