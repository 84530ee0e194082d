// Several servers as one, for one client: tools and prompts are named after their server, `files__read`, and everything about
// one of them goes to it. What has an address keeps it, and goes to the server that it was seen at. A server that is away, or
// dies, takes its own things with it and no other's; it is tried again when someone wants something of it.
import { dropOldest } from '@beckon/core'
import type { Notification } from '@modelcontextprotocol/client'
import { type Fields, fields } from '../fields.js'
import type { Backend, Routed } from './backend.js'
import { between, mergedCapabilities, named, ownName } from './merged.js'
import type { ForwardOptions, Upstream } from './upstream.js'

export interface ServersOptions {
  /** Connects to one of the servers. */
  readonly open: (name: string) => Promise<Upstream>
  readonly names: readonly string[]
  readonly say: (line: string) => void
  readonly now?: () => number
}

interface Member {
  readonly name: string
  upstream: Upstream | undefined
  opening: Promise<Upstream | undefined> | undefined
  triedAt: number
}

/** A server that is away is tried again after this, and not for every list. */
const retryMs = 5_000
/** A server that never ends its list. */
const maxPages = 100
/** Tasks and addresses whose server is remembered. Beyond this the oldest are looked for again. */
const maxRemembered = 10_000

/** What a list has, and what names each. */
const lists: Readonly<
  Record<
    string,
    { readonly of: string; readonly needs: string; readonly by: 'name' | 'uri' | 'uriTemplate' | 'taskId' }
  >
> = {
  'tools/list': { of: 'tools', needs: 'tools', by: 'name' },
  'prompts/list': { of: 'prompts', needs: 'prompts', by: 'name' },
  'resources/list': { of: 'resources', needs: 'resources', by: 'uri' },
  'resources/templates/list': { of: 'resourceTemplates', needs: 'resources', by: 'uriTemplate' },
  'tasks/list': { of: 'tasks', needs: 'tasks', by: 'taskId' },
}

const noList = { of: '', needs: '', by: 'name' } as const

export class Servers implements Backend {
  readonly #options: ServersOptions
  readonly #members: readonly Member[]
  readonly #listeners = new Set<(notification: Notification) => void>()
  /** By address, template or task, the server that it was seen at. */
  readonly #seenAt = new Map<string, string>()
  #isClosed = false

  private constructor(options: ServersOptions) {
    this.#options = options
    this.#members = options.names.map(name => ({ name, upstream: undefined, opening: undefined, triedAt: 0 }))
  }

