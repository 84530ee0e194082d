// What the runner promises, by the numbers in runner.ts.
import { formOf, StateRejectedError } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { deskDouble } from '../../test/desk-double.js'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, turn } from '../../test/round-node.js'
import { createServer } from '../index.js'
import { memoryStore, type Store, StoreUnavailableError } from '../store/index.js'
import { createTestClient } from '../test/index.js'
import { tasksExtension } from '../wires/tasks.js'

type Operation = Exclude<keyof Store, 'shared' | 'close' | 'rewrite'>

/** A store that others share, with what was called on it; `meddle` comes between. */
function sharedStore(
  meddle: Partial<{
    [K in Operation]: (call: () => ReturnType<Store[K]>, ...args: Parameters<Store[K]>) => unknown
  }> = {},
) {
  const plain = memoryStore({ clock: { now: () => 0 } })
  const calls: Operation[] = []
  const store = { ...plain, shared: true, close: async () => {} } as unknown as Record<string, unknown>
  for (const name of Object.keys(plain) as (Operation | 'shared' | 'close')[]) {
    if (name === 'shared' || name === 'close') continue
    const method = plain[name] as (...args: unknown[]) => Promise<unknown>
    const between = meddle[name] as ((call: () => unknown, ...args: unknown[]) => unknown) | undefined
    store[name] = async (...args: unknown[]) => {
      calls.push(name)
      return between === undefined ? method(...args) : between(() => method(...args), ...args)
    }
  }
  return { store: store as unknown as Store, plain, calls }
}

const away = () => new StoreUnavailableError('The store', undefined)
const accepted = { action: 'accept', content: {} } as const

describe('R1: each ask has its wire, and moves in place', () => {
  it('takes no answer where an ask no longer is, and says how the call stands', async () => {
    let moved = () => {}
    const { send } = createNode(async call => {
      moved = () => call.move(call.openAsks[0]?.id ?? '', 'tasks')
      return ask(call, 'a')
    })
    const first = await send()
    moved()
    const again = await Promise.race([send(loud(first)), turn().then(() => 'waits')])
    // It goes on where it is now: nothing was answered.
    expect(again).not.toMatchObject({ kind: 'finished' })
  })
})

describe('R2: an append may have taken effect although it rejected', () => {
  it.each([1, 2])('answers a retry when the acknowledgement of append %i was lost', async lost => {
    let appends = 0
    let runs = 0
    const { store } = sharedStore({
      append: async call => {
        const written = await call()
        if (++appends === lost) throw away()
        return written
      },
    })
    const { send } = createNode(
      async call => {
        const a = await ask(call, 'a')
        runs++
        return a
      },
      { store },
    )
    const answer = loud(await send())
    expect(await send(answer)).toEqual({ kind: 'finished', result: 'A' })
    expect(await send(answer)).toEqual({ kind: 'finished', result: 'A' })
    expect(runs).toBe(1)
  })

  it('answers a retry when nothing could be read either, once the store is back', async () => {
    let isAway = false
    const { store } = sharedStore({
      append: async call => {
        const written = await call()
        if (isAway) throw away()
        return written
      },
      read: async call => {
        if (isAway) throw away()
        return call()
      },
    })
    const clock = new FakeClock()
    const { send } = createNode(call => ask(call, 'a', { timeoutMs: 3_600_000 }), { store, clock })
    const answer = loud(await send())
    isAway = true
    await expect(send(answer)).rejects.toThrow(StoreUnavailableError)
    isAway = false
    const reply = send(answer)
    for (let second = 0; second < 60; second++) {
      clock.advance(1_000)
      await turn()
    }
    expect(await reply).toEqual({ kind: 'finished', result: 'A' })
  })

  it('starts anew from a log that lost its tail, and never spins', async () => {
    const { store, plain, calls } = sharedStore()
    const logs = new Set<string>()
    const append = store.append
    store.append = (log, ...rest) => {
      logs.add(log)
      return append(log, ...rest)
    }
    const { send } = createNode(async call => [await ask(call, 'a'), await ask(call, 'b')], { store })
    const second = await send(loud(await send()))
    // A failover to a replica that had not got the last entries.
    for (const log of logs) {
      const [first] = await plain.read(log)
      await plain.erase(log)
      if (first !== undefined) await plain.append(log, [first.value])
    }
    calls.length = 0
    const third = await send(loud(second))
    const last = third.kind === 'asks' ? await send(loud(third)) : third
    expect(last).toEqual({ kind: 'finished', result: ['A', 'B'] })
    expect(calls.length).toBeLessThan(20)
  })
})

describe('R4: a round is answered once', () => {
  it('refuses a state that was issued before what it has forgotten, so that an old yes counts once', async () => {
    let paid = 0
    const clock = new FakeClock()
    const { send } = createNode(
      async call => {
        await ask(call, 'Pay?', { timeoutMs: 3_600_000 })
        paid++
      },
      { limits: { rounds: 5, replies: 2, suspended: 10 }, clock },
    )
    const yes = loud(await send())
    await send(yes)
    for (let i = 0; i < 10; i++) {
      clock.advance(10)
      await send(loud(await send()))
    }
    expect(paid).toBe(11)
    await expect(send(yes)).rejects.toThrow(StateRejectedError)
    expect(paid).toBe(11)
  })

  it('forgets nothing of someone known for what strangers answer', async () => {
    const clock = new FakeClock()
    const { send } = createNode(call => ask(call, 'a', { timeoutMs: 3_600_000 }), {
      limits: { rounds: 5, replies: 5 },
      clock,
    })
    const answer = { ...loud(await send({ principal: 'ana' })), principal: 'ana' }
    expect(await send(answer)).toEqual({ kind: 'finished', result: 'A' })
    for (let i = 0; i < 20; i++) {
      clock.advance(10)
      await send(loud(await send()))
    }
    expect(await send(answer)).toEqual({ kind: 'finished', result: 'A' })
  })
})

