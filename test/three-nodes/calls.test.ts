// Three servers on one store, each with connections of its own: what one knows, all know.
import { createServer } from 'beckon'
import { createTestClient } from 'beckon/test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Place, sharedStores } from './shared-stores.js'

const nodes = ['A', 'B', 'C'] as const
type Params = Record<string, unknown>

describe.each(sharedStores)('three nodes on one $name', ({ isHere, create }) => {
  describe.skipIf(!isHere)('with calls', { timeout: 60_000 }, () => {
    let place: Place
    let close: (() => Promise<void>)[]
    let effects: string[]

    beforeEach(async () => {
      place = await create()
      close = []
      effects = []
    })

    afterEach(async () => {
      for (const end of close) await end()
      await place.remove()
    })

    function serve(wire: 'rounds' | 'tasks') {
      const server = createServer({ name: 'shop', version: '1', store: place.open(), retainMs: 60_000 })
      server.tool('order', { task: 'optional', annotations: { destructive: true } }, async (_, ctx) => {
        const color = await ctx.elicit({ question: 'Which color?', schema: String })
        await ctx.step('pay', () => effects.push(`${color}`))
        return ctx.text(`${color}`)
      })
      server.tool('pay', {}, async (_, ctx) => {
        const page = 'https://pay.example'
        const { action } = await ctx.elicit.url('Pay', page, { waitForCompletion: true, elicitationId: 'bill' })
        return ctx.text(action)
      })
      const client = createTestClient(server, { wire, replay: 'when-needed', principal: 'ana' })
      close.push(
        () => client.close(),
        () => server.close(),
      )
      return { server, request: (method: string, params: Params) => client.request(method, params) as Promise<Params> }
    }

    const answerTo = ({ inputRequests = {} }: Params, value: string) => ({
      [`${Object.keys(inputRequests as object)[0]}`]: { action: 'accept', content: { value } },
    })

    it('take one of the answers that race on all of them, in rounds, and agree on it', async () => {
      const all = nodes.map(() => serve('rounds'))
      const call = { name: 'order', arguments: {} }
      const first = (await all[0]?.request('tools/call', call)) ?? {}
      const answered = (value: string) => ({
        ...call,
        requestState: first.requestState,
        inputResponses: answerTo(first, value),
      })
      const settled = await Promise.allSettled(
        all.map(({ request }, index) => request('tools/call', answered(`${nodes[index]}`))),
      )
      const winner = settled.findIndex(({ status }) => status === 'fulfilled')
      const refusals = settled.filter(result => result.status === 'rejected')
      expect(refusals.map(({ reason }) => reason.code)).toEqual([-32602, -32602])
      const repeats = await Promise.all(all.map(({ request }) => request('tools/call', answered(`${nodes[winner]}`))))
      for (const repeat of repeats) expect(repeat.content).toEqual([{ type: 'text', text: nodes[winner] }])
      for (const { request } of all)
        await expect(request('tools/call', answered('someone late'))).rejects.toMatchObject({ code: -32602 })
      expect(effects).toEqual([nodes[winner]])
    })

    it('take one of the answers that race on all of them, for a task, and agree on it', async () => {
      const all = nodes.map(() => serve('tasks'))
      const { taskId } = (await all[0]?.request('tools/call', { name: 'order', arguments: {} })) ?? {}
      const shown = await Promise.all(all.map(({ request }) => request('tasks/get', { taskId })))
      await Promise.all(
        all.map(({ request }, index) =>
          request('tasks/update', { taskId, inputResponses: answerTo(shown[index] ?? {}, `${nodes[index]}`) }),
        ),
      )
      const ends = await vi.waitFor(
        async () => {
          const tasks = await Promise.all(all.map(({ request }) => request('tasks/get', { taskId })))
          expect(tasks.map(({ status }) => status)).toEqual(nodes.map(() => 'completed'))
          return tasks.map(({ result }) => (result as { content: [{ text: string }] }).content[0].text)
        },
        { timeout: 50_000, interval: 50 },
      )
      expect(nodes).toContain(ends[0])
      expect(ends).toEqual(nodes.map(() => ends[0]))
      expect(effects).toEqual([ends[0]])
    })

    it('go on with a call on another node when the flow behind its URL was completed on one', async () => {
      const [a, b, c] = nodes.map(() => serve('rounds'))
      const call = { name: 'pay', arguments: {} }
      const first = (await a?.request('tools/call', call)) ?? {}
      const inputResponses = { [`${Object.keys(first.inputRequests as object)[0]}`]: { action: 'accept' } }
      const waiting = b?.request('tools/call', { ...call, requestState: first.requestState, inputResponses })
      expect(await c?.server.completeElicitation('bill')).toBe(true)
      expect(await waiting).toMatchObject({ content: [{ text: 'accept' }] })
    })
  })
})
