import { describe, expect, it, vi } from 'vitest'
import { createServer } from '../index.js'
import { createTestClient, createTestClock, createTestDesk, type TestClientOptions } from '../test/index.js'

const hourMs = 60 * 60 * 1000

describe.each<{ where: string; openMs: number; how: TestClientOptions }>([
  { where: 'in a client of 2025', openMs: hourMs, how: { wire: 'push' } },
  { where: 'in a task', openMs: 24 * hourMs, how: { wire: 'tasks' } },
  { where: 'on the desk', openMs: 24 * hourMs, how: { capabilities: {} } },
])('an ask that says nothing of its time, $where', ({ openMs, how }) => {
  it('is open for so long, and then the handler goes on', async () => {
    const clock = createTestClock()
    const desk = createTestDesk()
    const server = createServer({ name: 's', version: '1', desk, wait: 'hold', clock })
    const endings: string[] = []
    server.tool('sure', { task: 'optional' }, async (_input, ctx) => {
      endings.push(`${await ctx.confirm('Sure?')} at ${clock.now() - startedAt}`)
    })
    const startedAt = clock.now()
    const asked = vi.fn(() => new Promise<never>(() => {}))
    const client = createTestClient(server, { ...how, clock, answer: asked })
    const gone = new AbortController()
    const call = client.callTool('sure', {}, { signal: gone.signal }).catch(() => {})
    await vi.waitFor(() => expect(asked.mock.calls.length + desk.asked.length).toBe(1))
    await clock.advance(openMs - 1)
    expect(endings).toEqual([])
    await clock.advance(1)
    await vi.waitFor(() => expect(endings).toEqual([`false at ${openMs}`]))
    gone.abort()
    await call
    await client.close()
    await server.close()
  })
})
