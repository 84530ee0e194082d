// The page "Elicitation" of Tesseron, as the author of an application reads it: the code as it is written there, with an
// application, a gateway, and official clients of every era.
import { app, ElicitationNotAvailableError } from '@beckon/app'
import type { ElicitResult } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { allEras } from '../../packages/gateway/test/clients.js'
import { agentOn, startGateway } from '../../packages/gateway/test/setup.js'

const warehouseSchema = z.object({ warehouseId: z.string() })
const stock = { lookup: (warehouseId: string) => ({ warehouseId, units: 7 }) }

describe.each(allEras)('an application, called by a client of %s', era => {
  async function setUp(answers: readonly ElicitResult[] | undefined) {
    const tesseron = app({ id: 'todo', name: 'Todos' })
    tesseron
      .action('clearCompleted')
      .annotate({ destructive: true, requiresConfirmation: true })
      .handler(async (_input, ctx) => {
        const ok = await ctx.confirm({
          question: 'Remove 5 completed todos? This cannot be undone.',
        })
        if (!ok) return { removed: 0, cancelled: true }
        return { removed: 5 }
      })
    tesseron.action('checkStock').handler(async (_input, ctx) => {
      const answer = await ctx.elicit({
        question: 'Which warehouse should I check?',
        schema: warehouseSchema,
        jsonSchema: z.toJSONSchema(warehouseSchema),
      })
      if (answer === null) return { cancelled: true }
      return stock.lookup(answer.warehouseId)
    })
    tesseron.action('guarded').handler(async (_input, ctx) => {
      if (ctx.agentCapabilities.elicitation !== ctx.canAsk.form) throw new Error('They say different things.')
      try {
        await ctx.elicit({ question: 'Which?', schema: warehouseSchema })
        return { asked: true }
      } catch (error) {
        return error instanceof ElicitationNotAvailableError
          ? { code: error.code, kind: error.kind }
          : { error: `${error}` }
      }
    })
    tesseron.action('bare').handler(async (_input, ctx) => {
      const refused = await ctx
        .elicit({ question: 'Which?', schema: warehouseSchema, jsonSchema: { type: 'string' } })
        .catch(error => error)
      return { code: refused.code }
    })
    const left = [...(answers ?? [])]
    const { url } = await startGateway()
    const agent = await agentOn(url, era, answers && { answer: () => left.shift() ?? { action: 'cancel' } })
    const connection = await tesseron.connect(new URL('/beckon/app', url).href.replace(/^http/, 'ws'))
    onTestFinished(() => connection.close())
    await agent.call('tesseron__claim_session', { code: connection.claimCode })
    return async (action: string) => JSON.parse(await agent.call(`todo__${action}`))
  }

  it('goes on after an explicit accept alone', async () => {
    const call = await setUp([{ action: 'accept', content: {} }, { action: 'decline' }, { action: 'cancel' }])
    expect(await call('clearCompleted')).toEqual({ removed: 5 })
    expect(await call('clearCompleted')).toEqual({ removed: 0, cancelled: true })
    expect(await call('clearCompleted')).toEqual({ removed: 0, cancelled: true })
  })

  it('gets the validated value, or null; and -32602 for a schema that is not an object', async () => {
    const call = await setUp([{ action: 'accept', content: { warehouseId: 'WH-7' } }, { action: 'decline' }])
    expect(await call('checkStock')).toEqual({ warehouseId: 'WH-7', units: 7 })
    expect(await call('checkStock')).toEqual({ cancelled: true })
    expect(await call('bare')).toEqual({ code: -32602 })
  })

  it('is told by false, and by -32007, that nobody can be asked', async () => {
    const call = await setUp(undefined)
    expect(await call('clearCompleted')).toEqual({ removed: 0, cancelled: true })
    expect(await call('guarded')).toEqual({ code: -32007, kind: 'ElicitationNotAvailable' })
  })
})
