// An author who wants a person for an ask wants one wherever it goes: a desk has rules that answer for people.
import { expect, it } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import type { AskPolicy } from '../call/ask-policy.js'
import { createServer } from '../server/create-server.js'
import { memoryStore } from '../store/memory-store.js'
import { createTestClient, createTestClock } from '../test/index.js'
import { mortalStore } from '../test/mortal-store.js'

const bosses = { groups: ['bosses'] }

/** Lets what is on its way arrive, and time pass. */
async function pass(ms: number, clock: ReturnType<typeof createTestClock>): Promise<void> {
  for (let left = ms; left > 0; left -= 20) {
    await clock.advance(20)
    for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  }
}

it('R6: on the desk, too, that an ask moved to', async () => {
  const clock = createTestClock()
  const desk = deskDouble()
  const policies = new Map<string, unknown>()
  const { open } = desk
  desk.open = (subject, request, options) => {
    policies.set(request.message, options?.policy)
    return open(subject, request, options)
  }
  const server = createServer({ name: 'bank', version: '1', desk, wait: 20, clock })
  server.tool('pay', {}, async (_input, ctx) => {
    const answers = await Promise.all([
      ctx.confirm({ question: 'Boss?', audience: bosses }),
      ctx.confirm({ question: 'Sure?', person: 'present' }),
    ])
    return answers.join()
  })
  const client = createTestClient(server, {
    wire: 'push',
    principal: 'ana',
    clock,
    answer: () => new Promise(() => {}),
  })
  void client.callTool('pay').catch(() => {})
  await pass(200, clock)
  expect([...policies.keys()]).toEqual(['Boss?'])
  // The client goes away: what it was asked goes to the desk.
  await client.close()
  await pass(200, clock)
  expect(policies.get('Sure?')).toEqual({ person: 'present' } satisfies AskPolicy & { person: string })
  await server.close()
})

it.each([undefined, { floorMs: 100 }])(
  'R6: and does not ask again what was answered, after a takeover (%o)',
  async person => {
    const clock = createTestClock()
    const shared = memoryStore({ clock })
    const desk = deskDouble()
    const start = () => {
      const store = mortalStore(shared)
      const keys = 'a key for these tests only'
      const server = createServer({
        name: 'bank',
        version: '1',
        store,
        keys,
        desk,
        wait: 20,
        limits: { leaseMs: 300 },
        clock,
      })
      server.tool('pay', {}, async (_input, ctx) => {
        const isSure = await ctx.confirm({ question: 'Sure?', ...(person && { person }) })
        return `${isSure} ${await ctx.confirm({ question: 'Boss?', audience: bosses })}`
      })
      const client = createTestClient(server, {
        wire: 'rounds',
        principal: 'ana',
        replay: 'when-needed',
        async answer() {
          await clock.advance(200)
          return true
        },
      })
      return { server, client, store }
    }
    const old = start()
    void old.client.callTool('pay').catch(() => {})
    await pass(2_000, clock)
    expect(desk.messages()).toEqual(['Boss?'])
    old.store.die()
    const next = start()
    void next.client.callTool('pay').catch(() => {})
    await pass(3_000, clock)
    expect(desk.messages()).toEqual(['Boss?'])
    await Promise.all([next.client.close(), next.server.close()])
  },
)
