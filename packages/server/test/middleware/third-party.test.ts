// A rate limit that somebody else writes, with what is public alone.
import { createServer, type Middleware } from 'beckon'
import { callInternals, refuse } from 'beckon/middleware/adapter'
import { Cell } from 'beckon/store/handles'
import { createTestClient, createTestClock } from 'beckon/test'
import { expect, it } from 'vitest'

function atMost(max: number, windowMs: number): Middleware<{ left: number }> {
  return async function atMost(ctx, next) {
    const { server, store, clock, call } = callInternals(ctx)
    const caller = ctx.principal ?? call.sessionId ?? 'anonymous'
    const count = new Cell<{ calls: number; endsAt: number }>(store, `at-most/${server}/${ctx.subject.name}/${caller}`)
    // In a step: a call is counted once, however often it is replayed.
    const left = await ctx.step('at most', () =>
      count.update(known => {
        const now = clock.now()
        const { calls, endsAt } =
          known !== undefined && known.endsAt > now ? known : { calls: 0, endsAt: now + windowMs }
        if (calls >= max) return { result: -1 }
        return { value: { calls: calls + 1, endsAt }, expiresAt: endsAt, result: max - calls - 1 }
      }),
    )
    if (left < 0) return refuse(ctx, 'Too many calls. Try again later.')
    ctx.set('left', left)
    return next()
  }
}

it('can be written by anybody', async () => {
  const clock = createTestClock()
  const server = createServer({ name: 'shop', version: '1.0.0', clock })
  server.tool('ring', { use: [atMost(2, 60_000)] }, async (_input, ctx) => {
    if (!(await ctx.confirm('Ring?'))) return 'Silence.'
    return `Ringing, ${ctx.var.left} left.`
  })
  const text = (result: { content: { text?: unknown }[] }) => result.content[0]?.text
  const ann = createTestClient(server, { principal: 'ann', answer: () => true })
  const bob = createTestClient(server, { principal: 'bob', answer: () => true })
  expect(text(await ann.callTool('ring'))).toBe('Ringing, 1 left.')
  expect(text(await ann.callTool('ring'))).toBe('Ringing, 0 left.')
  expect(await ann.callTool('ring')).toMatchObject({ isError: true })
  expect(text(await bob.callTool('ring'))).toBe('Ringing, 1 left.')
  await clock.advance(60_000)
  expect(text(await ann.callTool('ring'))).toBe('Ringing, 1 left.')
})
