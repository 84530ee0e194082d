import { expect, it } from 'vitest'
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
