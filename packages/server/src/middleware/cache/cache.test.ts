import { describe, expect, it } from 'vitest'
import { createServer } from '../../server/create-server.js'
import { createTestClient, createTestClock } from '../../test/index.js'
import { guard } from '../guard/guard.js'
import { cache } from './cache.js'

const text = (result: { content: { text?: string }[] } | undefined) => result?.content[0]?.text

function counting() {
  let runs = 0
  return () => `run ${++runs}`
}

describe('cache', () => {
  it('gives a result again for the same input, until its time is over', async () => {
    const clock = createTestClock()
    const server = createServer({ name: 's', version: '1.0.0', clock })
    const handler = counting()
    server.tool('t', cache({ ttlMs: 1_000 }), {}, handler)
    const client = createTestClient(server)
    const ask = async (city: string) => text(await client.callTool('t', { city }))
    expect([await ask('Bern'), await ask('Bern'), await ask('Rome')]).toEqual(['run 1', 'run 1', 'run 2'])
    await clock.advance(1_000)
    expect(await ask('Bern')).toBe('run 3')
  })

  it('keeps a result from everyone else, unless it is shared', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('own', cache({ ttlMs: 1_000 }), {}, counting())
    server.tool('all', cache({ ttlMs: 1_000, shared: true }), {}, counting())
    const [ann, bob] = ['ann', 'bob'].map(principal => createTestClient(server, { principal }))
    expect([text(await ann?.callTool('own')), text(await bob?.callTool('own'))]).toEqual(['run 1', 'run 2'])
    expect([text(await ann?.callTool('all')), text(await bob?.callTool('all'))]).toEqual(['run 1', 'run 1'])
  })

  it.each(['push', 'rounds'] as const)('keeps nothing that a person had a say in, and no error, on %s', async wire => {
    const server = createServer({ name: 's', version: '1.0.0' })
    const run = counting()
    server.tool('asks', cache({ ttlMs: 1_000 }), {}, async (_input, ctx) => {
      await ctx.confirm('Sure?')
      return run()
    })
    server.tool('fails', cache({ ttlMs: 1_000 }), {}, (_input, ctx) => ctx.error(run()))
    const client = createTestClient(server, { wire, answer: [true, true], replay: 'when-needed' })
    expect([text(await client.callTool('asks')), text(await client.callTool('asks'))]).toEqual(['run 1', 'run 2'])
    expect([text(await client.callTool('fails')), text(await client.callTool('fails'))]).toEqual(['run 3', 'run 4'])
    expect(client.asked).toHaveLength(2)
  })

  it('lets no call past a gate, also one that stands after it', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('t', cache({ ttlMs: 60_000 }), guard(), {}, counting())
    server.tool('in', {}, async (_input, ctx) => void (await ctx.session.authorize('guard')))
    server.tool('out', {}, async (_input, ctx) => void (await ctx.session.revoke('guard')))
    const client = createTestClient(server, { principal: 'ann' })
    await client.callTool('in')
    expect([text(await client.callTool('t')), text(await client.callTool('t'))]).toEqual(['run 1', 'run 1'])
    await client.callTool('out')
    expect(await client.callTool('t')).toMatchObject({ isError: true })
  })

  it('gives structured results, prompts and resources again as they were', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.use(cache({ ttlMs: 1_000 }))
    let runs = 0
    server.tool('t', { output: { type: 'object', required: ['n'] } }, (_input, ctx) => ctx.json({ n: ++runs }))
    server.prompt('p', {}, () => `prompt ${++runs}`)
    server.resource('a://1', {}, () => new Uint8Array([++runs]))
    const client = createTestClient(server)
    expect(await client.callTool('t')).toEqual(await client.callTool('t'))
    expect(await client.getPrompt('p')).toEqual(await client.getPrompt('p'))
    expect(await client.readResource('a://1')).toEqual(await client.readResource('a://1'))
    expect(runs).toBe(3)
  })
})
