// Servers and clients of a test, closed after it.
import { vi } from 'vitest'
import { afterEveryTest } from '../../../../test/every-file.js'
import { type BeckonServer, createServer, type ServerOptions } from '../../src/index.js'
import { createTestClient, type TestClient, type TestClientOptions } from '../../src/test/index.js'

// Pages come over HTTP, and a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

const open: { close(): Promise<void> }[] = []
afterEveryTest(async () => {
  for (const it of open.splice(0)) await it.close()
})

export function serve(options: Partial<ServerOptions> = {}): BeckonServer {
  const server = createServer({ name: 'shop', version: '1.0.0', ...options })
  open.push(server)
  return server
}

export function connect(server: BeckonServer, options: TestClientOptions): TestClient {
  const client = createTestClient(server, options)
  open.unshift(client)
  return client
}

/** Who a browser or a client says it is, in a header, as a server's own authorization may read it. */
export function identify(request: Request): string | undefined {
  return request.headers.get('x-user') ?? undefined
}

export function textOf(result: { content: { text?: string }[] }): string {
  return result.content.map(block => block.text).join()
}