describe('R7: rounds store nothing before the first answer or step', () => {
  it('and three operations are all that a confirm takes', async () => {
    const { store, calls } = sharedStore()
    const { send } = createNode(call => ask(call, 'a'), { store })
    await send(loud(await send())) // joins
    calls.length = 0
    const first = await send()
    expect(calls).toEqual([])
    await send(loud(first))
    expect(calls.length).toBeLessThanOrEqual(3)
  })
})

describe('R8: what callers leave behind is bounded', () => {
  it('in bytes: large arguments push out the oldest', async () => {
    const { send, runner } = createNode(call => ask(call, 'a'), { limits: { suspendedBytes: 1_000_000 } })
    for (let i = 0; i < 50; i++) await send({ params: { text: 'x'.repeat(100_000) }, args: `${i}` })
    expect(runner.suspended).toBeLessThanOrEqual(10)
  })

  it('in bytes: what is shown beside a question counts as well', async () => {
    const show = [{ kind: 'code', text: 'x'.repeat(100_000) } as const]
    const handler: Handler = call =>
      call.ask({ kind: 'confirm', message: 'a', show }, { timeoutMs: 1_000, wire: 'rounds' })
    const { send, runner } = createNode(handler, { limits: { suspendedBytes: 1_000_000 } })
    for (let i = 0; i < 50; i++) await send({ args: `${i}` })
    expect(runner.suspended).toBeLessThanOrEqual(10)
  })

  it('in bytes: what a widget is given counts as well, and the form that was made for it', async () => {
    const form = formOf({ type: 'object', properties: { row: { type: 'string', title: 'x'.repeat(50_000) } } })
    const widget = { name: 'rows', data: 'x'.repeat(50_000) }
    const handler: Handler = call =>
      call.ask({ kind: 'form', message: 'a', form, widget }, { timeoutMs: 1_000, wire: 'rounds' })
    const { send, runner } = createNode(handler, { limits: { suspendedBytes: 1_000_000 } })
    for (let i = 0; i < 50; i++) await send({ args: `${i}` })
    expect(runner.suspended).toBeLessThanOrEqual(10)
  })

  it('strangers push out no call of someone known, in number or bytes', async () => {
    let runs = 0
    const handler: Handler = async call => {
      if (call.principal === 'ana') runs++
      return ask(call, 'a')
    }
    const { send } = createNode(handler, { limits: { suspended: 10, suspendedBytes: 1_000_000 }, replay: 'never' })
    const mine = await send({ principal: 'ana' })
    for (let i = 0; i < 30; i++) await send({ params: { text: 'x'.repeat(90_000) } })
    expect(await send({ ...loud(mine), principal: 'ana' })).toEqual({ kind: 'finished', result: 'A' })
    expect(runs).toBe(1)
  })

  it('calls that hold their request open are refused when there are too many, and those of someone known are not', async () => {
    const server = createServer({ name: 's', version: '1', limits: { suspended: 20, suspendedPerPrincipal: 10 } })
    server.tool('ask', {}, async (_input, ctx) => `${await ctx.confirm('Sure?')}`)
    const never = { wire: 'push', answer: () => new Promise<never>(() => {}) } as const
    const stranger = createTestClient(server, never)
    const calls = Array.from({ length: 15 }, () => stranger.callTool('ask').catch((error: Error) => error))
    const refused = await Promise.race(calls)
    expect(refused).toMatchObject({ message: expect.stringMatching(/Too many calls/) })
    const known = createTestClient(server, { wire: 'push', principal: 'ana', answer: () => true })
    expect((await known.callTool('ask')).content[0]?.text).toBe('true')
    await Promise.all([stranger.close(), known.close(), server.close()])
  })
})

describe('R9: with only desk asks open', () => {
  const serve = (extensions: object) => {
    const desk = deskDouble()
    const server = createServer({ name: 's', version: '1', desk, wait: 1 })
    server.tool('sign', {}, async (_input, ctx) => `${await ctx.confirm('Sure?')}`)
    const client = createTestClient(server, { capabilities: { extensions } as never, principal: 'ana' })
    return { desk, server, client }
  }

  it('a client that takes tasks gets one', async () => {
    const { desk, client, server } = serve({ [tasksExtension]: {} })
    const task = (await client.request('tools/call', { name: 'sign', arguments: {} })) as Record<string, unknown>
    expect(task).toMatchObject({ resultType: 'task', status: 'working' })
    desk.answer('Sure?', accepted)
    await turn()
    const { taskId } = task
    expect(await client.request('tasks/get', { taskId })).toMatchObject({ status: 'completed' })
    await Promise.all([client.close(), server.close()])
  })

  it('another gets the waiting result, and never a state alone', async () => {
    const { client, server } = serve({})
    const result = await client.request('tools/call', { name: 'sign', arguments: {} })
    expect(result).toMatchObject({ content: [{ text: expect.stringContaining('A person was asked') }] })
    expect(result).not.toHaveProperty('requestState')
    await Promise.all([client.close(), server.close()])
  })
})
