// An application that nobody here wrote: it speaks the protocol by hand, frame by frame, and does what a test says.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createNetServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws'
import { Mailbox } from './mailbox.js'

export type Frame = Record<string, unknown> & {
  id?: number | string
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

export interface ActionStub {
  name: string
  description?: string
  inputSchema?: object
  outputSchema?: object
  annotations?: object
  timeoutMs?: number
  title?: string
  /** What an invocation does; without it nothing is answered. */
  run?: (invocation: RawInvocation) => unknown
}

/** One invocation, as the application sees it. */
export interface RawInvocation {
  readonly id: string
  readonly input: Record<string, unknown>
  readonly app: RawApp
  /** Asks as the protocol has it, and resolves to the whole reply. */
  ask(question: string, schema?: object): Promise<Frame>
}

export const emptyForm = { type: 'object', properties: {}, required: [] }

export interface RawAppOptions {
  id?: string
  name?: string
  actions?: ActionStub[]
  resources?: object[]
  protocolVersion?: string
  capabilities?: object
}

/** The protocol's frames over whatever carries texts. */
export class RawApp {
  readonly frames = new Mailbox<Frame>()
  readonly closed: Promise<string>
  readonly options: RawAppOptions
  #sent = 0
  readonly #send: (text: string) => void
  readonly hangUp: () => void
  #onClosed: (why: string) => void = () => {}

  constructor(options: RawAppOptions, wire: { send(text: string): void; hangUp(): void }) {
    this.options = options
    this.#send = wire.send
    this.hangUp = wire.hangUp
    this.closed = new Promise(resolve => {
      this.#onClosed = resolve
    })
  }

  take(text: string): void {
    const frame: Frame = JSON.parse(text)
    this.frames.put(frame)
    if (frame.method === 'actions/invoke') void this.#run(frame)
    if (frame.method === 'resources/subscribe' || frame.method === 'resources/unsubscribe')
      this.send({ id: frame.id, result: null })
  }

  gone(why: string): void {
    this.#onClosed(why)
  }

  send(frame: object): void {
    this.#send(JSON.stringify({ jsonrpc: '2.0', ...frame }))
  }

  sendRaw(text: string): void {
    this.#send(text)
  }

  /** Sends a request, and resolves to the reply. */
  request(method: string, params: object): Promise<Frame> {
    const id = `app-${++this.#sent}`
    this.send({ id, method, params })
    return this.frames.when(frame => frame.id === id && frame.method === undefined)
  }

  notify(method: string, params: object): void {
    this.send({ method, params })
  }

  when(method: string): Promise<Frame> {
    return this.frames.when(frame => frame.method === method)
  }

  helloParams(): Record<string, unknown> {
    const { id = 'todo', name = 'Todos', actions = [], resources = [] } = this.options
    return {
      protocolVersion: this.options.protocolVersion ?? '1.2.0',
      app: { id, name, origin: 'raw:test' },
      actions: actions.map(({ run: _, ...action }) => ({
        description: '',
        inputSchema: { type: 'object' },
        annotations: {},
        timeoutMs: 60_000,
        ...action,
      })),
      resources,
      capabilities: this.options.capabilities ?? {
        streaming: true,
        subscriptions: true,
        sampling: true,
        elicitation: true,
      },
    }
  }

  hello(): Promise<Frame> {
    return this.request('tesseron/hello', this.helloParams())
  }

  resume(sessionId: string, resumeToken: string): Promise<Frame> {
    return this.request('tesseron/resume', { ...this.helloParams(), sessionId, resumeToken })
  }

  async #run({ id, params = {} }: Frame): Promise<void> {
    const run = this.options.actions?.find(({ name }) => name === params.name)?.run
    if (run === undefined) return
    const invocationId = String(params.invocationId)
    const input = params.input as Record<string, unknown>
    const ask = (question: string, schema: object = emptyForm) =>
      this.request('elicitation/request', { invocationId, question, schema })
    try {
      this.send({ id, result: { invocationId, output: await run({ id: invocationId, input, app: this, ask }) } })
    } catch (error) {
      this.send({ id, error: error instanceof Error ? { code: -32005, message: error.message } : error })
    }
  }
}

/** An application that listens: each connection of a gateway is one `RawApp`. */
export class ListeningApp {
  readonly connections = new Mailbox<RawApp>()
  readonly instanceId = `inst-${randomUUID()}`
  readonly sessionId = `s_${randomUUID()}`
  readonly resumeToken = randomUUID()
  readonly options: RawAppOptions
  code = 'AB3X-7K'
  /** The protocols that were offered, by connection. */
  readonly offered: string[] = []
  transport: object = {}
  #close: () => Promise<void> = async () => {}
  #isLive = false

