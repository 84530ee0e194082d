// Node's requests as the web's, and the web's responses as Node's.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const maxBytes = 16 * 1024 * 1024

/** The request without its body, which is read as JSON; undefined for none, and for what is not JSON. */
export async function readRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<{ request: Request; body: unknown }> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const { method = 'GET', url = '/' } = incoming
  const text = method === 'POST' ? await readText(incoming) : ''
  const request = new Request(new URL(url, `http://${incoming.headers.host ?? 'unknown'}`), {
    method,
    headers,
    signal: gone.signal,
    ...(method === 'POST' && { body: text }),
  })
  return { request, body: parse(text) }
}

export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.flushHeaders()
  if (response.body === null) outgoing.end()
  // A client that goes away ends the stream, which is not an error.
  else
    await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing).catch(() => {})
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBytes) throw new Error(`a body has at most ${maxBytes} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
