// One connection to the server, for one client: it declares what that client declares, and elicitation for one that
// cannot ask, whose asks go to the desk. Everything but asks passes as it is.

import { type Answered, answerWith } from '@beckon/host'
import {
  Client,
  LOG_LEVEL_META_KEY,
  type Notification,
  type Progress,
  ProtocolError,
} from '@modelcontextprotocol/client'
import { connect, negotiation, type TransportOptions } from '../connect/connect.js'
import type { Target } from '../connect/target.js'
import { type Fields, fields } from '../fields.js'
import { anything, neverMs } from './anything.js'
import type { Backend, Routed } from './backend.js'
import { canAsk, type Downstream, declaredFor, hasTasks } from './downstream.js'
import { remember, waysTo } from './known-eras.js'
import { OpenAsks } from './open-asks.js'
import type { ProxyDesk } from './proxy-desk.js'
import { type Running, RunningRequests } from './running.js'
import { TaskAsks } from './task-asks.js'
import { passTasks, taskIn } from './task-results.js'

export interface ForwardOptions {
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface UpstreamOptions extends TransportOptions {
  readonly target: Target
  /** What it is called among several. Default: as it calls itself. */
  readonly name?: string | undefined
  readonly desk: ProxyDesk
}

const askingMethods = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const

export class Upstream implements Backend {
  readonly #client: Client
  readonly #downstream: Downstream
  readonly #answered: Answered | undefined
  readonly #openAsks = new OpenAsks()
  /** Tools that said so of themselves in a list that passed. */
  readonly #destructive = new Set<string>()
  readonly #taskAsks: TaskAsks | undefined
  readonly #running = new RunningRequests()
  readonly #listeners = new Set<(notification: Notification) => void>()
  readonly #name: string | undefined
  #level: unknown
  readonly #subscribed = new Map<string, Promise<unknown>>()

  private constructor(client: Client, downstream: Downstream, { desk: own, name }: UpstreamOptions) {
    this.#client = client
    this.#downstream = downstream
    this.#name = name
    const desk = name === undefined ? own : namedDesk(own, name)
    if (!canAsk(downstream)) {
      const answered = answerWith(this.#openAsks.on(desk), client, {
        isDestructive: tool => this.#destructive.has(tool),
        log: problem => desk.say(problem),
        onVisit: ({ tool, input }) => this.#openAsks.begin(tool, input),
      })
      this.#answered = answered
      const update = (params: Fields) => this.#request('tasks/update', params, { signal: new AbortController().signal })
      if (hasTasks(downstream)) this.#taskAsks = new TaskAsks({ elicit: answered.elicit, update, desk })
    }
    this.#takeAsks()
    client.fallbackNotificationHandler = async notification => this.#tell(notification)
  }

  /** Connects in the client's own era where the server has it, so that least is translated. */
  static async open(downstream: Downstream, options: UpstreamOptions): Promise<Upstream> {
    const wanted = waysTo(options.target, downstream)
    for (const [tries, { era, probesInPlace }] of wanted.entries()) {
      const client = new Client(downstream.info, {
        capabilities: declaredFor(downstream),
        versionNegotiation: negotiation(era),
      })
      const upstream = new Upstream(client, downstream, options)
      try {
        await connect(client, options.target, { ...options, probesInPlace })
        remember(options.target, downstream, upstream.isModern)
        passTasks(client)
        await upstream.#watchLists()
        return upstream
      } catch (error) {
        if (tries === wanted.length - 1) throw error
      }
    }
    throw new Error('The server speaks no revision of the protocol that is known here.')
  }

  /** What people know it by. */
  get name(): string {
    return this.#name ?? this.info.name
  }

