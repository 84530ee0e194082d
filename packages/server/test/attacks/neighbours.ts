// Two servers that keep what they know in one store: what a person did at one of them is nothing to the other.
import { z } from 'zod'
import type { BeckonServer, ServerOptions } from '../../src/index.js'
import { credentials } from '../../src/middleware/credentials/credentials.js'
import { guard } from '../../src/middleware/guard/guard.js'
import { payment } from '../../src/middleware/payment/index.js'
import { rateLimit } from '../../src/middleware/rate-limit/rate-limit.js'
import { memoryStore } from '../../src/store/memory-store.js'
import type { TestClient } from '../../src/test/index.js'
import { FakeClock } from '../fake-clock.js'
import { connect, identify, serve, textOf } from '../flows/opened.js'
import { Visitor } from '../flows/visitor.js'
import { littleIssuer } from '../oauth/little-issuer.js'
import { asAlice, processOptions, withToken } from '../oauth/processes.js'
import type { Family } from './attack.js'

const right = { 'field-username': 'alice', 'field-password': 'correct horse' }

/** The same tools on `demo` and on `bank`, and Alice as a client of each. She goes on with a link at `demo` alone. */
async function atBoth(setUp: (server: BeckonServer) => void, options: Partial<ServerOptions> = {}) {
  const store = memoryStore()
  const [demo, bank] = ['demo', 'bank'].map(name => {
    const server = serve({ name, store, identify, publicUrl: `https://${name}.example`, ...options })
    setUp(server)
    return connect(server, {
      principal: 'alice',
      answer: async ask => {
        if (name === 'bank' || ask.kind !== 'url') return 'decline'
        await new Visitor(server, { 'x-user': 'alice' }).submit(ask.url, right)
        return 'accept'
      },
    })
  }) as [TestClient, TestClient]
  return { demo, bank, call: async (client: TestClient, tool = 'gated') => textOf(await client.callTool(tool)) }
}

/** What Alice got at the bank, after she passed the gate at the demo. */
async function passedAtDemo(setUp: (server: BeckonServer) => void, options?: Partial<ServerOptions>): Promise<string> {
  const { demo, bank, call } = await atBoth(setUp, options)
  const first = await call(demo)
  if (first !== 'passed') throw new Error(`The demo said: ${first}`)
  const got = await call(bank)
  if (got === 'passed' && options === undefined) throw new Error('The bank let her pass, too.')
  return got
}

function withSignIn(server: BeckonServer): void {
  const login = credentials({
    message: 'Sign in.',
    schema: z.object({ username: z.string(), password: z.string() }),
    verify: ({ username }) => ({ id: username }),
  })
  server.tool('gated', login, {}, () => 'passed')
}

export const neighbours: Family = {
  family: 'Another server in the same store',
  attacks: [
    {
      attack: 'signing in at `demo` passes `credentials()` of `bank`',
      run: () => passedAtDemo(withSignIn),
    },
    {
      attack: 'the same where both say that they share what they know of people (`people`)',
      run: () => passedAtDemo(withSignIn, { people: 'acme' }),
    },
    {
      attack: 'being authorized at `demo` passes `guard()` of `bank`',
      run: () =>
        passedAtDemo(server => {
          server.tool(
            'gated',
            async (ctx, next) => {
              if (server.name === 'demo') await ctx.session.authorize('guard')
              return next()
            },
            guard(),
            {},
            () => 'passed',
          )
        }),
    },
    {
      attack: 'what `demo` keeps in `ctx.session`, `ctx.userStore` and `ctx.store` is read by `bank`',
      async run() {
        const { demo, bank, call } = await atBoth(server => {
          server.tool('gated', {}, async (_input, ctx) => {
            const places = [ctx.session, ctx.userStore, ctx.store]
            const found = await Promise.all(places.map(place => place.get('secret')))
            for (const place of places) await place.set('secret', server.name)
            return found.every(value => value === undefined) ? 'nothing' : `found ${found.join()}`
          })
        })
        await call(demo)
        const got = await call(bank)
        if (got !== 'nothing') throw new Error(got)
        return got
      },
    },
    {
      attack: 'calls at `demo` use up what `rateLimit()` lets pass at `bank`',
      async run() {
        const { demo, bank, call } = await atBoth(server => {
          server.tool('gated', rateLimit({ max: 1 }), {}, () => 'passed')
        })
        await call(demo)
        await call(demo)
        const got = await call(bank)
        if (got !== 'passed') throw new Error(got)
        return 'they do not: its calls pass'
      },
    },
    {
      attack: 'a token of `oauth()` that Alice gave `demo` is used by `bank`',
      async run() {
        const [issuer, clock] = [await littleIssuer(), new FakeClock()]
        const store = memoryStore({ clock })
        const [demo, bank] = ['demo', 'bank'].map(name => {
          const server = serve({ ...processOptions(store, clock), name })
          withToken(server, issuer)
          return connect(server, name === 'demo' ? asAlice(server) : { principal: 'alice', answer: () => 'decline' })
        }) as [TestClient, TestClient]
        const first = textOf(await demo.callTool('token'))
        if (first !== 'token-1') throw new Error(`The demo said: ${first}`)
        const got = textOf(await bank.callTool('token'))
        if (got.startsWith('token')) throw new Error('The bank has it.')
        return got
      },
    },
    {
      attack: 'a reference of a payment at `demo` is given out again at `bank`, by a provider of its own',
      async run() {
        const { demo, bank, call } = await atBoth(server => {
          const gate = payment({
            price: { amount: 5, currency: 'EUR', description: 'A report' },
            checkout: () => ({ url: 'https://pay.example', reference: 'order-1' }),
            verify: reference => ({ status: 'open', reference, amount: 5, currency: 'eur' }),
          })
          server.tool('gated', gate, {}, () => 'passed')
        })
        void call(demo).catch(() => {})
        const got = await call(bank)
        if (got !== 'The person declined. Nothing was done.') throw new Error(got)
        return 'two payments: each is settled for itself'
      },
    },
  ],
}
