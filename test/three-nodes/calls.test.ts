// Three servers on one store, each with connections of its own: what one knows, all know.
import { metrics } from '@opentelemetry/api'
import { type AskDesk, createServer } from 'beckon'
import { createTestClient } from 'beckon/test'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { listenToCauses } from '../../faults/causes.mjs'
import { mortalStore } from '../../packages/server/src/test/mortal-store.js'
import { deskDouble } from '../../packages/server/test/desk-double.js'
import { type Place, sharedStores } from './shared-stores.js'

const nodes = ['A', 'B', 'C'] as const
type Params = Record<string, unknown>
const accepted = { action: 'accept', content: {} } as const
/** Short, so that what a dead node had is taken over soon. A living one that is slow is taken for dead: a cause like any other. */
const leaseMs = 1_000
/** Every way in which a handler may be entered again here. */
const causes = ['process-gone', 'other-process', 'unknown-write', 'evicted']
const patience = { timeout: 50_000, interval: 50 }

let causeOfEntry: () => string | undefined
beforeAll(() => {
  // Another file of this worker may have left its own.
  metrics.disable()
  causeOfEntry = listenToCauses()
})
afterAll(() => metrics.disable())

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

    describe('whose asks are on the desk', () => {
      let desk: ReturnType<typeof deskDouble>
      /** Why a handler was entered, in order: without a cause, the first time. */
      let entries: (string | undefined)[]

      beforeEach(() => {
        desk = deskDouble()
        entries = []
      })

      function serveWithDesk(wait: number) {
        const store = mortalStore(place.open())
        let isDead = false
        // A process that is gone hears nothing of its desk either.
        const ofDesk: AskDesk = {
          async open(...args) {
            const opened = await desk.open(...args)
            const heard = async () => {
              const outcome = await opened.outcome()
              return isDead ? new Promise<never>(() => {}) : outcome
            }
            return { ...opened, outcome: heard }
          },
        }
        const options = { name: 'shop', version: '1', store, desk: ofDesk, wait, retainMs: 60_000, limits: { leaseMs } }
        const server = createServer(options)
        server.tool('sign', {}, async (_, ctx) => {
          entries.push(causeOfEntry())
          await ctx.step('first', () => effects.push('first'))
          const isSure = await ctx.confirm('Sure?')
          await ctx.step('second', () => effects.push('second'))
          return `${isSure}`
        })
        server.tool('both', {}, async (_, ctx) => {
          entries.push(causeOfEntry())
          const [isSigned, isSure] = await Promise.all([
            ctx.confirm({ question: 'Sign?', audience: { principals: ['boss'] } }),
            ctx.confirm('Sure?'),
          ])
          await ctx.step('second', () => effects.push('second'))
          return `${isSigned} ${isSure}`
        })
        // One that can ask, and whose person never answers; and one that cannot.
        const asking = createTestClient(server, { wire: 'push', principal: 'ana', answer: () => new Promise(() => {}) })
        const mute = createTestClient(server, { wire: 'rounds', principal: 'ana', capabilities: {} })
        // What a dead node has begun never ends: only its timers do.
        const end = async () => void (await Promise.all([asking.close(), mute.close(), server.close()]))
        close.push(async () => (isDead ? void end() : end()))
        return {
          asking,
          call: async (name: string) => (await mute.callTool(name)).content[0]?.text,
          die() {
            isDead = true
            store.die()
          },
        }
      }

      const untilAsked = (...messages: string[]) =>
        vi.waitFor(() => expect(desk.messages().toSorted()).toEqual(messages.toSorted()), patience)

      /**
       * One entry is the first, and each of the others has a cause. An effect happened again only where a handler was entered more
       * often than nodes died: a node that stood still on a busy machine may have been cut between an effect and its record.
       */
      function expectOnce(wanted: readonly string[], { deaths }: { deaths: number }) {
        expect(entries.filter(cause => cause === undefined)).toHaveLength(1)
        for (const cause of entries) if (cause !== undefined) expect(causes).toContain(cause)
        expect(entries.length).toBeGreaterThan(deaths)
        expect([...new Set(effects)]).toEqual(wanted)
        expect(effects.length - wanted.length).toBeLessThan(entries.length - deaths)
      }

      it('ask once for a call that is made on all of them, and give its result on any', async () => {
        const all = nodes.map(() => serveWithDesk(1))
        for (const { call } of all) expect(await call('sign')).toContain('A person was asked')
        expect(desk.messages()).toEqual(['Sure?'])
        desk.answer('Sure?', accepted)
        await vi.waitFor(async () => expect(await all[2]?.call('sign')).toBe('true'), patience)
        expect(desk.messages()).toEqual([])
        expectOnce(['first', 'second'], { deaths: 0 })
      })

      it('go on elsewhere when the node dies that runs it', async () => {
        const [a, b, c] = nodes.map(() => serveWithDesk(1))
        expect(await a?.call('sign')).toContain('A person was asked')
        expect(await b?.call('sign')).toContain('A person was asked')
        a?.die()
        desk.answer('Sure?', accepted)
        await vi.waitFor(async () => expect(await c?.call('sign')).toBe('true'), patience)
        expect(desk.messages()).toEqual([])
        expectOnce(['first', 'second'], { deaths: 1 })
      })

      it.each(['before', 'after'] as const)(
        'go on elsewhere when the node dies %s an ask of it has moved from its client to the desk',
        async when => {
          const [a, , c] = nodes.map(() => serveWithDesk(50_000))
          const leaves = new AbortController()
          const gone = a?.asking.callTool('both', {}, { signal: leaves.signal }).catch(() => 'gone')
          await untilAsked('Sign?')
          expect(a?.asking.asked).toMatchObject([{ message: 'Sure?' }])
          leaves.abort()
          if (when === 'after') await untilAsked('Sign?', 'Sure?')
          a?.die()
          expect(await gone).toBe('gone')
          await untilAsked('Sign?', 'Sure?')
          const result = c?.call('both')
          desk.answer('Sign?', accepted)
          desk.answer('Sure?', accepted)
          expect(await result).toBe('true true')
          expectOnce(['second'], { deaths: 1 })
        },
      )
    })
  })
})
