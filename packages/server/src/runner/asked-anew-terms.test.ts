// R6: an answer counts only for the question, and the content, that the person saw; and for what the author wants of who gives it.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { deskDouble } from '../../test/desk-double.js'
import { createServer } from '../server/create-server.js'
import { memoryStore } from '../store/memory-store.js'
import { createTestClient, createTestClock } from '../test/index.js'
import { mortalStore } from '../test/mortal-store.js'

const keys = 'a key for these tests only'

it.each([
  ['an elicit', undefined],
  ['a keyed elicit', 'payee'],
])('R6: %s that takes a passkey now is not answered by what came without one before a deploy', async (_, key) => {
  const clock = createTestClock()
  const shared = memoryStore({ clock })
  const desk = deskDouble()
  const start = (version: string, person: 'verified' | undefined) => {
    const store = mortalStore(shared)
    const limits = { leaseMs: 300 }
    const server = createServer({ name: 'bank', version, store, keys, desk, wait: 20, limits, clock, fallback: 'desk' })
    server.tool('pay', {}, async (_input, ctx) => {
      const payee = await ctx.elicit({
        question: 'To whom?',
        schema: z.object({ to: z.string() }),
        ...(key !== undefined && { key }),
        ...(person && { person }),
      })
      await ctx.confirm('Sure?')
      return `paid ${payee?.to}`
    })
    const client = createTestClient(server, {
      wire: 'rounds',
      principal: 'ana',
      replay: 'when-needed',
      capabilities: {},
    })
    return { server, client, store }
  }
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 20) {
      await clock.advance(20)
      for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
    }
  }
  const old = start('1', undefined)
  void old.client.callTool('pay').catch(() => {})
  await pass(200)
  expect(desk.messages()).toEqual(['To whom?'])
  desk.answer('To whom?', { action: 'accept', content: { to: 'Bob' } })
  await pass(200)
  expect(desk.messages()).toEqual(['Sure?'])
  old.store.die()
  const next = start('2', 'verified')
  void next.client.callTool('pay').catch(() => {})
  await pass(3_000)
  // The new version wants a passkey for it: so it is asked again.
  expect(desk.messages()).toContain('To whom?')
  await Promise.all([next.client.close(), next.server.close()])
})
