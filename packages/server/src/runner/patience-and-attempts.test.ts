// What a retried handler came to in an attempt that failed, and what a deploy took away.
// docs/calls.md: "What the handler came to before, and does not come to again within a second, is not waited for."
import { expect, it } from 'vitest'
import { ask, createNode, loud, open, type Reply } from '../../test/round-node.js'
import { createServer } from '../index.js'
import { retry } from '../middleware/retry/retry.js'
import { memoryStore } from '../store/index.js'
import { createTestClient } from '../test/index.js'

const long = { timeoutMs: 3_600_000 }
const sharedStore = () => ({ ...memoryStore({ clock: { now: () => 0 } }), shared: true, close: async () => {} })

it('is no mismatch where a person was asked in an attempt that failed, and in the next one nobody had to be', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  let isDown = true
  server.tool('buy', retry({ delayMs: 0 }), {}, async (_input, ctx) => {
    try {
      await ctx.step('charge', () => {
        if (isDown) throw new Error('The bank is away.')
      })
    } catch (error) {
      if (!(await ctx.confirm('The bank is away. Try again?'))) return 'not paid'
      isDown = false
      throw error
    }
    for (const what of ['a receipt', 'a mail', 'a letter', 'a postcard']) await ctx.confirm(`Send ${what}?`)
    return 'paid'
  })
  const client = createTestClient(server, { wire: 'rounds', replay: 'when-needed', answer: () => true })
  expect((await client.callTool('buy')).content).toEqual([{ type: 'text', text: 'paid' }])
})

it('does not wait for what was asked in an attempt that failed, when another process goes on', async () => {
  const store = sharedStore()
  let isDown = true
  const make = () =>
    createNode(
      async call => {
        // As `retry` does it.
        const beginAgain = call.checkpoint()
        const charge = () =>
          call.step('charge', () => {
            if (isDown) throw new Error('The bank is away.')
          })
        try {
          await charge()
        } catch (error) {
          await ask(call, 'The bank is away. Try again?', long)
          isDown = false
          await beginAgain(error)
          await charge()
        }
        await ask(call, 'Send a receipt?', long)
        return 'paid'
      },
      { store },
    )
  const [one, two] = [make(), make()]
  const second = await one.send(loud(await one.send()))
  expect(open(second).messages).toEqual(['Send a receipt?'])
  const begun = performance.now()
  expect(await two.send(loud(second))).toEqual({ kind: 'finished', result: 'paid' })
  expect(performance.now() - begun).toBeLessThan(900)
})

it('waits for a second in all, and not for each step that a new version does without', async () => {
  const store = sharedStore()
  const make = (isOld: boolean) =>
    createNode(
      async call => {
        for (let each = 0; each < 4; each++) {
          if (isOld) await call.step(`trace ${each}`, () => 'traced')
          await ask(call, `Go on ${each}?`, long)
        }
        return 'done'
      },
      { store },
    )
  const before = make(true)
  let reply: Reply = await before.send()
  for (let each = 0; each < 3; each++) reply = await before.send(loud(reply))
  const begun = performance.now()
  expect(await make(false).send(loud(reply))).toEqual({ kind: 'finished', result: 'done' })
  expect(performance.now() - begun).toBeLessThan(2_000)
})
