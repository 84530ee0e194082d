import { describe, expect, it } from 'vitest'
import { createServer } from '../../server/create-server.js'
import { memoryStore } from '../../store/memory-store.js'
import { createTestClient, createTestClock } from '../../test/index.js'
import { rateLimit } from './rate-limit.js'

const text = (result: { content: { text?: string }[] }) => result.content[0]?.text

describe('rateLimit', () => {
  it('lets so many pass in a window, says how long to wait, and begins again', async () => {
    const clock = createTestClock()
    const server = createServer({ name: 's', version: '1.0.0', clock })
    server.tool('t', rateLimit({ max: 2, windowMs: 10_000 }), {}, () => 'ran')
    const client = createTestClient(server)
    expect([text(await client.callTool('t')), text(await client.callTool('t'))]).toEqual(['ran', 'ran'])
    await clock.advance(4_000)
    expect(text(await client.callTool('t'))).toBe('Too many calls: 2 in 10 s may pass. Try again in 6 s.')
    await clock.advance(6_000)
    expect(text(await client.callTool('t'))).toBe('ran')
  })

  it('counts a call once, however often it is replayed', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('t', rateLimit({ max: 2 }), {}, async (_input, ctx) => {
      for (const question of ['One?', 'Two?', 'Three?']) await ctx.confirm(question)
      return 'ran'
    })
    const client = createTestClient(server, { wire: 'rounds', answer: () => true })
    expect(text(await client.callTool('t'))).toBe('ran')
    expect(text(await client.callTool('t'))).toBe('ran')
    expect(await client.callTool('t')).toMatchObject({ isError: true })
  })

  it('holds across processes, and when all come at once', async () => {
    const store = memoryStore()
    const limit = () => rateLimit({ max: 5, per: 'tool' })
    const clients = [1, 2, 3].map(() => {
      const server = createServer({ name: 's', version: '1.0.0', store })
      server.tool('t', limit(), {}, () => 'ran')
      return createTestClient(server)
    })
    const calls = clients.flatMap(client => [1, 2, 3, 4].map(() => client.callTool('t')))
    const passed = (await Promise.all(calls)).filter(result => text(result) === 'ran')
    expect(passed).toHaveLength(5)
  })

  it('counts each principal, each tool and each limit for itself', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    const limit = rateLimit({ max: 1 })
    server.tool('a', limit, {}, () => 'ran').tool('b', limit, {}, () => 'ran')
    server.tool('both', limit, rateLimit({ max: 2 }), {}, () => 'ran')
    const [ann, bob] = ['ann', 'bob'].map(principal => createTestClient(server, { principal }))
    for (const tool of ['a', 'b', 'both'])
      for (const client of [ann, bob]) {
        expect(text((await client?.callTool(tool)) ?? { content: [] })).toBe('ran')
        expect(await client?.callTool(tool)).toMatchObject({ isError: true })
      }
  })

  it('counts all that is read by one template together', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.resource('notes://{id}', rateLimit({ max: 2 }), {}, () => 'a note')
    const client = createTestClient(server)
    const read = (id: number) => client.request('resources/read', { uri: `notes://${id}` })
    await Promise.all([read(1), read(2)])
    await expect(read(3)).rejects.toThrow('Too many calls')
  })

  it('refuses options that would limit nothing', () => {
    for (const options of [{ max: 0 }, { max: 1.5 }, { max: 1, windowMs: 0 }, { max: Number.NaN }])
      expect(() => rateLimit(options)).toThrow(RangeError)
  })
})
