// R1: an ask that moves is open in one place at a time, and an answer where it no longer is changes nothing.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, turn } from '../../test/round-node.js'
import { twoNodes } from '../../test/two-nodes.js'
import type { OpenAsk, WireName } from '../call/ask.js'
import { Call } from '../call/call.js'
import type { Wires } from '../call/call-types.js'
import type { Incoming } from '../call/incoming.js'
import { Journal } from '../call/journal.js'
import type { AskPresenter, AskSender } from './call-request.js'

const timeoutMs = 3_600_000

describe('R1: an ask that moves', () => {
  /** A call whose ask is open over a wire, and what becomes of it there. */
  function open(wire: WireName) {
    const seen: string[] = []
    const wires: Wires = {
      open: ask => seen.push(`open over ${ask.wire}`),
      withdraw: ask => seen.push(`withdrawn from ${ask.wire}`),
      expire() {},
      begin() {},
    }
    const call = new Call<unknown>(
      {
        id: 'call',
        target: { method: 'tools/call', name: 'tool', digest: '' },
        principal: undefined,
        journal: new Journal(),
        clientWire: wire === 'desk' ? 'push' : wire,
        rules: { clock: new FakeClock(), maxAsks: 10, node: 'here', clockSkewMs: 0, holdMs: 45_000 },
      },
      wires,
    )
    call.run(() => call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs, wire }))
    return { call, seen }
  }

  it.each([
    ['push', 'desk'],
    ['rounds', 'desk'],
    ['rounds', 'tasks'],
    ['desk', 'push'],
  ] as const)('is closed over %s before it is open over %s', (from, to) => {
    const { call, seen } = open(from)
    call.move(call.openAsks[0]?.id ?? '', to)
    expect(seen).toEqual([`open over ${from}`, `withdrawn from ${from}`, `open over ${to}`])
    expect(call.openAsks).toMatchObject([{ wire: to }])
  })

  it.each([
    { how: 'leaves its client', wire: 'push', move: (call: Call) => call.leaveClient(), to: 'desk' },
    { how: 'leaves its client', wire: 'rounds', move: (call: Call) => call.leaveClient(), to: 'desk' },
    { how: 'becomes a task', wire: 'rounds', move: (call: Call) => call.becomeTask(), to: 'tasks' },
  ] as const)('does so, too, when a call over $wire $how', ({ wire, move, to }) => {
    const { call, seen } = open(wire)
    move(call)
    expect(seen).toEqual([`open over ${wire}`, `withdrawn from ${wire}`, `open over ${to}`])
  })

  it('is not touched where it is already', () => {
    const { call, seen } = open('push')
    expect(call.move(call.openAsks[0]?.id ?? '', 'push')).toBeUndefined()
    expect(seen).toEqual(['open over push'])
  })
})

it('R1: an ask is withdrawn from a client that is asked while its request is open before the desk opens it', async () => {
  const seen: string[] = []
  const messageOf = ({ ask }: OpenAsk) => ('message' in ask ? ask.message : '')
  const sender: AskSender = {
    open: ask => seen.push(`client: ${messageOf(ask)}`),
    withdraw: ask => seen.push(`client: ${messageOf(ask)} withdrawn`),
  }
  const presenter: AskPresenter = {
    link: async () => '',
    open: ask => {
      seen.push(`desk: ${messageOf(ask)}`)
      return new Promise(() => {})
    },
    withdraw() {},
    report() {},
  }
  const { runner } = createNode(async () => {})
  const leaves = new AbortController()
  const incoming: Incoming = {
    ...{ method: 'tools/call', params: {}, revision: '2025-11-25', capabilities: {}, client: undefined },
    ...{ principal: 'ana', sessionId: undefined, inputResponses: undefined, requestState: undefined },
    ...{ progressToken: undefined, signal: leaves.signal, notify() {}, log() {}, send: undefined },
  }
  const reply = runner.answer({
    incoming,
    ...{ target: { method: 'tools/call', name: 'tool', digest: '' }, state: undefined, clientWire: 'push', sender },
    ...{ takesTasks: false, canRepeat: true, handle: undefined, waitMs: timeoutMs, readReply: () => undefined },
    presenter: () => presenter,
    start: call =>
      Promise.all([
        call.ask({ kind: 'confirm', message: 'Sign?' }, { timeoutMs, wire: 'desk' }),
        call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs, wire: 'push' }),
      ]),
  })
  await turn()
  expect(seen).toEqual(['client: Sure?', 'desk: Sign?'])
  leaves.abort()
  await expect(reply).rejects.toThrow('The person can still answer')
  await turn()
  expect(seen.slice(2)).toEqual(['client: Sure? withdrawn', 'desk: Sure?'])
})

describe('R1: an answer for an ask that has moved', () => {
  /** A call that waits for two asks in a round of one process, of which the first then moves. */
  async function moved(to: 'tasks' | 'desk') {
    const answered: unknown[] = []
    let id = ''
    let move = () => {}
    const handler: Handler = call => {
      id = call.id
      move = () => call.move(call.openAsks[0]?.id ?? '', to)
      const asks = ['a', 'b'].map(message => ask(call, message, { timeoutMs }))
      for (const each of asks) void each.then(answer => answered.push(answer))
      return Promise.all(asks)
    }
    const nodes = twoNodes([handler, handler])
    const { a, b, pass } = nodes
    const answer = loud(await a.send())
    await b.nodes.join()
    move()
    await pass(200, a, b)
    return { ...nodes, answer, answered, look: () => b.runner.durable.look(id) }
  }

  it.each(['tasks', 'desk'] as const)('changes nothing when another process brings it: it is over %s now', async to => {
    const { a, b, pass, answer, answered, look } = await moved(to)
    expect((await look())?.open.map(({ wire }) => wire).toSorted()).toEqual([to, 'rounds'].toSorted())
    // The client has its old state yet, and its retry reaches another process.
    void b.send(answer).catch(() => {})
    await pass(2_000, a, b)
    await turn()
    const state = await look()
    expect(state?.open.map(({ wire }) => wire)).toEqual([to])
    expect(state?.entries).toHaveLength(1)
    // What is where it was counts.
    expect(answered).toEqual(['B'])
  })
})
