import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createServer } from '../server/create-server.js'
import { createTestClient } from '../test/index.js'
import { cache } from './cache/cache.js'
import { every, except, some } from './combine/index.js'
import { confirmed } from './confirmed/confirmed.js'
import { logger } from './logger/logger.js'
import type { Middleware } from './middleware.js'
import { rateLimit } from './rate-limit/rate-limit.js'
import { retry } from './retry/retry.js'
import { truncate } from './truncate/truncate.js'

vi.setConfig({ testTimeout: 60_000 })

/** A middleware as data: what it is, and whether it lets a call pass. */
type Plan =
  | { kind: 'gate'; id: number; passes: boolean }
  | { kind: 'hooks'; id: number; passes: boolean }
  | { kind: 'confirmed'; id: number; passes: boolean }
  | { kind: 'cache' | 'retry' | 'logger' | 'truncate' | 'rateLimit' }
  | { kind: 'every' | 'some'; members: Plan[] }
  | { kind: 'except'; members: Plan[] }

const leaf: fc.Arbitrary<Plan> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('gate', 'hooks', 'confirmed'),
    id: fc.nat(),
    // Mostly, so that many calls come through to the handler.
    passes: fc.integer({ min: 0, max: 5 }).map(number => number > 0),
  }),
  fc.record({ kind: fc.constantFrom('cache', 'retry', 'logger', 'truncate', 'rateLimit') }),
)
const plan = fc.letrec<{ plan: Plan }>(tie => ({
  plan: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      kind: fc.constantFrom('every', 'some', 'except'),
      members: fc.array(tie('plan'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).plan

/** What a call does at each gate, in the order in which it does it. */
interface Trace {
  readonly entered: string[]
}

/** Each place in the order has a name of its own, so that two equal gates are two gates. */
function build(planned: Plan, place: string, trace: Trace): Middleware {
  switch (planned.kind) {
    case 'gate':
      return function gate(ctx, next) {
        trace.entered.push(place)
        return planned.passes ? next() : ctx.error('refused')
      }
    case 'hooks':
      return {
        name: place,
        onCall(ctx, next) {
          trace.entered.push(place)
          return planned.passes ? next() : ctx.error('refused')
        },
        onResult: result => result,
      }
    case 'confirmed': {
      const ask = confirmed(`${place} ${planned.passes ? 'yes' : 'no'}`)
      return function gate(ctx, next) {
        trace.entered.push(place)
        return (ask as Extract<Middleware, (...args: never) => unknown>)(ctx, next)
      }
    }
    case 'cache':
      return cache({ ttlMs: 60_000 })
    case 'retry':
      return retry({ attempts: 3, delayMs: 0 })
    case 'logger':
      return logger({ log: () => {} })
    case 'truncate':
      return truncate({ maxChars: 1_000 })
    case 'rateLimit':
      return rateLimit({ max: 1_000 })
    default: {
      const members = planned.members.map((member, index) => build(member, `${place}.${index}`, trace))
      const [first = (_ctx: unknown, next: () => unknown) => next(), ...rest] = members
      if (planned.kind === 'some') return some(first, ...rest)
      return planned.kind === 'every' ? every(first, ...rest) : except('another', first, ...rest)
    }
  }
}

/** Which gates a call has to enter, and whether it gets through: written down, and not composed. */
function predict(planned: Plan, place: string): { entered: string[]; passes: boolean } {
  if ('passes' in planned) return { entered: [place], passes: planned.passes }
  if (!('members' in planned)) return { entered: [], passes: true }
  const entered: string[] = []
  for (const [index, member] of planned.members.entries()) {
    const inner = predict(member, `${place}.${index}`)
    entered.push(...inner.entered)
    if (planned.kind === 'some' && inner.passes) return { entered, passes: true }
    if (planned.kind !== 'some' && !inner.passes) return { entered, passes: false }
  }
  return { entered, passes: planned.kind !== 'some' }
}

const text = (result: { content: { text?: string }[] }) => result.content[0]?.text

describe('middleware in any order', () => {
  it.each(['push', 'rounds'] as const)('has every call enter every gate on its way exactly once, on %s', async wire => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { maxLength: 6 }), fc.nat({ max: 6 }), async (plans, split) => {
        const trace: Trace = { entered: [] }
        const middleware = plans.map((planned, index) => build(planned, `${index}`, trace))
        const server = createServer({ name: 's', version: '1.0.0' })
        let fails = 1
        server.use(...middleware.slice(0, split))
        server.tool('t', ...middleware.slice(split), {}, () => {
          trace.entered.push('handler')
          if (fails-- > 0) throw new Error('refused')
          return 'ran'
        })
        const answer = ({ message }: { message: string }) => message.endsWith('yes')
        const client = createTestClient(server, { wire, replay: 'when-needed', principal: 'ann', answer })
        const { entered, passes } = predict({ kind: 'every', members: plans }, 'x')
        const gates = entered.map(place => place.slice(2))
        const retries = JSON.stringify(plans).includes('"retry"')
        for (let call = 0; call < 3; call++) {
          trace.entered.length = 0
          const said = text(await client.callTool('t'))
          const seen = trace.entered.filter(place => place !== 'handler')
          expect(seen).toEqual(gates)
          // What ran, ran after all of them.
          expect(trace.entered.slice(0, gates.length)).toEqual(gates)
          if (!passes) expect(trace.entered).not.toContain('handler')
          else if (call > 0 || !retries) expect(said).toBe(call === 0 ? 'refused' : 'ran')
        }
        await client.close()
      }),
      { numRuns: 60 },
    )
  })

  it('comes to the same when every round is replayed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { maxLength: 5 }), async plans => {
        const trace: Trace = { entered: [] }
        const server = createServer({ name: 's', version: '1.0.0' })
        let runs = 0
        server.tool(
          't',
          ...plans.map((planned, index) => build(planned, `${index}`, trace)),
          {},
          async (_input, ctx) => {
            const sure = await ctx.confirm('handler yes')
            return `ran ${sure} ${await ctx.step('count', () => ++runs)}`
          },
        )
        const answer = ({ message }: { message: string }) => message.endsWith('yes')
        const client = createTestClient(server, { wire: 'rounds', replay: 'always', principal: 'ann', answer })
        const { passes } = predict({ kind: 'every', members: plans }, 'x')
        const said = text(await client.callTool('t'))
        if (passes) expect([said, runs]).toEqual(['ran true 1', 1])
        else expect(runs).toBe(0)
        const asked = client.asked.map(({ message }) => message)
        expect(new Set(asked).size).toBe(asked.length)
        await client.close()
      }),
      { numRuns: 60 },
    )
  })
})
