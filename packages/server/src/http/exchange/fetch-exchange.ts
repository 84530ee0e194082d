import { type Body, type Exchange, type HeaderList, withBody } from './exchange.js'

const encoder = new TextEncoder()

/** An exchange on web standards: takes a `Request`, and `response` resolves to what is sent back. */
export class FetchExchange implements Exchange {
  readonly response: Promise<Response>
  readonly #request: Request
  readonly #listeners: (() => void)[] = []
  readonly #takers: (() => void)[] = []
  #respond: (response: Response) => void = () => {}
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined
  #ended = false
  #gone = false
  #forwarded: Forwarded | undefined

  constructor(request: Request) {
    this.#request = request
    this.response = new Promise(resolve => {
      this.#respond = resolve
    })
  }

  get method(): string {
    return this.#request.method
  }

  get path(): string {
    return new URL(this.#request.url).pathname
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name)
    if (value !== null) return value
    return name === 'host' ? new URL(this.#request.url).host : undefined
  }

  /** A web request does not say where it came from. */
  get isLocal(): boolean {
    return false
  }

  get address(): undefined {
    return undefined
  }

  request(body?: string | ReadableStream<Uint8Array>): Request {
    const { url, method, headers, signal } = this.#request
    const gone = new AbortController()
    if (signal.aborted) gone.abort()
    this.onGone(() => gone.abort())
    const init = { method, headers, signal: gone.signal }
    return new Request(url, body === undefined ? init : withBody(init, body))
  }

  stream(): ReadableStream<Uint8Array> | undefined {
    if (this.#request.bodyUsed) return undefined
    return this.#request.body ?? new ReadableStream({ start: stream => stream.close() })
  }

  receive(maxBytes: number, received: (body: Body) => void): void {
    if (this.#request.bodyUsed) {
      received({ kind: 'broken' })
      return
    }
    if (Number(this.#request.headers.get('content-length')) > maxBytes) {
      received({ kind: 'too-large' })
      return
    }
    readAll(this.#request.body, maxBytes).then(
      text => received(text === undefined ? { kind: 'too-large' } : { kind: 'text', text }),
      () => received({ kind: 'broken' }),
    )
  }

  reply(status: number, headers: HeaderList, body: string): void {
    if (!this.#finish()) return
    this.#respond(new Response(mayHaveBody(status) ? body : null, { status, headers: toHeaders(headers) }))
  }

  open(headers: HeaderList): void {
    if (this.#closed) return
    const body = new ReadableStream<Uint8Array>(
      {
        start: stream => {
          this.#stream = stream
        },
        pull: () => this.#taken(),
        cancel: () => {
          this.#stream = undefined
          this.#leave()
          this.#taken()
        },
      },
      { highWaterMark: 0, size: chunk => chunk?.byteLength ?? 0 },
    )
    this.#respond(new Response(body, { status: 200, headers: toHeaders(headers) }))
  }

  write(text: string): void {
    if (!this.#closed) this.#stream?.enqueue(encoder.encode(text))
  }

  end(text?: string): void {
    if (text !== undefined) this.write(text)
    // Closed when the rest is taken, which could not be seen otherwise.
    if (this.#finish() && this.backlog === 0) this.#close()
  }

  async forward(response: Response): Promise<void> {
    if (!this.#finish()) return void (await response.body?.cancel())
    if (response.body === null || !isEventStream(response)) return this.#respond(response)
    this.#forwarded = new Forwarded(response.body)
    this.#respond(new Response(this.#forwarded.body, response))
  }

  get backlog(): number {
    return Math.max(0, -(this.#stream?.desiredSize ?? 0))
  }

  onTaken(listener: () => void): void {
    this.#takers.push(listener)
  }

  get isOver(): boolean {
    return this.#forwarded?.isOver ?? (this.#gone || (this.#ended && this.#stream === undefined))
  }

  destroy(): void {
    this.#forwarded?.cut()
    this.#leave()
    this.#stream?.error(new Error('The connection was cut off'))
    this.#stream = undefined
  }

  onGone(listener: () => void): void {
    if (this.#ended) return
    if (this.#gone) {
      listener()
      return
    }
    if (this.#listeners.push(listener) > 1) return
    if (this.#request.signal.aborted) this.#leave()
    else this.#request.signal.addEventListener('abort', () => this.#leave(), { once: true })
  }

  get #closed(): boolean {
    return this.#ended || this.#gone
  }

  #leave(): void {
    if (this.#closed) return
    this.#gone = true
    // The runtime may still wait for a response that no one will read.
    this.#respond(new Response(null, { status: 499 }))
    for (const listener of this.#listeners.splice(0)) listener()
  }

  /** The client has read everything, and wants more. */
  #taken(): void {
    if (this.#ended) this.#close()
    for (const listener of this.#takers) listener()
  }

  #close(): void {
    this.#stream?.close()
    this.#stream = undefined
  }

  #finish(): boolean {
    if (this.#closed) return false
    this.#ended = true
    return true
  }
}

/** The body of somebody else's response, which can be cut off on the way. */
class Forwarded {
  readonly body: ReadableStream<Uint8Array>
  readonly #cut = new AbortController()
  isOver = false

  constructor(source: ReadableStream<Uint8Array>) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    this.body = readable
    const over = (): void => {
      this.isOver = true
    }
    source.pipeTo(writable, { signal: this.#cut.signal }).then(over, over)
  }

  cut(): void {
    this.#cut.abort()
  }
}

async function readAll(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<string | undefined> {
  if (stream === null) return ''
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

function toHeaders(list: HeaderList): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < list.length; index += 2) headers.append(list[index] ?? '', list[index + 1] ?? '')
  return headers
}

function mayHaveBody(status: number): boolean {
  return status !== 202 && status !== 204
}