  get capabilities(): Record<string, unknown> {
    return fields(this.#client.getServerCapabilities())
  }

  get info(): { name: string; version: string } {
    return this.#client.getServerVersion() ?? { name: 'server', version: '0' }
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions()
  }

  get isModern(): boolean {
    return this.#client.getProtocolEra() === 'modern'
  }

  /** Whether asks of this connection go to the desk. */
  get usesDesk(): boolean {
    return this.#answered !== undefined
  }

  /** Whether something is going on that a person may be asked for. */
  get isBusy(): boolean {
    return !this.#running.isEmpty || this.#taskAsks?.isAsking === true
  }

  /** Whether a person is being asked on the desk for the call with these parameters. */
  isAskingFor(call: Fields): boolean {
    return this.#openAsks.has(call)
  }

  async route(_method: string, params: Fields): Promise<Routed> {
    return { upstream: this, params }
  }

  onNotification(listener: (notification: Notification) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onClose(listener: () => void): void {
    this.#client.onclose = listener
  }

  /** Sends a request on, and gives back the server's result; an `input_required` too. */
  async forward(method: string, params: Fields, { signal, onProgress }: ForwardOptions): Promise<Fields> {
    if (method === 'logging/setLevel' && this.isModern) {
      this.#level = params.level
      return {}
    }
    if (method === 'resources/subscribe' && this.isModern) return this.subscribe(String(params.uri))
    const sent = await this.#ready(params)
    const result = await this.#request(method, sent, { signal, onProgress })
    if (method === 'tools/list') for (const name of destructiveIn(result)) this.#destructive.add(name)
    if (method === 'tasks/cancel') this.#taskAsks?.ended(String(params.taskId))
    return method === 'tasks/get' ? (this.#taskAsks?.seen(String(params.taskId), result) ?? result) : result
  }

  /** Calls a tool with its asks on the desk. */
  async callOnDesk(params: Fields, running: Running, { signal, onProgress }: ForwardOptions): Promise<Fields> {
    const answered = this.#answered
    if (answered === undefined) throw new Error('This client asks its own person.')
    // The official client checks what it sends.
    const call = (await this.#ready(params)) as { name: string }
    const options = { signal, timeout: neverMs, ...(onProgress && { onprogress: onProgress }) }
    const begin = this.#taskAsks === undefined ? answered.callTool : answered.beginTool
    const result = await this.during(running, () => begin(call, options).catch(rethrow))
    if (!('taskId' in result) || 'content' in result) return result
    const isDestructive = this.#destructive.has(call.name)
    this.#taskAsks?.began(String(result.taskId), { tool: call.name, input: params.arguments ?? {}, isDestructive })
    return { resultType: 'task', ...result }
  }

  /** Runs something during which the server may ask. */
  during<T>(running: Running, work: () => Promise<T>): Promise<T> {
    return this.#running.during(running, work)
  }

  async notify(notification: Notification): Promise<void> {
    await this.#client.notification(notification)
  }

  async subscribe(uri: string): Promise<Fields> {
    const subscribing = this.#subscribed.get(uri) ?? this.#subscribe(uri)
    this.#subscribed.set(uri, subscribing)
    try {
      await subscribing
    } catch (error) {
      // The next caller tries again.
      if (this.#subscribed.get(uri) === subscribing) this.#subscribed.delete(uri)
      throw error
    }
    return {}
  }

  async close(): Promise<void> {
    this.#answered?.close()
    await this.#client.close()
  }

  #subscribe(uri: string): Promise<unknown> {
    if (this.isModern) return this.#client.listen({ resourceSubscriptions: [uri] })
    return this.#request('resources/subscribe', { uri }, { signal: new AbortController().signal })
  }

  #request(method: string, params: Fields, { signal, onProgress }: ForwardOptions): Promise<Fields> {
    return this.#client
      .request({ method, params: { ...params } }, anything, {
        signal,
        timeout: neverMs,
        // With the desk, the official client answers the rounds itself.
        allowInputRequired: this.#answered === undefined,
        ...(onProgress && { onprogress: onProgress }),
      })
      .then(result => taskIn(result) ?? result)
      .catch(rethrow)
  }

  /**
   * Parameters as they are sent on. A progress token is made anew, and the level of log messages is said as the
   * server's era has it: with every request since 2026-07-28, and once before.
   */
  async #ready(params: Fields): Promise<Fields> {
    const { _meta, ...rest } = params
    const { progressToken: _, [LOG_LEVEL_META_KEY]: wanted = this.#level, ...meta } = fields(_meta)
    if (wanted !== undefined && this.isModern) meta[LOG_LEVEL_META_KEY] = wanted
    else if (wanted !== undefined && wanted !== this.#level && this.capabilities.logging !== undefined) {
      this.#level = wanted
      await this.#request('logging/setLevel', { level: wanted }, { signal: new AbortController().signal })
    }
    return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest
  }

  /** What the client can be asked by the server itself is put to it, for the request that it belongs to. */
  #takeAsks(): void {
    const { elicitation, sampling, roots } = this.#downstream.capabilities
    const has = { 'elicitation/create': elicitation, 'sampling/createMessage': sampling, 'roots/list': roots }
    for (const method of askingMethods) {
      if (has[method] === undefined || !this.#mayAsk(method)) continue
      this.#client.setRequestHandler(method, { params: anything }, async (params, { mcpReq }) => {
        const asking = this.#running.current
        if (asking === undefined) throw new ProtocolError(-32600, 'The server asks although no call is going on.')
        return { ...(await asking.ask(method, params, mcpReq.signal)) } as never
      })
    }
  }

  #mayAsk(method: string): boolean {
    return method === 'elicitation/create' || !this.usesDesk || this.#downstream.era === '2025'
  }

  /** Since 2026-07-28 a client hears of changes only where it listens. */
  async #watchLists(): Promise<void> {
    if (!this.isModern) return
    const { tools, prompts, resources } = this.#client.getServerCapabilities() ?? {}
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
    }
    if (Object.keys(filter).length > 0) await this.#client.listen(filter).catch(() => {})
  }

  #tell(notification: Notification): void {
    if (notification.method === 'notifications/message' && this.#downstream.era === '2026') {
      this.#running.current?.log(fields(notification.params))
    } else for (const listener of this.#listeners) listener(notification)
  }
}

/** A desk on which a server has the name that people gave it. */
function namedDesk(desk: ProxyDesk, server: string): ProxyDesk {
  return { ...desk, open: (subject, ...asked) => desk.open({ ...subject, server }, ...asked) }
}

function destructiveIn({ tools }: Fields): string[] {
  const named = Array.isArray(tools) ? tools.map(fields) : []
  return named.filter(({ annotations }) => fields(annotations).destructiveHint === true).map(({ name }) => String(name))
}

/** A server's error leaves as it came. */
function rethrow(error: unknown): never {
  if (error instanceof ProtocolError) {
    throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
  }
  throw error
}
