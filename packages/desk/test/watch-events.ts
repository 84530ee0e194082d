import { type ClientRequest, type IncomingMessage, request } from 'node:http'

export interface SeenEvent {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  readonly data: any
}

/** A client of server-sent events on a real connection, which reads only as long as it is not paused. */
export class EventsClient {
  readonly events: SeenEvent[] = []
  lastEventId = ''
  status = 0
  isEnded = false
  text = ''
  #waiting: (() => void)[] = []
  #rest = ''
  #request: ClientRequest | undefined
  #response: IncomingMessage | undefined

  static open(
    url: string,
    { as = 'alice', lastEventId }: { as?: string; lastEventId?: string } = {},
  ): Promise<EventsClient> {
    const client = new EventsClient()
    const headers = {
      authorization: `Bearer ${as}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    }
    return new Promise((resolve, reject) => {
      client.#request = request(url, { headers, agent: false }, response => {
        client.#response = response
        client.status = response.statusCode ?? 0
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => client.#read(chunk))
        response.on('close', () => {
          client.isEnded = true
          client.#told()
        })
        response.on('error', () => {})
        client.until(() => client.lastEventId !== '' || client.isEnded).then(() => resolve(client), reject)
      })
      client.#request.on('error', reject).end()
    })
  }

  /** Resolves once it holds. The test's own time limit says when it never does. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }

  async count(events: number): Promise<SeenEvent[]> {
    await this.until(() => this.events.length >= events)
    return this.events
  }

  pause(): void {
    this.#response?.pause()
  }

  resume(): void {
    this.#response?.resume()
  }

  close(): void {
    this.#request?.destroy()
  }

  #read(chunk: string): void {
    this.text += chunk
    const blocks = (this.#rest + chunk).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      this.lastEventId = fields.get('id') ?? this.lastEventId
      const data = fields.get('data')
      if (data !== undefined)
        this.events.push({ id: this.lastEventId, event: fields.get('event') ?? '', data: JSON.parse(data) })
    }
    this.#told()
  }

  #told(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const look of waiting) look()
  }
}
