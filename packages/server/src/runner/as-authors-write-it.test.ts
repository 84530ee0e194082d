// The same as `answers-of-one-round.test.ts`, `failed-and-tried-again.test.ts` with nothing but what authors have.
import { expect, it } from 'vitest'
import { createServer } from '../index.js'
import { retry } from '../middleware/retry/retry.js'
import { memoryStore } from '../store/index.js'
import { createTestClient } from '../test/index.js'

// docs/calls.md: "branches beside each other (`Promise.all`) go the way they went." The test client, which replays every round, does
// not find it: where every run is a replay, all of them go the same way.
it('does in another process what it did, when a client answered two asks of a race in one round', async () => {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} }
  const done: string[] = []
  const make = () => {
    const server = createServer({ name: 'shop', version: '1.0.0', store })
    server.tool('order', {}, async (_input, ctx) => {
      const cancels = async () => {
        await ctx.confirm('Cancel the order?')
        return await (async () => await 'refund')()
      }
      const ships = async () => {
        await ctx.confirm('Ship it?')
        return 'ship'
      }
      const won = await Promise.race([cancels(), ships()])
      await ctx.step(won, () => void done.push(won))
      await ctx.confirm('Send a mail?')
      return won
    })
    return createTestClient(server, { wire: 'rounds', replay: 'when-needed' })
  }
  const [one, two] = [make(), make()]
  const yesToAll = ({ inputRequests = {}, requestState }: Record<string, unknown>) => ({
    name: 'order',
    inputResponses: Object.fromEntries(
      Object.keys(inputRequests as object).map(id => [id, { action: 'accept', content: {} }]),
    ),
    requestState,
  })
  const first = await one.request('tools/call', { name: 'order' })
  const second = await one.request('tools/call', yesToAll(first))
  expect(done).toHaveLength(1)
  await two.request('tools/call', yesToAll(second))
  expect(done).toHaveLength(1)
})

// The retry's own words: "steps that finished do not run again".
it('does not run a step again that is still at work when its neighbour fails', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  const sent: string[] = []
  let fails = 1
  server.tool('order', retry({ delayMs: 0 }), {}, async (_input, ctx) => {
    await Promise.all([
      ctx.step('send', async () => {
        sent.push('sent')
        await new Promise(resolve => setTimeout(resolve, 50))
      }),
      ctx.step('look up', () => {
        if (fails-- > 0) throw new Error('It is away for a moment.')
      }),
    ])
    return 'done'
  })
  await createTestClient(server, { wire: 'rounds' }).callTool('order')
  expect(sent).toEqual(['sent'])
})

it('asks a person after something was tried so often that what was thrown is more than a state takes', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('wait', {}, async (_input, ctx) => {
    for (let tries = 0; tries < 40; tries++)
      try {
        await ctx.step('poll', () => {
          if (tries < 39) throw new Error(`502: ${'<html>'.repeat(1_000)}`)
        })
        break
      } catch {}
    return String(await ctx.confirm('It is there. Go on?'))
  })
  const { content } = await createTestClient(server, { wire: 'rounds', answer: () => true }).callTool('wait')
  expect(content).toEqual([{ type: 'text', text: 'true' }])
})
