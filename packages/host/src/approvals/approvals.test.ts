// What no framework tries by itself. The frameworks' own stories are in examples/agents.
import { createDesk, type Desk } from '@beckon/desk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Person } from '../../test/person.js'
import { approvalMessage } from './ai-sdk.js'
import { type Approve, approvalsOn } from './approvals.js'
import { canUseTool } from './claude-agent.js'
import { approveInterrupts } from './langgraph.js'
import { decideInterruptions } from './openai-agents.js'

let desk: Desk
let person: Person
let approve: Approve

beforeEach(async () => {
  desk = createDesk()
  person = await Person.at((await desk.listen()).socketUrl)
  approve = approvalsOn(desk, { agent: 'cleaner', run: 'run-1' })
})

afterEach(async () => {
  person.close()
  await desk.close()
})

const call = { id: 'c-1', tool: 'erase', input: { table: 'orders' } }
const never = new AbortController().signal

describe('an approval', () => {
  it('is not found under an id that stands for other arguments', async () => {
    const first = approve(call)
    await person.accept(await person.next())
    expect(await first).toEqual({ approved: true })
    await expect(approve({ ...call, input: { table: 'customers' } })).rejects.toThrow()
  })

  it('is of its run alone', async () => {
    const first = approve(call)
    await person.accept(await person.next())
    await first
    const other = approvalsOn(desk, { agent: 'cleaner', run: 'run-2' })(call)
    await person.decline(await person.next())
    expect(await other).toMatchObject({ approved: false })
  })

  it('is withdrawn when nobody needs it any more', async () => {
    const stop = new AbortController()
    const asked = approve(call, stop.signal)
    const ask = await person.next()
    stop.abort(new Error('Enough.'))
    await expect(asked).rejects.toThrow('Enough.')
    await person.gone(ask)
  })

  it('says whether the call can destroy something, as the call or its tool has it', async () => {
    const careful = approvalsOn(desk, { agent: 'cleaner', run: 'run-3', isDestructive: tool => tool !== 'look' })
    for (const [id, tool, destructive, expected] of [
      ['1', 'erase', undefined, true],
      ['2', 'look', undefined, undefined],
      ['3', 'erase', false, undefined],
    ] as const) {
      const asked = careful({ id, tool, input: {}, destructive })
      const ask = await person.next()
      expect(ask.request._meta?.['beckon/destructive']).toBe(expected)
      await person.accept(ask)
      await asked
    }
  })

  it('is none when time is over', async () => {
    const short = approvalsOn(desk, { agent: 'cleaner', run: 'run-4', terms: { timeoutMs: 1 } })
    expect(await short(call)).toMatchObject({ approved: false, reason: expect.stringContaining('expired') })
  })
})

describe('canUseTool', () => {
  const use = { signal: never }

  it('has each of two calls with the same arguments approved, at once and one after the other', async () => {
    const ask = canUseTool(approve)
    const both = [ask('erase', { table: 'orders' }, use), ask('erase', { table: 'orders' }, use)]
    await person.accept(await person.next())
    await person.decline(await person.next(), 'Once is enough.')
    const behaviors = (await Promise.all(both)).map(({ behavior }) => behavior)
    expect(behaviors.sort()).toEqual(['allow', 'deny'])
    const third = ask('erase', { table: 'orders' }, use)
    await person.decline(await person.next())
    expect(await third).toMatchObject({ behavior: 'deny' })
  })

  it('gives an answer that came while the agent was gone, once', async () => {
    const openCalls = new Map<string, string>()
    const unheard: Approve = given => approve(given).then(() => new Promise<never>(() => {}))
    void canUseTool(unheard, openCalls)('erase', {}, use)
    await person.accept(await person.next())
    expect(await canUseTool(approve, new Map(openCalls))('erase', {}, use)).toMatchObject({ behavior: 'allow' })
    expect(openCalls.size).toBe(1)
  })

  it('forgets a call that was withdrawn', async () => {
    const openCalls = new Map<string, string>()
    const stop = new AbortController()
    const asked = canUseTool(approve, openCalls)('erase', {}, { signal: stop.signal })
    await person.next()
    stop.abort(new Error('Enough.'))
    await expect(asked).rejects.toThrow('Enough.')
    expect(openCalls.size).toBe(0)
  })
})

