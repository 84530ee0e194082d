import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type AskDesk, type BeckonServer, createServer } from '../../src/index.js'
import { createTestClient, type TestClientOptions } from '../../src/test/index.js'
import { deskAnsweredBy } from '../desk-double.js'
import { identify } from '../flows/opened.js'
import { Visitor } from '../flows/visitor.js'
import { build, type Plan, plan, predict, type World } from './plan.js'

vi.setConfig({ testTimeout: 300_000 })

const publicUrl = 'https://gates.example'
type Answer = 'accept' | 'decline'

interface Told {
  readonly message: string
  readonly url?: string | undefined
}

/** Ada, who does what a gate's message says: on its page, elsewhere, or with a yes or no. */
async function answer({ message, url }: Told, server: BeckonServer, { ends }: World): Promise<Answer> {
  const [place = '', wish] = message.split(' ')
  if (wish === 'no') return 'decline'
  if (url === undefined) return 'accept'
  const end = ends.get(place)
  if (end === undefined) {
    const page = await new Visitor(server, { 'x-user': 'ada' }).submit(url, { 'field-username': 'ada' })
    expect(page.title).toBe('Done')
  } else if (!(await server.completeElicitation(end))) {
    const webhook = `${publicUrl}/beckon/at-${place.replaceAll('.', '-')}/webhook`
    const told = await server.fetch(new Request(webhook, { method: 'POST', body: end }))
    expect(told.status).toBe(204)
  }
  return 'accept'
}

/** A desk at which Ada sits. */
function deskOf(reply: (told: Told) => Promise<Answer>): AskDesk {
  return deskAnsweredBy(async request => {
    const action = await reply(request)
    return action === 'accept' ? { action, content: {} } : { action }
  })
}

const wires = {
  push: { wire: 'push' },
  rounds: { wire: 'rounds' },
  tasks: { wire: 'tasks' },
  desk: { wire: 'rounds', capabilities: {} },
} satisfies Record<string, TestClientOptions>

const text = (result: { content: { text?: string }[] }) => result.content[0]?.text

interface Handler {
  /** Whether it asks as well. */
  readonly asks: boolean
  run(): string
}

/** A server with these middleware before its one tool, so many of them by `use`, and Ada's client. */
function setUp(plans: readonly Plan[], split: number, handler: Handler, options: TestClientOptions) {
  const world: World = { entered: [], ends: new Map() }
  const asked: string[] = []
  const reply = (told: Told): Promise<Answer> => {
    asked.push(told.message)
    return answer(told, server, world)
  }
  const server = createServer({ name: 's', version: '1.0.0', publicUrl, identify, desk: deskOf(reply) })
  const middleware = plans.map((planned, index) => build(planned, `${index}`, world))
  server.use(
    async (ctx, next) => {
      world.entered.push('begin')
      await ctx.session.authorize('opened')
      return next()
    },
    ...middleware.slice(0, split),
  )
  server.tool('t', ...middleware.slice(split), { task: 'optional' }, async (_input, ctx) => {
    world.entered.push('handler')
    if (handler.asks) expect(await ctx.confirm('handler yes')).toBe(true)
    return ctx.step('run', () => handler.run())
  })
  const client = createTestClient(server, {
    ...options,
    principal: 'ada',
    answer: ask => reply(ask.kind === 'url' ? { message: ask.message, url: ask.url } : { message: messageOf(ask) }),
  })
  const { entered, passes } = predict({ kind: 'every', members: [...plans] }, 'x')
  return { client, world, asked, passes, gates: ['begin', ...entered.map(place => place.slice(2))] }
}

const messageOf = (ask: object) => ('message' in ask ? String(ask.message) : '')
const isAskedOnce = (asked: readonly string[]) => new Set(asked).size === asked.length

describe('middleware in any order', () => {
  it.each(Object.entries(wires))(
    'has every call enter every gate on its way exactly once, on %s',
    async (_wire, options) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(plan, { maxLength: 6 }),
          fc.nat({ max: 6 }),
          fc.boolean(),
          async (plans, split, asks) => {
            let fails = 1
            const run = () => {
              if (fails-- > 0) throw new Error('refused')
              return 'ran'
            }
            const replay = 'when-needed' as const
            const { client, world, asked, gates, passes } = setUp(plans, split, { asks, run }, { ...options, replay })
            const retries = JSON.stringify(plans).includes('"retry"')
            for (let call = 0; call < 3; call++) {
              world.entered.length = 0
              asked.length = 0
              const said = text(await client.callTool('t'))
              // What ran, ran after all of them.
              expect(world.entered.slice(0, gates.length)).toEqual(gates)
              expect(world.entered.slice(gates.length).filter(place => place !== 'handler')).toEqual([])
              expect(asked).toSatisfy(isAskedOnce)
              if (!passes) expect(world.entered).not.toContain('handler')
              else if (call > 0 || !retries) expect(said).toBe(call === 0 ? 'refused' : 'ran')
            }
            await client.close()
          },
        ),
        { numRuns: 60 },
      )
    },
  )

  it('comes to the same when every round is replayed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { maxLength: 5 }), fc.nat({ max: 5 }), async (plans, split) => {
        let runs = 0
        const handler = { asks: true, run: () => `ran ${++runs}` }
        const options: TestClientOptions = { wire: 'rounds', replay: 'always' }
        const { client, world, asked, gates, passes } = setUp(plans, split, handler, options)
        const said = text(await client.callTool('t'))
        if (passes) expect([said, runs]).toEqual(['ran 1', 1])
        else expect(runs).toBe(0)
        expect(asked).toSatisfy(isAskedOnce)
        // Each run went through the same gates in the same order, none twice, and the last one through all of them.
        const whole = passes ? [...gates, 'handler'] : gates
        const ways = runsOf(world.entered)
        for (const way of ways) expect(whole.slice(0, way.length)).toEqual(way)
        expect(ways.at(-1)).toEqual(whole)
        await client.close()
      }),
      { numRuns: 60 },
    )
  })
})

/** What was entered, by run. */
function runsOf(entered: readonly string[]): string[][] {
  const runs: string[][] = []
  for (const place of entered) {
    if (place === 'begin') runs.push([])
    runs.at(-1)?.push(place)
  }
  return runs
}