  constructor(options: RawAppOptions) {
    this.options = options
  }

  /** As a host that makes codes listens on a WebSocket: it refuses what it should, and says hello once bound. */
  async listenWs({ mints = true }: { mints?: boolean } = {}): Promise<this> {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      handleProtocols: () => 'tesseron-gateway',
      verifyClient: ({ req }, decide) => {
        const offered = String(req.headers['sec-websocket-protocol'])
        this.offered.push(offered)
        const code = /tesseron-bind\.(\S+)/.exec(offered)?.[1]
        if (!mints) decide(true)
        else if (code === undefined) decide(false, 426)
        else if (code !== this.code) decide(false, 403)
        else if (this.#isLive) decide(false, 409)
        else decide(true)
      },
    })
    await once(server, 'listening')
    server.on('connection', socket => {
      this.#isLive = true
      const app = new RawApp(this.options, { send: text => socket.send(text), hangUp: () => socket.terminate() })
      socket.on('message', data => app.take(String(data)))
      socket.on('error', () => {})
      socket.on('close', code => {
        this.#isLive = false
        app.gone(String(code))
      })
      this.connections.put(app)
      void app.hello()
    })
    this.transport = { kind: 'ws', url: `ws://127.0.0.1:${(server.address() as { port: number }).port}/` }
    this.#close = async () => {
      for (const socket of server.clients) socket.terminate()
      await new Promise(resolve => server.close(resolve))
    }
    return this
  }

  /** The same on a Unix socket, where the code is the first message. */
  async listenUds(path: string): Promise<this> {
    const sockets = new Set<Socket>()
    const server = createNetServer(socket => {
      sockets.add(socket)
      const app = new RawApp(this.options, {
        send: text => void socket.write(`${text}\n`),
        hangUp: () => socket.destroy(),
      })
      let rest = ''
      let isBound = false
      socket.on('data', chunk => {
        rest += chunk
        const lines = rest.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const frame: Frame = JSON.parse(line)
          if (isBound) {
            app.take(line)
            continue
          }
          isBound = frame.method === 'tesseron/bind' && frame.params?.code === this.code
          if (isBound) {
            app.send({ id: frame.id, result: {} })
            void app.hello()
          } else {
            app.send({ id: frame.id, error: { code: -32009, message: 'Wrong code.' } })
            socket.end()
          }
        }
      })
      socket.on('error', () => {})
      socket.on('close', () => app.gone('closed'))
      this.connections.put(app)
    })
    server.listen(path)
    await once(server, 'listening')
    this.transport = { kind: 'uds', path }
    this.#close = async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
    return this
  }

  manifest(): Record<string, unknown> {
    return {
      version: 2,
      instanceId: this.instanceId,
      appName: this.options.name ?? 'Todos',
      addedAt: Date.now(),
      pid: process.pid,
      transport: this.transport,
      helloHandledByHost: true,
      hostMintedClaim: {
        code: this.code,
        sessionId: this.sessionId,
        resumeToken: this.resumeToken,
        mintedAt: Date.now(),
        expiresAt: 2 ** 52,
        boundAgent: null,
      },
    }
  }

  /** Writes the manifest, and takes it away when the result is called. */
  publish(home: string, manifest: object = this.manifest()): () => void {
    const path = writeInstance(home, this.instanceId, JSON.stringify(manifest))
    return () => rmSync(path, { force: true })
  }

  async connection(nth = 0): Promise<RawApp> {
    await this.connections.when(() => this.connections.all.length > nth)
    return this.connections.all[nth] as RawApp
  }

  close(): Promise<void> {
    return this.#close()
  }
}

/** Writes a file where manifests are looked for. */
export function writeInstance(home: string, name: string, text: string): string {
  const folder = join(home, '.tesseron', 'instances')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.json`)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** An application that connects to the gateway, as a browser's does. */
export async function connectApp(
  mcpUrl: string,
  options: RawAppOptions,
  { protocols = ['tesseron-app'], ...socketOptions }: ClientOptions & { protocols?: string[] } = {},
): Promise<RawApp> {
  const url = new URL('/beckon/app', mcpUrl)
  url.protocol = 'ws:'
  const socket = new WebSocket(url, protocols, socketOptions)
  const app = new RawApp(options, { send: text => socket.send(text), hangUp: () => socket.terminate() })
  socket.on('message', data => app.take(String(data)))
  socket.on('close', code => app.gone(String(code)))
  await once(socket, 'open')
  return app
}
