import { createTestClient, createTestClock } from 'beckon/test'
import { expect, it } from 'vitest'
import { createProbe } from './probe.js'

it.each([
  [20, /^the client answers by itself: nobody can have read the question in \d+ ms$/],
  [5_000, /^accept after \d+ ms, as a person might$/],
])('says of a client that answers after %d ms what it is', async (delayMs, said) => {
  const clock = createTestClock()
  const told: string[] = []
  const server = createProbe(({ outcome }) => told.push(outcome))
  for (const wire of ['push', 'rounds'] as const) {
    const client = createTestClient(server, {
      wire,
      clock,
      replay: 'when-needed',
      answersItself: true,
      answer: async () => {
        await clock.advance(delayMs)
        return 'accept'
      },
    })
    await client.callTool('probe_person')
    await client.close()
  }
  await server.close()
  expect(told).toEqual([expect.stringMatching(said), expect.stringMatching(said)])
})

it('has no second full stop where a failure is said in a sentence', async () => {
  const told: string[] = []
  const server = createProbe(({ outcome }) => told.push(outcome))
  const client = createTestClient(server, { capabilities: {} })
  await client.callTool('probe_form')
  expect(told).toEqual([expect.stringMatching(/^failed: .*[^.]$/)])
  await client.close()
  await server.close()
})
