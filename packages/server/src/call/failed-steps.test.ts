// R5: "A recorded step never runs again". docs/calls.md: "A finished `ctx.step` never runs again. One that was cut short between its
// effect and its record runs again with the same `id`: hand that on as an idempotency key."
import { expect, it } from 'vitest'
import { ask, createNode, loud } from '../../test/round-node.js'
import { createServer } from '../index.js'
import { memoryStore } from '../store/index.js'
import { createTestClient } from '../test/index.js'

it('does not run a step again that was finished when it was tried again, in another process', async () => {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} }
  const charged: string[] = []
  let isDown = true
  const make = () =>
    createNode(
      async call => {
        for (let tries = 0; tries < 3; tries++) {
          try {
            await call.step('charge', ({ id }) => {
              if (isDown) {
                isDown = false
                throw new Error('The bank is away for a moment.')
              }
              charged.push(id)
            })
            break
          } catch {}
        }
        return ask(call, 'Send a receipt?', { timeoutMs: 3_600_000 })
      },
      { store },
    )
  const [one, two] = [make(), make()]
  const first = await one.send()
  expect(charged).toHaveLength(1)
  expect(await two.send(loud(first))).toEqual({ kind: 'finished', result: 'SEND A RECEIPT?' })
  expect(charged).toHaveLength(1)
})

it('nor with the test client, which replays every round', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  const charged: string[] = []
  let isDown = true
  server.tool('buy', {}, async (_input, ctx) => {
    const charge = () =>
      ctx.step('charge', ({ id }) => {
        if (isDown) {
          isDown = false
          throw new Error('The bank is away for a moment.')
        }
        charged.push(id)
        return 'charged'
      })
    await charge().catch(charge)
    return String(await ctx.confirm('Send a receipt?'))
  })
  await createTestClient(server, { wire: 'rounds', answer: [true] }).callTool('buy')
  expect(charged).toHaveLength(1)
})

// docs/calls.md: "run again from the top, with a journal answering every ask and step it already passed."
it('does not run a step again that failed, after a person was asked what to do about that and it was done', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  const charged: string[] = []
  let isDown = true
  server.tool('buy', {}, async (_input, ctx) => {
    try {
      await ctx.step('charge card', () => {
        if (isDown) throw new Error('The bank of that card is away.')
        charged.push('card')
      })
    } catch {
      if (!(await ctx.confirm('The card cannot be charged. Take the money from the account?'))) return 'not paid'
      await ctx.step('charge account', () => void charged.push('account'))
    }
    isDown = false
    return String(await ctx.confirm('Send a receipt?'))
  })
  await createTestClient(server, { wire: 'rounds', answer: [true, true] }).callTool('buy')
  expect(charged).toEqual(['account'])
})
