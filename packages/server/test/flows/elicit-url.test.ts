import { describe, expect, it } from 'vitest'
import type { UrlOptions } from '../../src/index.js'
import { memoryStore } from '../../src/store/index.js'
import type { TestClient } from '../../src/test/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, serve, textOf } from './opened.js'
import { urlWires } from './wires.js'

const page = 'https://pay.example/checkout'

async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise(resolve => setImmediate(resolve))
}

/** Methods that the server sent by itself. */
function noticesTo(client: TestClient): unknown[] {
  return client.messages.flatMap(({ message }) => ('method' in message && !('id' in message) ? [message.method] : []))
}

describe.each(urlWires)('ctx.elicit.url on %s', wire => {
  function paying(options: UrlOptions) {
    const clock = new FakeClock()
    const server = serve({ clock })
    server.tool('pay', { task: 'optional' }, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', page, options)),
    )
    let accept = () => {}
    const isAsked = new Promise<void>(resolve => {
      accept = resolve
    })
    const client = connect(server, {
      wire,
      replay: 'when-needed',
      answer: () => {
        accept()
        return 'accept'
      },
    })
    return { clock, server, client, isAsked, result: client.callTool('pay') }
  }

  it('says what is wrong with an address, and sends nobody there', async () => {
    const server = serve()
    server.tool('pay', { task: 'optional' }, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', 'javascript:alert(1)')),
    )
    const client = connect(server, { wire, answer: () => 'accept' })
    const said = textOf(await client.callTool('pay'))
    expect(said).toMatch(/^A person cannot be sent to this URL: /)
    expect(client.asked).toEqual([])
  })

  it.each([
    ['timeoutMs', { timeoutMs: 60_000 }, 60_000],
    ['timeout', { timeout: 60_000 }, 60_000],
    ['5 minutes', {}, 300_000],
  ])('waits for its completion for %s', async (_what, options, ms) => {
    const { clock, result, isAsked } = paying({ waitForCompletion: true, ...options })
    let ended: string | undefined
    result.then(textOf, String).then(said => {
      ended = said
    })
    await isAsked
    await turns()
    clock.advance(ms - 1)
    await turns()
    expect(ended).toBeUndefined()
    clock.advance(1)
    await turns()
    // A client that polls finds out with its next look.
    for (let i = 0; i < 5 && ended === undefined; i++) {
      clock.advance(1_000)
      await turns()
    }
    // In rounds it is the state that has expired, for a client that was between two requests then.
    expect(ended).toMatch(/the ask "Pay" in time|has expired/)
  })

  it('is completed before the person accepts, and goes on as soon as they do', async () => {
    const server = serve()
    server.tool('pay', { task: 'optional' }, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', page, { waitForCompletion: true, elicitationId: 'early' })),
    )
    const client = connect(server, {
      wire,
      answer: async () => {
        expect(await server.completeElicitation('early')).toBe(true)
        return 'accept'
      },
    })
    expect(textOf(await client.callTool('pay'))).toBe('{"action":"accept"}')
  })

  it('has a completion that counts for nothing when the person declines', async () => {
    const server = serve()
    server.tool('pay', { task: 'optional' }, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', page, { waitForCompletion: true, elicitationId: 'declined' })),
    )
    const client = connect(server, {
      wire,
      answer: async () => {
        await server.completeElicitation('declined')
        return 'decline'
      },
    })
    expect(textOf(await client.callTool('pay'))).toBe('{"action":"decline"}')
  })

  it('is completed by another process, with what that wrote to the session', async () => {
    const store = { ...memoryStore(), shared: true, close: async () => {} }
    const options = { store, keys: 'one key for both processes' }
    const [server, other] = [serve(options), serve(options)]
    let sessionId = ''
    server.tool('pay', { task: 'optional' }, async (_input, ctx) => {
      sessionId = ctx.sessionId
      await ctx.elicit.url('Pay', page, { waitForCompletion: true, elicitationId: 'elsewhere' })
      return ctx.text(`paid: ${await ctx.session.get('paid')}`)
    })
    const client = connect(server, {
      wire,
      principal: 'alice',
      answer: () => {
        setImmediate(() => {
          other.session(sessionId).set('paid', true)
          other.completeElicitation('elsewhere')
        })
        return 'accept'
      },
    })
    expect(textOf(await client.callTool('pay'))).toBe('paid: true')
  })
})

describe('ctx.elicit.url', () => {
  it('tells a client of 2025-11-25, and no other, that the flow is done', async () => {
    for (const wire of urlWires) {
      const server = serve()
      server.tool('pay', {}, async (_input, ctx) =>
        ctx.json(await ctx.elicit.url('Pay', page, { waitForCompletion: true, elicitationId: 'told' })),
      )
      const client = connect(server, {
        wire,
        answer: async () => {
          await server.completeElicitation('told')
          return 'accept'
        },
      })
      await client.callTool('pay')
      expect(noticesTo(client).includes('notifications/elicitation/complete')).toBe(wire === 'push')
    }
  })

  it('holds a retry of rounds open for 45 seconds, then answers with the state alone, and nothing is held between', async () => {
    const clock = new FakeClock()
    const server = serve({ clock })
    server.tool('pay', {}, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', page, { waitForCompletion: true, elicitationId: 'held' })),
    )
    const client = connect(server, { wire: 'rounds', replay: 'when-needed', answer: [] })
    const asked = await client.request('tools/call', { name: 'pay' })
    const [id = ''] = Object.keys(Object(asked.inputRequests))
    const before = clock.pending
    const retry = (params: object) => client.request('tools/call', { name: 'pay', ...params })
    const holding = retry({ requestState: asked.requestState, inputResponses: { [id]: { action: 'accept' } } })
    await turns()
    clock.advance(45_000)
    const held = await holding
    expect(held).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
    expect(held.inputRequests).toBeUndefined()
    await turns()
    // The ask's own timer is gone with the ask; only the sweeper of suspended calls is left.
    expect(clock.pending).toBeLessThanOrEqual(before)
    await server.completeElicitation('held')
    expect(await retry({ requestState: held.requestState })).toMatchObject({
      content: [{ text: '{"action":"accept"}' }],
    })
  })

  it('leaves nothing behind when its call is cancelled', async () => {
    const clock = new FakeClock()
    const server = serve({ clock })
    server.tool('pay', {}, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', page, { waitForCompletion: true })),
    )
    const cancel = new AbortController()
    const client = connect(server, {
      wire: 'push',
      answer: () => {
        setImmediate(() => setImmediate(() => cancel.abort()))
        return 'accept'
      },
    })
    const idle = clock.pending
    await expect(client.callTool('pay', {}, { signal: cancel.signal })).rejects.toThrow()
    await turns()
    expect(clock.pending).toBe(idle)
  })

  it('completed for one call does not count for the next that uses the same id', async () => {
    const clock = new FakeClock()
    const server = serve({ clock })
    server.tool('pay', {}, async (_input, ctx) =>
      ctx.json(await ctx.elicit.url('Pay', page, { waitForCompletion: true, elicitationId: 'again' })),
    )
    let calls = 0
    const client = connect(server, {
      wire: 'push',
      answer: async () => {
        if (calls++ === 0) await server.completeElicitation('again')
        else setImmediate(() => clock.advance(300_000))
        return 'accept'
      },
    })
    expect(textOf(await client.callTool('pay'))).toBe('{"action":"accept"}')
    expect(await client.callTool('pay')).toMatchObject({ isError: true })
  })
})
