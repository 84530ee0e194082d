import { expect, it, vi } from 'vitest'
import { modernCall } from '../../test/raw-http.js'
import type { ServerOptions } from './beckon-server.js'
import { createServer } from './create-server.js'

/** A server with a tool whose result cannot be sent. */
async function call(options: Partial<ServerOptions> = {}): Promise<string> {
  const server = createServer({ name: 's', version: '1.0.0', ...options })
  server.tool('broken', {}, () => ({ content: [], structuredContent: { big: 1n } }) as never)
  const { headers, body } = modernCall({ name: 'broken' })
  const response = await server.fetch(
    new Request('http://localhost/mcp', { method: 'POST', headers, body } as RequestInit),
  )
  return response.text()
}

it('tells whoever runs the server what went wrong in it, and the client no more than that', async () => {
  const errors: unknown[] = []
  const said = await call({ onError: error => errors.push(error) })
  expect(errors).toMatchObject([{ message: expect.stringContaining('BigInt') }])
  expect(said).toContain('-32603')
  expect(said).not.toContain('BigInt')
})

it('tells standard error where nobody else wants to know', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await call()
    expect(error).toHaveBeenCalledOnce()
    expect(log).not.toHaveBeenCalled()
  } finally {
    error.mockRestore()
    log.mockRestore()
  }
})
