import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientAddress } from '../client-address.js'
import { isFromThisMachine } from '../from-this-machine.js'
import { type Body, type Exchange, type HeaderList, withBody } from './exchange.js'

/** A request of `node:http`, with the body that a framework may have read and parsed. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly originalUrl?: string }

/** An exchange on `node:http`. Makes no web objects unless it is asked for one. */
export class NodeExchange implements Exchange {
  readonly #request: NodeRequest
  readonly #response: ServerResponse
  #ended = false

  constructor(request: NodeRequest, response: ServerResponse) {
    this.#request = request
    this.#response = response
  }

  get method(): string {
    return this.#request.method ?? ''
  }

  get path(): string {
    const url = this.#url
    const query = url.indexOf('?')
    return query === -1 ? url : url.slice(0, query)
  }

  get #url(): string {
    return this.#request.originalUrl ?? this.#request.url ?? '/'
  }

  header(name: string): string | undefined {
    // Node has looked for `Host` in this object before anyone has the request, so that it is made already.
    const value = this.#request.headers[name]
    if (typeof value === 'string') return value
    // What every object has, such as a constructor, is no header.
    return Array.isArray(value) ? value.join(', ') : undefined
  }

  get isLocal(): boolean {
    return isFromThisMachine(this.#request)
  }

  get address(): string | undefined {
    return clientAddress(this.#request)
  }

  request(body?: string | ReadableStream<Uint8Array>): Request {
    const gone = new AbortController()
    this.onGone(() => gone.abort())
    const headers = new Headers()
    const raw = this.#request.rawHeaders
    for (let index = 0; index + 1 < raw.length; index += 2) {
      const name = raw[index] ?? ''
      // HTTP/2 has some that are not headers.
      if (!name.startsWith(':')) headers.append(name, raw[index + 1] ?? '')
    }
    const init = { method: this.method, headers, signal: gone.signal }
    return new Request(absolute(this.#url, this.header('host')), body === undefined ? init : withBody(init, body))
  }

  stream(): ReadableStream<Uint8Array> | undefined {
    const request = this.#request
    if (request.body !== undefined || request.readableDidRead) return undefined
    const chunks = request[Symbol.asyncIterator]()
    // Pulled chunk by chunk: what is not taken stays with the client.
    return new ReadableStream<Uint8Array>(
      {
        async pull(stream) {
          const { done, value } = await chunks.next()
          if (done) stream.close()
          else stream.enqueue(value)
        },
        cancel: () => void request.pause(),
      },
      { highWaterMark: 0 },
    )
  }

  receive(maxBytes: number, received: (body: Body) => void): void {
    const request = this.#request
    if (request.body !== undefined) {
      received(parsed(request.body))
      return
    }
    if (Number(this.header('content-length')) > maxBytes) {
      received({ kind: 'too-large' })
      return
    }
    // Most bodies come in one piece. The listeners live as long as the request, which may wait for a person: nothing that came
    // is held any longer than it is read.
    let first: Buffer | undefined
    let more: Buffer[] | undefined
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) {
        request.removeAllListeners('data').removeAllListeners('end').pause()
        first = more = undefined
        received({ kind: 'too-large' })
      } else if (first === undefined) first = chunk
      else if (more === undefined) more = [first, chunk]
      else more.push(chunk)
    })
    request.on('end', () => {
      const text = (more === undefined ? first : Buffer.concat(more))?.toString() ?? ''
      first = more = undefined
      received({ kind: 'text', text })
    })
    // A client that goes away in the middle: there is no one to answer.
    request.on('error', nothing)
  }

  reply(status: number, headers: HeaderList, body: string): void {
    // A framework's own timeout may have replied before us.
    if (!this.#finish() || this.#response.headersSent) return
    const bytes = Buffer.byteLength(body)
    this.#response.writeHead(status, [...headers, 'Content-Length', String(bytes)])
    // Of as many bytes as characters there is one for each: those are copied, and not encoded one by one.
    this.#response.end(body, bytes === body.length ? 'latin1' : 'utf8')
  }

  open(headers: HeaderList): void {
    if (this.#closed || this.#response.headersSent) return
    this.#response.writeHead(200, [...headers])
  }

  write(text: string): void {
    if (this.#closed) return
    this.#response.write(text)
  }

  end(text?: string): void {
    if (this.#finish()) this.#response.end(text)
  }

  async forward(response: Response): Promise<void> {
    if (!this.#finish() || this.#response.headersSent) return void (await response.body?.cancel())
    const headers: string[] = []
    for (const [name, value] of response.headers) headers.push(name, value)
    this.#response.writeHead(response.status, headers)
    if (response.body === null) return void this.#response.end()
    this.#response.flushHeaders()
    // Here and not above, so that a runtime without Node's streams can still serve `fetch`.
    const [{ Readable }, { pipeline }] = await Promise.all([import('node:stream'), import('node:stream/promises')])
    // The web's stream and Node's are the same class at run time and two in the types.
    const body = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream<Uint8Array>)
    // Rejects when the client goes away, which has cancelled the body by then.
    await pipeline(body, this.#response).catch(() => {})
  }

  get backlog(): number {
    return this.#response.closed ? 0 : this.#response.writableLength
  }

  onTaken(listener: () => void): void {
    this.#response.on('drain', listener).on('close', listener)
  }

  get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  destroy(): void {
    this.#response.destroy()
  }

  onGone(listener: () => void): void {
    if (this.#ended) return
    if (this.#response.destroyed) {
      listener()
      return
    }
    this.#response.on('close', () => {
      if (!this.#ended) listener()
    })
  }

  get #closed(): boolean {
    return this.#ended || this.isOver
  }

  #finish(): boolean {
    if (this.#closed) return false
    this.#ended = true
    return true
  }
}

function nothing(): void {}

function absolute(url: string, host: string | undefined): string {
  const base = `http://${host ?? 'localhost'}`
  if (!URL.canParse(url, base)) return 'http://localhost/'
  const parsed = new URL(url, base)
  // No web request can be made with these in its address.
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}

function parsed(body: unknown): Body {
  if (typeof body === 'string') return { kind: 'text', text: body }
  if (body instanceof Uint8Array) return { kind: 'text', text: Buffer.from(body).toString() }
  return { kind: 'value', value: body }
}
