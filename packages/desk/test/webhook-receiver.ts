import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly body: any
}

/** What a receiver does with a request: a status, or whatever it likes with the response. */
export type Answer = (received: Received, response: ServerResponse) => number | undefined

/** A receiver of webhooks on a real port. */
export async function webhookReceiver(): Promise<{
  url: string
  received: Received[]
  answer: (answer: Answer) => void
  close(): Promise<void>
}> {
  const received: Received[] = []
  let answer: Answer = () => 204
  const server = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req.setEncoding('utf8')) text += chunk
    const one = { path: req.url ?? '', headers: req.headers, text, body: JSON.parse(text) }
    received.push(one)
    const status = answer(one, res)
    if (status !== undefined) res.writeHead(status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: next => {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
