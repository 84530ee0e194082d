import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { limitedFetch } from './limited-fetch.js'

const megabyte = 1024 * 1024

/** Sends so many pieces of a megabyte. */
async function sending(type: string, piece: Buffer, pieces: number): Promise<string> {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': type })
    for (let sent = 0; sent < pieces && !response.destroyed; sent++) {
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    response.end()
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function length(response: Response): Promise<number> {
  let bytes = 0
  // Node's own type has the iterator that the web's lacks.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
  return bytes
}

const text = Buffer.alloc(megabyte, 'x')
const lines = Buffer.from(`${'x'.repeat(megabyte - 1)}\n`)

it('reads an answer, and breaks off one that does not end', { timeout: 120_000 }, async () => {
  expect(await length(await limitedFetch(await sending('application/json', text, 10)))).toBe(10 * megabyte)
  await expect(limitedFetch(await sending('application/json', text, 100)).then(length)).rejects.toThrow(
    'sent more than',
  )
  await expect(limitedFetch(await sending('application/json', lines, 100)).then(length)).rejects.toThrow(
    'sent more than',
  )
})

it('reads a stream of events for as long as it goes on, and breaks off an event that does not end', {
  timeout: 120_000,
}, async () => {
  expect(await length(await limitedFetch(await sending('text/event-stream', lines, 100)))).toBe(100 * megabyte)
  await expect(limitedFetch(await sending('text/event-stream', text, 100)).then(length)).rejects.toThrow(
    'sent more than',
  )
})

it('leaves what an answer says of itself', async () => {
  const response = await limitedFetch(await sending('text/plain', text, 0))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain'])
})
