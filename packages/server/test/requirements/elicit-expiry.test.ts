// What requirements.test.ts verifies for clients that are asked while their request is open, for those that come again.
import { expect } from 'vitest'
import { AskExpiredError, type BeckonServer } from '../../src/index.js'
import { verifies } from './verifies.js'

/** Notes how its ask ended, as often as it did. */
function addTool(server: BeckonServer): { server: BeckonServer; endings: string[] } {
  const endings: string[] = []
  server.tool('t', { task: 'optional' }, async (_, ctx) => {
    const ending = await ctx.elicit({ question: 'a', schema: String, timeout: 500 }).then(
      () => 'answered',
      (error: unknown) => (error instanceof AskExpiredError ? error.kind : String(error)),
    )
    endings.push(ending)
    return ctx.text(ending)
  })
  return { server, endings }
}

verifies('elicit:expiry', ['tasks'], async ({ server, connect, clock, turn }) => {
  const { server: one, endings } = addTool(server())
  const client = connect(one)
  const { taskId } = await client.request('tools/call', { name: 't' })
  await turn()
  expect(await client.request('tasks/get', { taskId })).toMatchObject({ status: 'input_required' })
  clock.advance(499)
  await turn()
  expect(endings).toEqual([])
  clock.advance(1)
  await turn()
  expect(await client.request('tasks/get', { taskId })).toMatchObject({
    status: 'completed',
    result: { content: [{ text: 'AskExpired' }] },
  })
  expect(endings).toEqual(['AskExpired'])
})

for (const replay of ['when-needed', 'always'] as const)
  verifies('elicit:expiry', ['rounds'], async ({ server, connect, clock, turn }) => {
    const { server: one, endings } = addTool(server())
    const client = connect(one, { replay })
    const { requestState, inputRequests } = await client.request('tools/call', { name: 't' })
    clock.advance(500)
    await turn()
    // An answer that comes too late is none.
    const late = Object.fromEntries(
      Object.keys(inputRequests as object).map(id => [id, { action: 'accept', content: { value: 'late' } }]),
    )
    expect(await client.request('tools/call', { name: 't', requestState, inputResponses: late })).toMatchObject({
      content: [{ text: 'AskExpired' }],
    })
    expect(new Set(endings)).toEqual(new Set(['AskExpired']))
  })
