// What Tesseron's page "Elicitation" claims, as a tool author reads it.
import { ElicitationNotAvailableError, InvalidFormError } from 'beckon'
import { describe, expect, it } from 'vitest'
import { warehouseSchema } from './documents/tesseron.js'
import { transports } from './official-client.js'
import { clientWires, on, wires } from './story.js'

on(
  'tesseron',
  [...wires, ...transports],
  'clearCompleted goes on after an explicit accept alone',
  async ({ client }) => {
    const { callTool } = client('accept', 'decline', 'cancel')
    expect(await callTool('clearCompleted')).toMatchObject({
      content: [{ type: 'text', text: '{"removed":5}' }],
      structuredContent: { removed: 5 },
    })
    const no = { removed: 0, cancelled: true }
    expect(await callTool('clearCompleted')).toMatchObject({ structuredContent: no })
    expect(await callTool('clearCompleted')).toMatchObject({ structuredContent: no, content: [{ type: 'text' }] })
  },
)

on(
  'tesseron',
  [...clientWires, ...transports],
  'clearCompleted is cancelled where nobody can be asked',
  async story => {
    const no = { removed: 0, cancelled: true }
    expect(await story.mute().callTool('clearCompleted')).toMatchObject({ structuredContent: no })
  },
)

on(
  'tesseron',
  clientWires,
  'a confirm is false for a client that cannot ask, and is sent with nothing to fill in',
  async story => {
    story.server.tool('sure', {}, async (_input, ctx) => ({ ok: await ctx.confirm({ question: 'Sure?' }) }))
    expect(await story.mute().callTool('sure')).toMatchObject({ structuredContent: { ok: false } })
    const client = story.client('accept')
    expect(await client.callTool('sure')).toMatchObject({ structuredContent: { ok: true } })
    const sent = JSON.stringify(client.messages.filter(({ from }) => from === 'server'))
    expect(sent).toContain('"requestedSchema":{"type":"object","properties":{}')
  },
)

on('tesseron', [...wires, ...transports], 'checkStock gets the validated value, or null', async ({ client }) => {
  const { callTool } = client({ warehouseId: 'WH-7' }, 'decline', 'cancel')
  expect(await callTool('checkStock')).toMatchObject({ structuredContent: { warehouseId: 'WH-7', units: 7 } })
  expect(await callTool('checkStock')).toMatchObject({ structuredContent: { cancelled: true } })
  expect(await callTool('checkStock')).toMatchObject({ structuredContent: { cancelled: true } })
})

on(
  'tesseron',
  clientWires,
  'elicit throws -32007 where nobody can be asked, and the handler may look first',
  async story => {
    story.server.tool('guarded', {}, async (_input, ctx) => {
      try {
        await ctx.elicit({ question: 'Which warehouse?', schema: warehouseSchema })
        return 'asked'
      } catch (error) {
        if (!(error instanceof ElicitationNotAvailableError)) throw error
        return `${error.code} ${error.kind} ${ctx.agentCapabilities.elicitation}`
      }
    })
    const { content } = await story.mute().callTool('guarded')
    expect(content).toEqual([{ type: 'text', text: '-32007 ElicitationNotAvailable undefined' }])
  },
)

describe('a schema that elicitation does not allow is -32602 where it is asked', () => {
  const refused: [string, object][] = [
    ['a text at the top', { type: 'string' }],
    ['a list at the top', { type: 'array', items: { type: 'string', enum: ['a'] } }],
    ['choices at the top', { enum: ['a', 'b'] }],
    ['an object in an object', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
    ['a list of texts', { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }],
    ...['oneOf', 'anyOf', 'allOf'].map((word): [string, object] => [
      `${word} at the top`,
      { type: 'object', properties: {}, [word]: [{ type: 'object', properties: {} }] },
    ]),
    ['not at the top', { type: 'object', properties: {}, not: {} }],
  ]
  describe.each(refused)('%s', (_what, jsonSchema) => {
    on('tesseron', clientWires, 'before anything is sent', async ({ server, client }) => {
      server.tool('t', {}, async (_input, ctx) => {
        const error: unknown = await ctx
          .elicit({ question: 'Which?', schema: warehouseSchema, jsonSchema })
          .catch(caught => caught)
        return error instanceof InvalidFormError ? { code: error.code } : { error: String(error) }
      })
      const asking = client('accept')
      expect(await asking.callTool('t')).toMatchObject({ structuredContent: { code: -32602 } })
      expect(asking.asked).toEqual([])
    })
  })
})

it('sends one text field for a validator that cannot describe itself', async () => {
  const { formOf } = await import('@beckon/core')
  const silent = { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } } as const
  expect(formOf(silent)).toEqual({
    type: 'object',
    properties: { response: { type: 'string' } },
    required: ['response'],
  })
})