  /** @throws where none of them can be reached */
  static async open(options: ServersOptions): Promise<Servers> {
    const servers = new Servers(options)
    await Promise.all(servers.#members.map(member => servers.#connect(member)))
    if (servers.#here.length === 0) throw new Error('None of the servers can be reached.')
    return servers
  }

  get info(): { name: string; version: string } {
    return { name: this.#options.names.join(', '), version: '1' }
  }

  get capabilities(): Record<string, unknown> {
    return mergedCapabilities(this.#here.map(({ capabilities }) => capabilities))
  }

  get instructions(): string | undefined {
    const said = this.#here.flatMap(({ name, instructions }) => (instructions ? [`${name}: ${instructions}`] : []))
    return said.length === 0 ? undefined : said.join('\n\n')
  }

  get isModern(): boolean {
    return this.#here.every(({ isModern }) => isModern)
  }

  get usesDesk(): boolean {
    return this.#here.some(({ usesDesk }) => usesDesk)
  }

  get isBusy(): boolean {
    return this.#here.some(({ isBusy }) => isBusy)
  }

  isAskingFor(call: Fields): boolean {
    const { server, name } = ownName(call.name)
    return this.#member(server)?.upstream?.isAskingFor({ ...call, name }) === true
  }

  async route(method: string, params: Fields): Promise<Routed> {
    if (method === 'resources/read') return { upstream: await this.#at(String(params.uri)), params }
    const { server, name } = ownName(params.name)
    const upstream = await this.#reach(server)
    return { upstream, params: { ...params, name }, seen: result => this.#keepNames(server, result) }
  }

  async forward(method: string, params: Fields, options: ForwardOptions): Promise<Fields> {
    if (Object.hasOwn(lists, method)) return this.#list(method, options)
    switch (method) {
      case 'ping':
        return {}
      case 'logging/setLevel':
        await Promise.all(this.#having('logging').map(upstream => upstream.forward(method, params, options)))
        return {}
      case 'completion/complete':
        return this.#complete(params, options)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return (await this.#at(String(params.uri))).forward(method, params, options)
    }
    if (method.startsWith('tasks/')) return this.#task(method, params, options)
    throw refused(-32601, 'Method not found')
  }

  async notify(notification: Notification): Promise<void> {
    await Promise.all(this.#here.map(upstream => upstream.notify(notification).catch(() => {})))
  }

  async subscribe(uri: string): Promise<Fields> {
    return (await this.#at(uri)).subscribe(uri)
  }

  onNotification(listener: (notification: Notification) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** It stays, whichever of them goes. */
  onClose(): void {}

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#members.map(async ({ opening, upstream }) => (upstream ?? (await opening))?.close()))
  }

  get #here(): Upstream[] {
    return this.#members.flatMap(({ upstream }) => upstream ?? [])
  }

  #having(capability: string): Upstream[] {
    return this.#here.filter(({ capabilities }) => capabilities[capability] !== undefined)
  }

  #member(name: string): Member | undefined {
    return this.#members.find(member => member.name === name)
  }

  /** @throws for a name that no server has, and for one that is away */
  async #reach(name: string): Promise<Upstream> {
    const member = this.#member(name)
    if (member === undefined)
      throw refused(-32602, `There is no server for this name. Names begin with ${this.#prefixes}.`)
    const upstream = await this.#connect(member)
    if (upstream === undefined) throw refused(-32000, `The server "${name}" is away. Try again later.`)
    return upstream
  }

  get #prefixes(): string {
    return this.#options.names.map(name => `"${named(name, '')}"`).join(', ')
  }

  #connect(member: Member): Promise<Upstream | undefined> {
    const { now = Date.now } = this.#options
    if (member.upstream !== undefined) return Promise.resolve(member.upstream)
    if (member.opening !== undefined) return member.opening
    if (this.#isClosed || now() - member.triedAt < retryMs) return Promise.resolve(undefined)
    member.triedAt = now()
    member.opening = this.#open(member).finally(() => {
      member.opening = undefined
    })
    return member.opening
  }

  async #open(member: Member): Promise<Upstream | undefined> {
    const { open, say } = this.#options
    const { name } = member
    try {
      const upstream = await open(name)
      if (this.#isClosed) {
        await upstream.close()
        return undefined
      }
      member.upstream = upstream
      // One that was there and dies is started again at once.
      member.triedAt = 0
      upstream.onNotification(notification => this.#tell(notification))
      upstream.onClose(() => this.#lost(member, upstream))
      return upstream
    } catch (error) {
      say(`The server "${name}" cannot be reached; the others go on. ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }

  #lost(member: Member, upstream: Upstream): void {
    if (this.#isClosed || member.upstream !== upstream) return
    member.upstream = undefined
    this.#options.say(`The server "${member.name}" has gone; the others go on.`)
    for (const list of ['tools', 'prompts', 'resources']) {
      if (upstream.capabilities[list] !== undefined) this.#tell({ method: `notifications/${list}/list_changed` })
    }
  }

  #tell(notification: Notification): void {
    for (const listener of this.#listeners) listener(notification)
  }

  /** All of a list, of all servers that have one, in the order of the servers. */
  async #list(method: string, options: ForwardOptions): Promise<Fields> {
    const { of, needs, by } = lists[method] ?? noList
    const found = await Promise.all(
      this.#members.map(async member => {
        const upstream = await this.#connect(member)
        if (upstream === undefined || upstream.capabilities[needs] === undefined) return []
        return listOf(upstream, method, options).catch(error => {
          const why = error instanceof Error ? error.message : String(error)
          this.#options.say(`The server "${member.name}" does not say what it has. ${why}`)
          return []
        })
      }),
    )
    const all = this.#members.flatMap(({ name: server }, index) =>
      (found[index] ?? []).map(item => {
        if (by === 'name') return { ...item, name: named(server, String(item.name)) }
        this.#remember(String(item[by]), server)
        return item
      }),
    )
    return { [of]: all }
  }

  /** The server of an address: where it was seen, which has a template for it, or else the first that has resources. */
  async #at(uri: string): Promise<Upstream> {
    if (this.#ownerOf(uri) === undefined) await this.#look()
    const owner = this.#ownerOf(uri)
    if (owner !== undefined) return this.#reach(owner)
    const [first] = this.#having('resources')
    if (first === undefined) throw refused(-32002, 'There is no such resource.')
    return first
  }

  async #look(): Promise<void> {
    const options = { signal: new AbortController().signal }
    await this.#list('resources/list', options)
    await this.#list('resources/templates/list', options)
  }

  #ownerOf(uri: string): string | undefined {
    const fits = ([template]: readonly [string, string]) => template.includes('{') && between(template, uri)
    return this.#seenAt.get(uri) ?? [...this.#seenAt].find(fits)?.[1]
  }

  async #complete(params: Fields, options: ForwardOptions): Promise<Fields> {
    const ref = fields(params.ref)
    if (ref.uri !== undefined) return (await this.#at(String(ref.uri))).forward('completion/complete', params, options)
    const { server, name } = ownName(ref.name)
    return (await this.#reach(server)).forward('completion/complete', { ...params, ref: { ...ref, name } }, options)
  }

  /** To the server of the task; where that is not known, to each of them, until one knows it. */
  async #task(method: string, params: Fields, options: ForwardOptions): Promise<Fields> {
    const known = this.#seenAt.get(String(params.taskId))
    if (known !== undefined) return (await this.#reach(known)).forward(method, params, options)
    let failure: unknown = refused(-32602, 'There is no such task.')
    for (const upstream of this.#here) {
      try {
        const result = await upstream.forward(method, params, options)
        this.#remember(String(params.taskId), upstream.name)
        return result
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** A task, and what a result links to, is of the server that named it. */
  #keepNames(server: string, result: Fields): void {
    const { taskId } = result.task === undefined ? result : fields(result.task)
    if (typeof taskId === 'string') this.#remember(taskId, server)
    for (const block of Array.isArray(result.content) ? result.content.map(fields) : [])
      if (block.type === 'resource_link' && typeof block.uri === 'string') this.#remember(block.uri, server)
  }

  /** The first that has an address keeps it. */
  #remember(key: string, name: string): void {
    if (this.#seenAt.has(key)) return
    this.#seenAt.set(key, name)
    dropOldest(this.#seenAt, maxRemembered)
  }
}

/** All pages of a list of one server. */
async function listOf(upstream: Upstream, method: string, options: ForwardOptions): Promise<Fields[]> {
  const { of } = lists[method] ?? noList
  const all: Fields[] = []
  let cursor: unknown
  for (let pages = 0; pages < maxPages; pages++) {
    const { [of]: found, nextCursor } = await upstream.forward(method, cursor === undefined ? {} : { cursor }, options)
    if (Array.isArray(found)) all.push(...found.map(fields))
    cursor = nextCursor
    if (cursor === undefined) break
  }
  return all
}

function refused(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
