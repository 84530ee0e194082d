// What is taken for a forgotten `await` and is none; and what is one and is not found.
import { expect, it } from 'vitest'
import { createServer } from '../index.js'
import { retry } from '../middleware/retry/retry.js'
import { createTestClient } from '../test/index.js'

const guarded = { annotations: { destructive: true } }

it('lets a handler be tried again whose first attempt failed before it came to its await', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  let fails = 1
  const sent: boolean[] = []
  server.tool('t', retry({ delayMs: 0 }), guarded, async (_input, ctx) => {
    // Asked beside what takes its time.
    const sure = ctx.confirm('Send it?')
    await new Promise(resolve => setTimeout(resolve, 50))
    if (fails-- > 0) throw new Error('The list is away for a moment.')
    sent.push(await sure)
    return 'sent'
  })
  const result = await createTestClient(server, { wire: 'push', answer: [true] }).callTool('t')
  expect(sent).toEqual([true])
  expect(result.content).toEqual([{ type: 'text', text: 'sent' }])
})

it('lets a handler return that no longer needs what it asked beside something else', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('t', guarded, async (_input, ctx) => {
    const color = ctx.elicit({ question: 'Which color?', schema: ['red', 'green'] })
    // Nothing is done without a yes.
    if (!(await ctx.confirm('Order it?'))) return 'not ordered'
    return `ordered in ${await color}`
  })
  const answer = ({ message }: { message: string }) => (message === 'Order it?' ? false : 'red')
  const result = await createTestClient(server, { wire: 'rounds', answer: answer as never }).callTool('t')
  expect(result.content).toEqual([{ type: 'text', text: 'not ordered' }])
})

it('finds one of ctx.elicitInput, which asks as well', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('t', guarded, async (_input, ctx) => {
    const asked = ctx.elicitInput({ message: 'Really?', requestedSchema: { type: 'object', properties: {} } })
    return String(asked === undefined)
  })
  const { isError } = await createTestClient(server, { wire: 'rounds', answer: [{}] as never }).callTool('t')
  expect(isError).toBe(true)
})

it.each(['race', 'any', 'allSettled'] as const)('knows Promise.%s for someone who waits', async how => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('t', guarded, async (_input, ctx) => {
    const wait = {
      race: () => Promise.race(both),
      any: () => Promise.any(both),
      allSettled: () => Promise.allSettled(both),
    }
    const both = [ctx.confirm('Really?'), Promise.resolve(true)]
    await wait[how]()
    return 'done'
  })
  const { content } = await createTestClient(server, { wire: 'push', answer: [true] as never }).callTool('t')
  expect(content).toEqual([{ type: 'text', text: 'done' }])
})

it('knows a promise that goes through an async generator, a promise of another library, and compiled awaits', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('t', guarded, async (_input, ctx) => {
    async function* each() {
      yield ctx.confirm('One?')
      yield ctx.confirm('Two?')
    }
    const all: unknown[] = []
    for await (const one of each()) all.push(one)
    for await (const one of [ctx.confirm('Three?')]) all.push(one)
    // As TypeScript's __awaiter does it.
    const adopt = (value: unknown) => (value instanceof Promise ? value : Promise.resolve(value))
    await new Promise(resolve => adopt(ctx.confirm('Four?')).then(each => resolve(all.push(each))))
    return all.join()
  })
  const { content } = await createTestClient(server, { wire: 'push', answer: () => true }).callTool('t')
  expect(content).toEqual([{ type: 'text', text: 'true,true,true,true' }])
})
