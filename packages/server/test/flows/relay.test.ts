import { describe, expect, it } from 'vitest'
import { FakeClock } from '../fake-clock.js'
import { connect, serve, textOf } from './opened.js'

const handleIn = (said: string) => /"handle":"([\w-]+)"/.exec(said)?.[1] ?? ''

describe.each(['push', 'rounds'] as const)('a page that a model relays, on %s', wire => {
  it('is waited for over as many calls as the person takes', async () => {
    const clock = new FakeClock()
    const server = serve({ clock, fallback: 'relay' })
    server.tool('pay', {}, async (_input, ctx) =>
      ctx.json(
        await ctx.elicit.url('Pay', 'https://pay.example/', { waitForCompletion: true, elicitationId: 'relayed' }),
      ),
    )
    const client = connect(server, { wire, replay: 'when-needed', capabilities: {}, answer: [] })
    const first = textOf(await client.callTool('pay'))
    expect(first).toContain('https://pay.example/')
    const again = async (handle: string) => {
      const result = client.callTool('pay', { beckon: { handle, action: 'accept' } }).then(textOf, String)
      for (let i = 0; i < 10; i++) await new Promise(resolve => setImmediate(resolve))
      clock.advance(45_000)
      return result
    }
    const second = await again(handleIn(first))
    expect(second).toContain('not done on that page yet')
    const third = await again(handleIn(second))
    expect(third).toContain('not done on that page yet')
    expect(await again(handleIn(second))).toContain('was used before')
    await server.completeElicitation('relayed')
    expect(await again(handleIn(third))).toBe('{"action":"accept"}')
  })
})