it('answers requests of the AI SDK that have no answer yet, and no others', async () => {
  const request = (n: number) => [
    { type: 'tool-call', toolCallId: `c-${n}`, toolName: 'erase', input: { n } },
    { type: 'tool-approval-request', approvalId: `a-${n}`, toolCallId: `c-${n}` },
  ]
  const answer = { type: 'tool-approval-response', approvalId: 'a-1', approved: true }
  const messages = [
    { role: 'user', content: 'Erase.' },
    { role: 'assistant', content: [...request(1), ...request(2)] },
    { role: 'tool', content: [answer] },
  ]
  const answered = approvalMessage(messages, approve)
  await person.accept(await person.next())
  expect(await answered).toEqual({ role: 'tool', content: [{ ...answer, approvalId: 'a-2' }] })
  expect(await approvalMessage(messages.slice(0, 1), approve)).toBeUndefined()
  const forged = [{ role: 'assistant', content: [{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }] }]
  await expect(approvalMessage(forged, approve)).rejects.toThrow('no such call')
})

it('asks anew for a call of LangGraph with the arguments of one that was approved', async () => {
  const interrupt = (id: string) => [{ id: 'same', value: { id, tool: 'erase', input: {} } }]
  const first = approveInterrupts(interrupt('a'), approve)
  await person.accept(await person.next())
  expect(await first).toEqual({ same: { approved: true } })
  const second = approveInterrupts(interrupt('b'), approve)
  await person.decline(await person.next())
  expect(await second).toMatchObject({ same: { approved: false } })
})

it('approves nothing of the AI SDK where an id stands for several calls', async () => {
  const call = (table: string) => ({ type: 'tool-call', toolCallId: 'c', toolName: 'erase', input: { table } })
  const request = { type: 'tool-approval-request', approvalId: 'r', toolCallId: 'c' }
  const messages = [{ role: 'assistant', content: [call('scratch'), call('customers'), request] }]
  await expect(approvalMessage(messages, approve)).rejects.toThrow('several calls')
})

describe('one approval does not do for two calls that came under one id', () => {
  const both = new Error('asked')
  const asks: Approve = () => Promise.reject(both)

  it('of the AI SDK, which would run a call once for each of two requests', async () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'pay', input: {} }
    const request = (approvalId: string) => ({ type: 'tool-approval-request', approvalId, toolCallId: 'c' })
    const said = { type: 'tool-approval-response', approvalId: 'r-1', approved: true }
    const asked = { role: 'assistant', content: [call, request('r-1'), request('r-2')] }
    await expect(approvalMessage([asked], asks)).rejects.toThrow('"c" stands for several')
    await expect(approvalMessage([asked, { role: 'tool', content: [said] }], asks)).rejects.toThrow('several')
  })

  it('of the OpenAI Agents SDK', async () => {
    const pay = () => ({ name: 'pay', arguments: '{"amount":5}', rawItem: { callId: 'c' } })
    const state = { getInterruptions: () => [pay(), pay()], approve: () => {}, reject: () => {} }
    await expect(decideInterruptions(state, asks)).rejects.toThrow('"c" stands for several')
  })

  it('of LangGraph, which may show one interrupt twice', async () => {
    const interrupt = (id: string) => ({ id, value: { id: 'c', tool: 'pay', input: {} } })
    await expect(approveInterrupts([interrupt('i-1'), interrupt('i-2')], asks)).rejects.toThrow(
      '"c" stands for several',
    )
    const other = { id: 'i-1', value: { id: 'd', tool: 'pay', input: {} } }
    await expect(approveInterrupts([interrupt('i-1'), other], asks)).rejects.toThrow('"i-1" stands for several')
    await expect(approveInterrupts([interrupt('i-1'), interrupt('i-1')], asks)).rejects.toBe(both)
  })
})

it('lets run what a person was shown, whatever became of the arguments meanwhile', async () => {
  const input = { table: 'scratch', more: { cascade: false } }
  const asked = canUseTool(approve)('erase', input, { signal: never })
  const ask = await person.next()
  input.table = 'customers'
  input.more.cascade = true
  await person.accept(ask)
  expect(await asked).toEqual({ behavior: 'allow', updatedInput: { table: 'scratch', more: { cascade: false } } })
})

it('leaves interrupts of LangGraph alone that are for something else', async () => {
  expect(await approveInterrupts([{ id: 'i-1', value: 'How old are you?' }], approve)).toBeUndefined()
})

it('shows arguments of the OpenAI Agents SDK that are not JSON, and calls without any, as they are', async () => {
  const shell = { type: 'shell_call', callId: 'c-2', action: { commands: ['rm -r /'] } }
  const interruptions = [
    { name: 'erase', arguments: 'orders!', rawItem: { callId: 'c-1' } },
    { name: 'shell', rawItem: shell },
  ]
  const approved: unknown[] = []
  const state = {
    getInterruptions: () => interruptions,
    approve: (interruption: unknown) => void approved.push(interruption),
    reject: () => {},
  }
  const shown: unknown[] = []
  const decided = decideInterruptions(state, async ({ input }) => {
    shown.push(input)
    return { approved: true }
  })
  expect(await decided).toBe(true)
  expect(shown).toEqual(['orders!', shell])
  expect(approved).toEqual(interruptions)
})
