import { expect, it } from 'vitest'
import { createServer } from '../index.js'
import { createTestClient } from '../test/index.js'

const guarded = { annotations: { destructive: true } }

const wires = ['push', 'rounds', 'tasks'] as const

it.each(wires)(
  'tells an author who forgot to await a confirm, though the handler has done it all by then (%s)',
  async wire => {
    const server = createServer({ name: 'shop', version: '1.0.0' })
    server.tool('wipe', { task: 'optional', annotations: { destructive: true } }, async (_input, ctx) => {
      if (!ctx.confirm('Delete all?')) return 'kept'
      await new Promise(resolve => setTimeout(resolve, 5))
      return 'deleted'
    })
    const { isError, content } = await createTestClient(server, { wire, answer: [true] }).callTool('wipe')
    expect({ isError, content }).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('without waiting for the answer to "Delete all?". Write `await`') }],
    })
  },
)

it.each(['confirm', 'outcome', 'elicit', 'form', 'url'] as const)('the same of ctx.%s', async verb => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('t', guarded, async (_input, ctx) => {
    const asked = {
      confirm: () => ctx.confirm('Really?'),
      outcome: () => ctx.confirm.outcome({ question: 'Really?' }),
      elicit: () => ctx.elicit({ question: 'Really?', schema: String }),
      form: () => ctx.elicit.form('Really?', { type: 'object', properties: {} }),
      url: () => ctx.elicit.url('Really?', 'https://example.com/'),
    }[verb]()
    return String(asked === undefined)
  })
  const { isError, content } = await createTestClient(server, { wire: 'push', answer: [true] }).callTool('t')
  expect({ isError, content }).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"Really?"') }],
  })
})

it('lets an ask go on that lost a race, or that someone waits for later, or elsewhere', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('t', guarded, async (_input, ctx) => {
    const race = await Promise.race([ctx.confirm('Slow?').then(() => 'answered'), 'at once'])
    const later = ctx.confirm('Later?')
    const [all] = await Promise.all([ctx.confirm('All?')])
    return [race, await later, all, await elsewhere(() => ctx.confirm('Elsewhere?'))].join()
  })
  const elsewhere = (ask: () => Promise<boolean>) => ask()
  const client = createTestClient(server, { wire: 'push', answer: () => true })
  expect((await client.callTool('t')).content).toEqual([{ type: 'text', text: 'at once,true,true,true' }])
})

it('gives a promise like any other', async () => {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('t', guarded, async (_input, ctx) => {
    const asked = ctx.confirm('Really?')
    const is = asked instanceof Promise
    return `${is} ${asked.constructor === Promise} ${await asked} ${await asked.finally(() => {})}`
  })
  const { content } = await createTestClient(server, { wire: 'rounds', answer: [true] }).callTool('t')
  expect(content).toEqual([{ type: 'text', text: 'true true true true' }])
})
