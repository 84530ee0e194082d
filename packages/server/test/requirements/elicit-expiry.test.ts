// What requirements.test.ts verifies for clients that are asked while their request is open, for those that come again, also when
// they come late.
import { expect } from 'vitest'
import { AskExpiredError, type BeckonServer } from '../../src/index.js'
import { verifies } from './verifies.js'

const timeoutMs = 500
/** How long a server that was not told keeps what a call needs to go on. */
const retainMs = 15 * 60_000
const text = ({ content }: { content: { text?: unknown }[] }) => content.map(block => block.text).join()
const handleIn = (said: string) => /"handle":"([\w-]+)"/.exec(said)?.[1]

/** Notes how its ask ended, as often as it did. */
function addTool(server: BeckonServer): { server: BeckonServer; endings: string[] } {
  const endings: string[] = []
  server.tool('t', { task: 'optional' }, async (_, ctx) => {
    const ending = await ctx.elicit({ question: 'a', schema: String, timeout: timeoutMs }).then(
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

verifies('elicit:expiry', ['desk'], async ({ server, connect, desk, clock, turn }) => {
  const { server: one, endings } = addTool(server())
  const client = connect(one)
  const waiting = client.callTool('t')
  await turn()
  clock.advance(1)
  expect(text(await waiting)).toContain('A person was asked')
  expect(desk.messages()).toEqual(['a'])
  clock.advance(timeoutMs - 2)
  await turn()
  expect(endings).toEqual([])
  clock.advance(1)
  await turn()
  expect(endings).toEqual(['AskExpired'])
  // A client that asks later hears how the call ended, and nobody is asked again.
  clock.advance(retainMs - 1)
  await turn()
  expect(text(await client.callTool('t'))).toBe('AskExpired')
  expect(desk.messages()).toEqual([])
  expect(endings).toEqual(['AskExpired'])
})

for (const replay of ['when-needed', 'always'] as const)
  for (const lateMs of [0, retainMs - 1])
    verifies('elicit:expiry', ['relay'], async ({ server, connect, clock, turn }) => {
      const { server: one, endings } = addTool(server({ replay }))
      const client = connect(one)
      const handle = handleIn(text(await client.callTool('t')))
      clock.advance(timeoutMs + lateMs)
      await turn()
      // An answer that comes too late is none, and a handle is good once.
      const late = () => client.callTool('t', { beckon: { handle, answer: 'late' } })
      expect(text(await late())).toBe('AskExpired')
      expect(new Set(endings)).toEqual(new Set(['AskExpired']))
      await expect(late()).rejects.toMatchObject({ code: -32602 })
    })

verifies('confirm:expiry', ['desk'], async ({ server, connect, desk, clock, turn }) => {
  const one = server().tool('t', {}, async (_, ctx) => ctx.json(await ctx.confirm({ question: 'Sure?', timeoutMs })))
  const client = connect(one)
  const waiting = client.callTool('t')
  await turn()
  clock.advance(1)
  await waiting
  clock.advance(timeoutMs + retainMs - 2)
  await turn()
  expect(desk.messages()).toEqual([])
  expect(text(await client.callTool('t'))).toBe('false')
})

verifies('confirm:expiry', ['relay'], async ({ server, connect, clock, turn }) => {
  const one = server().tool('t', {}, async (_, ctx) =>
    ctx.json(await ctx.confirm({ question: 'Sure?', fallback: 'relay', timeoutMs })),
  )
  const client = connect(one)
  const call = async (lateMs: number) => {
    const handle = handleIn(text(await client.callTool('t')))
    clock.advance(timeoutMs + lateMs)
    await turn()
    return client.callTool('t', { beckon: { handle, action: 'accept' } })
  }
  expect(text(await call(retainMs - 1))).toBe('false')
  await expect(call(retainMs)).rejects.toMatchObject({ code: -32602 })
})
