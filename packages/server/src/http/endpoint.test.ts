import { expect, it, vi } from 'vitest'
import { littleServed } from '../../test/little-served.js'
import { endpoint } from './endpoint.js'
import { FetchExchange } from './exchange/fetch-exchange.js'

const anyone = { allowedHosts: undefined, allowedOrigins: [] }

/** Someone who is known, on a server that fails as soon as it looks for their session. */
class Unlucky extends FetchExchange {
  override header(name: string): string | undefined {
    if (name === 'mcp-session-id') throw new Error('broken')
    return super.header(name)
  }
}

it.each(['GET', 'DELETE'])('answers 500 for what fails here, also to someone who is known: %s', async method => {
  const served = littleServed({ identify: () => 'alice' })
  const { handle, close } = endpoint(served)
  const headers = { accept: 'text/event-stream', 'mcp-session-id': 's' }
  const exchange = new Unlucky(new Request('http://localhost/mcp', { method, headers }))
  handle(exchange, anyone)
  expect((await exchange.response).status).toBe(500)
  expect(served.errors).toMatchObject([{ message: 'broken' }])
  await close()
})

it('answers 401 where nobody is known', async () => {
  const served = littleServed({ identify: () => Promise.reject(new Error('no token')) })
  const { handle, close } = endpoint(served)
  const exchange = new FetchExchange(new Request('http://localhost/mcp', { method: 'DELETE' }))
  handle(exchange, anyone)
  expect((await exchange.response).status).toBe(401)
  await close()
})

it.each([
  ['is known no more', () => Promise.reject(new Error('no token'))],
  ['is somebody else', () => 'bob'],
])('does nothing of a message whose sender %s once it has come', async (_, later) => {
  let [at, looks] = [0, 0]
  const identify = () => (looks++ === 0 ? 'alice' : later())
  const served = littleServed({ identify, now: () => at })
  const { handle, close } = endpoint(served)
  const { readable: stream, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const init = { method: 'POST', headers, body: stream, duplex: 'half' }
  const exchange = new FetchExchange(new Request('http://localhost/mcp', init))
  handle(exchange, anyone)
  await vi.waitFor(() => expect(looks).toBe(1))
  await new Promise(setImmediate)
  at = 1_000
  const body = writable.getWriter()
  void body.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}'))
  void body.close()
  expect((await exchange.response).status).toBe(401)
  expect(looks).toBe(2)
  await close()
})
