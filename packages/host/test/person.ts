// A person at a desk, with a client of the live protocol: sees every session, and answers what is open there.
import { once } from 'node:events'
import { WebSocket } from 'ws'

/** An ask as the person sees it. */
export interface Seen {
  readonly channel: string
  /** Of the session. */
  readonly title: string
  /** Who asks. */
  readonly server: string
  readonly request: {
    readonly id: string
    readonly message?: string
    readonly url?: string
    readonly questions?: readonly Record<string, unknown>[]
    readonly answers?: Readonly<Record<string, unknown>>
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

interface State {
  readonly activeTurn?: { readonly id: string }
  readonly inputRequests?: readonly Seen['request'][]
}

interface Envelope {
  readonly channel: string
  readonly action: { readonly type: string } & Readonly<Record<string, unknown>>
  readonly origin?: { readonly clientSeq: number }
  readonly rejectionReason?: string
}

interface Summary {
  readonly resource: string
  readonly title: string
  readonly provider: string
}

/** Of the requests that are made here. */
interface Result {
  readonly snapshot?: { readonly state: State }
}

const root = 'ahp-root://'

export class Person {
  readonly actions: Envelope[] = []
  readonly #socket: WebSocket
  readonly #sessions = new Map<string, Summary>()
  readonly #open = new Map<string, Seen>()
  readonly #taken = new Set<string>()
  readonly #replies = new Map<number, (result: Result) => void>()
  readonly #watchers = new Set<() => void>()
  #lastId = 0

  static async at(socketUrl: string): Promise<Person> {
    const socket = new WebSocket(socketUrl)
    const person = new Person(socket)
    await once(socket, 'open')
    await person.#request('initialize', {
      channel: root,
      protocolVersions: ['0.3.0'],
      clientId: 'person',
      initialSubscriptions: [root],
    })
    return person
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', data => this.#receive(JSON.parse(String(data))))
  }

  get sessions(): readonly Summary[] {
    return [...this.#sessions.values()]
  }

  get open(): readonly Seen[] {
    return [...this.#open.values()]
  }

  /** The next ask that was not given out yet. */
  async next(): Promise<Seen> {
    const found = await this.#until(() => this.open.find(({ request }) => !this.#taken.has(request.id)))
    this.#taken.add(found.request.id)
    return found
  }

  /** Resolves when an ask is no longer open, however that came. */
  async gone({ request }: Seen): Promise<void> {
    await this.#until(() => !this.#open.has(request.id) || undefined)
  }

  /** Waits for something to happen in a session. */
  happened(type: string, count = 1): Promise<true> {
    return this.#until(() => this.actions.filter(({ action }) => action.type === type).length >= count || undefined)
  }

  accept(seen: Seen, answers: Record<string, unknown> = {}): Promise<string | undefined> {
    const submitted = Object.entries(answers).map(([id, value]) => [id, { state: 'submitted', value }])
    return this.#complete(seen, { response: 'accept', answers: Object.fromEntries(submitted) })
  }

  decline(seen: Seen, reason?: string): Promise<string | undefined> {
    return this.#complete(seen, { response: 'decline', ...(reason !== undefined && { reason }) })
  }

  cancel(seen: Seen): Promise<string | undefined> {
    return this.#complete(seen, { response: 'cancel' })
  }

  /** Ends the turn that is going on in a session. */
  async endTurn(channel: string): Promise<string | undefined> {
    const { snapshot } = await this.#request('subscribe', { channel })
    return this.dispatch(channel, { type: 'session/turnCancelled', turnId: snapshot?.state.activeTurn?.id })
  }

  close(): void {
    this.#socket.terminate()
  }

  /** Sends an action; resolves to why the desk did not take it. */
  async dispatch(channel: string, action: object): Promise<string | undefined> {
    const clientSeq = ++this.#lastId
    const params = { channel, clientSeq, action }
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'dispatchAction', params }))
    const echo = await this.#until(() => this.actions.find(({ origin }) => origin?.clientSeq === clientSeq))
    return echo.rejectionReason
  }

  #complete({ channel, request }: Seen, how: object): Promise<string | undefined> {
    return this.dispatch(channel, { type: 'session/inputCompleted', requestId: request.id, ...how })
  }

  #request(method: string, params: object): Promise<Result> {
    const id = ++this.#lastId
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return new Promise(resolve => this.#replies.set(id, resolve))
  }

  #until<T>(look: () => T | undefined): Promise<T> {
    return new Promise(resolve => {
      const watcher = () => {
        const found = look()
        if (found === undefined) return
        this.#watchers.delete(watcher)
        resolve(found)
      }
      this.#watchers.add(watcher)
      watcher()
    })
  }

  #receive(message: { id?: number; method?: string; params?: never; result?: Result }): void {
    const { id, method, params = {} as never, result } = message
    if (id !== undefined) this.#replies.get(id)?.(result ?? {})
    if (method === 'action') this.#happened(params)
    if (method === 'root/sessionAdded') void this.#enter(params)
    for (const watcher of [...this.#watchers]) watcher()
  }

  async #enter({ summary }: { summary: Summary }): Promise<void> {
    const channel = summary.resource
    this.#sessions.set(channel, summary)
    const { snapshot } = await this.#request('subscribe', { channel })
    for (const request of snapshot?.state.inputRequests ?? []) this.#see(channel, request)
  }

  #happened(envelope: Envelope): void {
    const { action, channel, rejectionReason } = envelope
    this.actions.push(envelope)
    if (rejectionReason !== undefined) return
    if (action.type === 'session/inputRequested') this.#see(channel, action.request as Seen['request'])
    if (action.type === 'session/inputCompleted') this.#open.delete(String(action.requestId))
    if (/session\/(turn(Complete|Cancelled)|error)/.test(action.type))
      for (const seen of this.open) if (seen.channel === channel) this.#open.delete(seen.request.id)
  }

  #see(channel: string, request: Seen['request']): void {
    const { title = '', provider = '' } = this.#sessions.get(channel) ?? {}
    this.#open.set(request.id, { channel, title, server: provider, request })
    for (const watcher of [...this.#watchers]) watcher()
  }
}
