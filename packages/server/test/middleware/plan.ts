// Middleware in any order, as data: what stands where, and whether it lets a call pass.
import fc from 'fast-check'
import { z } from 'zod'
import { callWith, type Middleware } from '../../src/author/middleware.js'
import { cache } from '../../src/middleware/cache/cache.js'
import { every, except, some } from '../../src/middleware/combine/index.js'
import { confirmed } from '../../src/middleware/confirmed/confirmed.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { guard } from '../../src/middleware/guard/guard.js'
import { logger } from '../../src/middleware/logger/logger.js'
import { payment } from '../../src/middleware/payment/index.js'
import { rateLimit } from '../../src/middleware/rate-limit/rate-limit.js'
import { retry } from '../../src/middleware/retry/retry.js'
import { truncate } from '../../src/middleware/truncate/truncate.js'
import { urlAction } from '../../src/middleware/url-action/url-action.js'

const gateKinds = ['gate', 'hooks', 'guard', 'confirmed', 'urlAction', 'credentials', 'payment'] as const
const otherKinds = ['cache', 'retry', 'logger', 'truncate', 'rateLimit'] as const

export type Plan =
  | { kind: (typeof gateKinds)[number]; passes: boolean }
  | { kind: (typeof otherKinds)[number] }
  | { kind: 'every' | 'some' | 'except'; members: Plan[] }

/** What people do at the gates, and what the gates tell of that. */
export interface World {
  /** The gates that were entered and the handler, in order. */
  readonly entered: string[]
  /** What ends the flow of a gate, by its place. */
  readonly ends: Map<string, string>
}

const leaf: fc.Arbitrary<Plan> = fc.oneof(
  fc.record({
    kind: fc.constantFrom(...gateKinds),
    // Mostly, so that many calls come through to the handler.
    passes: fc.integer({ min: 0, max: 5 }).map(number => number > 0),
  }),
  fc.record({ kind: fc.constantFrom(...otherKinds) }),
)

export const plan: fc.Arbitrary<Plan> = fc.letrec<{ plan: Plan }>(tie => ({
  plan: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      kind: fc.constantFrom('every', 'some', 'except'),
      members: fc.array(tie('plan'), { minLength: 1, maxLength: 3 }),
    }),
  ),
})).plan

/** Each place in the order has a name of its own, so that two equal gates are two gates. */
export function build(planned: Plan, place: string, world: World): Middleware {
  if ('passes' in planned) return noting(gateOf(planned, place, world), place, world)
  switch (planned.kind) {
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
      const members = planned.members.map((member, index) => build(member, `${place}.${index}`, world))
      const [first = (_ctx: unknown, next: () => unknown) => next(), ...rest] = members
      if (planned.kind === 'some') return some(first, ...rest)
      return planned.kind === 'every' ? every(first, ...rest) : except('another', first, ...rest)
    }
  }
}

/** Which gates a call has to enter, and whether it gets through: written down, and not composed. */
export function predict(planned: Plan, place: string): { entered: string[]; passes: boolean } {
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

/** The same gate, that notes when it is entered. */
function noting(gate: Middleware, place: string, { entered }: World): Middleware {
  // Whatever else it brings, such as its flows, stays.
  const hooks = typeof gate === 'function' ? Object.assign({ name: place }, gate) : gate
  return {
    ...hooks,
    name: gate.name,
    onCall(ctx, next) {
      entered.push(place)
      return callWith(gate, ctx, next)
    },
  }
}

function gateOf({ kind, passes }: Extract<Plan, { passes: boolean }>, place: string, { ends }: World): Middleware {
  const message = `${place} ${passes ? 'yes' : 'no'}`
  const name = `at-${place.replaceAll('.', '-')}`
  switch (kind) {
    case 'gate':
      return (ctx, next) => (passes ? next() : ctx.error('refused'))
    case 'hooks':
      return {
        name,
        onCall: (ctx, next) => (passes ? next() : ctx.error('refused')),
        onResult: result => result,
      }
    case 'guard':
      return guard({ name: passes ? 'opened' : name })
    case 'confirmed':
      return confirmed(message)
    case 'urlAction':
      return urlAction({
        message,
        url({ elicitationId }) {
          ends.set(place, elicitationId)
          return 'https://elsewhere.example/'
        },
      })
    case 'credentials':
      return credentials({
        name,
        message,
        schema: z.object({ username: z.string() }),
        verify: ({ username }) => ({ id: username }),
      })
    case 'payment': {
      const price = { amount: 100, currency: 'eur', description: 'Something' }
      return payment({
        name,
        message,
        price,
        checkout({ elicitationId: reference }) {
          ends.set(place, reference)
          return { url: 'https://bank.example/', reference }
        },
        webhook: async request => ({ ...price, status: 'paid', reference: await request.text() }),
      })
    }
  }
}
