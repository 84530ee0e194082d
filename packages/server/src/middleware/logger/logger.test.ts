import { describe, expect, it } from 'vitest'
import { createServer } from '../../server/create-server.js'
import { createTestClient, createTestClock } from '../../test/index.js'
import { type LoggedCall, logger } from './logger.js'
import { redact } from './redact.js'

describe('logger', () => {
  it.each([
    ['push', 'when-needed'],
    ['rounds', 'when-needed'],
    ['rounds', 'always'],
    ['tasks', 'when-needed'],
  ] as const)('logs each call once, on %s with replay %s', async (wire, replay) => {
    const calls: LoggedCall[] = []
    const clock = createTestClock()
    const server = createServer({ name: 's', version: '1.0.0', clock }).use(logger({ log: call => calls.push(call) }))
    server.tool('asks', { task: 'optional' }, async (_input, ctx) => {
      await ctx.confirm('One?')
      await clock.advance(5_000)
      return ctx.json(await ctx.confirm('Two?'))
    })
    server.tool('fails', {}, (_input, ctx) => ctx.error('No.'))
    server.tool('throws', {}, () => {
      throw new Error('Broken.')
    })
    const client = createTestClient(server, { wire, replay, principal: 'ann', answer: [true, true] })
    await client.callTool('asks', { city: 'Bern' })
    await client.callTool('fails')
    await client.callTool('throws')
    expect(calls).toMatchObject([
      { kind: 'tool', name: 'asks', input: { city: 'Bern' }, principal: 'ann', outcome: 'ok' },
      { name: 'fails', outcome: 'error', durationMs: 0 },
      { name: 'throws', outcome: 'thrown', durationMs: 0 },
    ])
    expect(calls[0]?.durationMs).toBeGreaterThanOrEqual(5_000)
    expect(JSON.stringify(calls)).not.toContain('One?')
  })

  it('takes no more of an input than anyone reads', () => {
    const looked: string[] = []
    const inputs = [
      Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index])),
      Array.from({ length: 5_000 }, (_, index) => index),
      { list: Array.from({ length: 1_000 }, () => ({ a: 1, b: [1, 2, 3] })) },
    ]
    for (const input of inputs) {
      const text = JSON.stringify(redact(watched(input, looked)))
      expect(text).toContain(' more]')
      expect(looked.splice(0).length).toBeLessThan(1_010)
    }
    expect(redact({ a: [1, 2] })).toEqual({ a: [1, 2] })
    const [flat, list] = inputs.map(redact)
    expect(Object.entries(flat as object).at(-1)).toEqual(['…', '[4000 more]'])
    expect((list as unknown[]).at(-1)).toBe('[4000 more]')
  })

  it('leaves out what looks secret', () => {
    const token = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.sig`
    const key = `sk${'_live_'}${'c'.repeat(24)}`
    const input = {
      city: 'Bern',
      password: 'hunter2',
      nested: { apiKey: 'k', list: [{ accessToken: 't' }, `see ${token}`] },
      note: `use Bearer abc and ${key}`,
      count: 3,
      none: null,
    }
    expect(redact(input)).toEqual({
      city: 'Bern',
      password: '[redacted]',
      nested: { apiKey: '[redacted]', list: [{ accessToken: '[redacted]' }, 'see [redacted]'] },
      note: 'use [redacted] and [redacted]',
      count: 3,
      none: null,
    })
  })
  it.each(['eyJ-', 'eyJ.', 'eyJ', 'Bearer ', 'sk-', 'x.', 'token-eyJa.'])(
    'is done with a long text of "%s" before anybody waits',
    { timeout: 60_000 },
    piece => {
      expect(typeof redact(piece.repeat(4_000_000 / piece.length))).toBe('string')
    },
  )

  it('finds a token whatever stands before it', () => {
    const token = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.sig`
    for (const before of ['', '-', 'x-', 'token=', 'a.b', '/'])
      expect(redact(`${before}${token} and more`)).toMatch(/\[redacted\] and more$/)
  })
})

/** The same value, which tells of each member that is read. */
function watched<T>(value: T, looked: string[]): T {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name === 'string' && name !== 'length' && typeof member !== 'function') looked.push(name)
      return watched(member, looked)
    },
  })
}
