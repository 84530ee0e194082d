import { describe, expect, it } from 'vitest'
import { RequestError } from '../../protocol/request-error.js'
import { createServer } from '../../server/create-server.js'
import { createTestClient, createTestClock } from '../../test/index.js'
import { rateLimit } from '../rate-limit/rate-limit.js'
import { retry } from './retry.js'

const text = (result: { content: { text?: string }[] }) => result.content[0]?.text

/** Throws so often, then works. */
function failing(times: number) {
  let runs = 0
  return () => {
    if (++runs <= times) throw new Error(`failure ${runs}`)
    return `run ${runs}`
  }
}

describe('retry', () => {
  it('runs the handler again until it works, or too often', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('third', retry({ attempts: 3, delayMs: 0 }), {}, failing(2))
    server.tool('never', retry({ attempts: 3, delayMs: 0 }), {}, failing(9))
    const client = createTestClient(server)
    expect(text(await client.callTool('third'))).toBe('run 3')
    expect(await client.callTool('never')).toMatchObject({ isError: true, content: [{ text: 'failure 3' }] })
  })

  it('waits between attempts by the server’s clock', async () => {
    const clock = createTestClock()
    const server = createServer({ name: 's', version: '1.0.0', clock })
    let runs = 0
    const handler = failing(2)
    server.tool('t', retry({ attempts: 3, delayMs: attempt => attempt * 1_000 }), {}, () => {
      runs++
      return handler()
    })
    const client = createTestClient(server)
    const result = client.callTool('t')
    const until = async (count: number) => {
      while (runs < count) await new Promise(resolve => setImmediate(resolve))
    }
    await until(1)
    await clock.advance(999)
    expect(runs).toBe(1)
    await clock.advance(1)
    await until(2)
    await clock.advance(2_000)
    expect(text(await result)).toBe('run 3')
  })

  it.each([
    ['push', 'when-needed'],
    ['rounds', 'when-needed'],
    ['rounds', 'always'],
  ] as const)('asks nothing twice and repeats no finished step, on %s with replay %s', async (wire, replay) => {
    const server = createServer({ name: 's', version: '1.0.0' })
    let steps = 0
    let failures = 2
    server.tool('t', retry({ attempts: 3, delayMs: 0 }), {}, async (_input, ctx) => {
      const sure = await ctx.confirm('Sure?')
      const color = await ctx.elicit({ question: 'Which?', schema: ['red', 'green'], key: 'color' })
      const step = await ctx.step('count', () => ++steps)
      if (failures-- > 0) throw new Error('a passing failure')
      return ctx.json({ sure, color, step, again: await ctx.confirm('Really?') })
    })
    const client = createTestClient(server, { wire, replay, answer: [true, 'red', false] })
    expect(await client.callTool('t')).toMatchObject({
      structuredContent: { sure: true, color: 'red', step: 1, again: false },
    })
    expect(client.asked.map(({ message }) => message)).toEqual(['Sure?', 'Which?', 'Really?'])
  })

  it('passes no gate a second time', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    server.tool('t', retry({ attempts: 3, delayMs: 0 }), rateLimit({ max: 1 }), {}, failing(2))
    expect(text(await createTestClient(server).callTool('t'))).toBe('run 3')
  })

  it('does once what a branch does that was still at work when another one failed', async () => {
    const clock = createTestClock()
    const server = createServer({ name: 's', version: '1.0.0', clock })
    const told: string[] = []
    const charge = failing(1)
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve))
    }
    let write = () => {}
    const written = new Promise<void>(resolve => {
      write = resolve
    })
    server.tool('buy', retry({ delayMs: 1_000 }), {}, async (_input, ctx) => {
      const tell = async () => {
        await ctx.step('write', () => written)
        await turns(1)
        await ctx.step('tell', () => void told.push('ann'))
      }
      await Promise.all([ctx.step('charge', charge), tell()])
      return 'bought'
    })
    const result = createTestClient(server).callTool('buy')
    await turns(20)
    await clock.advance(1_000)
    write()
    await turns(20)
    await clock.advance(1_000)
    expect(text(await result)).toBe('bought')
    await turns(20)
    expect(told).toEqual(['ann'])
  })

  it('leaves alone what trying again cannot help', async () => {
    const server = createServer({ name: 's', version: '1.0.0' })
    let runs = 0
    server.tool('refuses', retry({ delayMs: 0 }), {}, () => {
      runs++
      throw new RequestError(-32602, 'No.')
    })
    server.tool('asks', retry({ delayMs: 0 }), {}, async (_input, ctx) => {
      runs++
      return ctx.json(await ctx.elicit({ question: 'Which?', schema: String }))
    })
    server.tool('picky', retry({ delayMs: 0, on: error => String(error).includes('again') }), {}, () => {
      runs++
      throw new Error('Final.')
    })
    const client = createTestClient(server, { capabilities: {} })
    await expect(client.callTool('refuses')).rejects.toMatchObject({ code: -32602 })
    await expect(client.callTool('asks')).rejects.toMatchObject({ code: -32021 })
    expect(await client.callTool('picky')).toMatchObject({ isError: true })
    expect(runs).toBe(3)
  })
})
