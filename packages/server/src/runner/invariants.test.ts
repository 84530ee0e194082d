// What the runner promises, by the numbers in runner.ts.
import { readdir, readFile } from 'node:fs/promises'
import { formOf } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { deskDouble } from '../../test/desk-double.js'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, open, turn } from '../../test/round-node.js'
import { createServer } from '../index.js'
import { tasksExtension } from '../protocol/capabilities.js'
import { memoryStore, type Store, StoreUnavailableError } from '../store/index.js'
import { Telemetry } from '../telemetry/telemetry.js'
import { createTestClient } from '../test/index.js'

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

it('has a test for each of its promises that names its number', async () => {
  const folder = new URL('./', import.meta.url)
  const read = (name: string) => readFile(new URL(name, folder), 'utf8')
  const promised = (await read('runner.ts')).match(/^\/\/ R\d(?= )/gm)?.map(line => line.slice(3))
  const files = (await readdir(folder)).filter(name => name.endsWith('.test.ts'))
  const titles = (await Promise.all(files.map(read))).flatMap(text => text.match(/(?<=['`])R\d(?=: )/g) ?? [])
  expect([...new Set(titles)].toSorted()).toEqual(promised)
})

/** A call that waits for two asks in a round, of which the first has then moved. */
async function movedToTask() {
  const logs = new Set<string>()
  const { store } = sharedStore({
    append: (call, log) => {
      if (log.startsWith('call/')) logs.add(log)
      return call()
    },
  })
  const answered: unknown[] = []
  const causes: string[] = []
  const telemetry = Object.assign(new Telemetry(), { replayed: (cause: string) => causes.push(cause) })
  let runs = 0
  let id = ''
  let move = () => {}
  const { send, runner, clock } = createNode(
    call => {
      runs++
      id = call.id
      move = () => call.move(call.openAsks[0]?.id ?? '', 'tasks')
      const asks = ['a', 'b'].map(message => ask(call, message, { timeoutMs: 3_600_000 }))
      for (const each of asks) void each.then(answer => answered.push(answer))
      return Promise.all(asks)
    },
    { store, telemetry },
  )
  const answer = loud(await send())
  move()
  const waitMs = 1_000
  const reply = send({ ...answer, waitMs })
  await turns()
  clock.advance(waitMs)
  return {
    reply: await reply,
    look: () => runner.durable.look(id),
    async answerTask(content: string) {
      const outcome = { action: 'accept', content: content as never } as const
      await runner.durable.answer(id, () => ({ kind: 'outcome', outcome }))
      await turns()
    },
    ...{ answered, causes, logs, runs: () => runs },
  }
}

async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await turn()
}

describe('R1: each ask has its wire, and moves in place', () => {
  it('takes no answer where an ask no longer is, and says how the call stands', async () => {
    const { reply, answered, look } = await movedToTask()
    // What is where it was counts.
    expect(answered).toEqual(['B'])
    expect(reply).toMatchObject({ kind: 'waiting', asks: [{ ask: { message: 'a' }, wire: 'tasks' }] })
    const state = await look()
    expect(state).toMatchObject({ open: [{ ask: { message: 'a' }, wire: 'tasks' }], end: undefined })
    expect(state?.entries).toHaveLength(1)
  })

  it('takes the answer where the ask is, and has all of the call in one log', async () => {
    const { answerTask, answered, look, logs } = await movedToTask()
    await answerTask('where it is')
    expect(answered).toEqual(['B', 'where it is'])
    expect(await look()).toMatchObject({ open: [], end: { result: { value: ['where it is', 'B'] } } })
    expect(logs.size).toBe(1)
  })
})

describe('R3: a change of wire is no cause to enter a handler again', () => {
  it('and none is counted', async () => {
    const { answerTask, look, runs, causes } = await movedToTask()
    await answerTask('where it is')
    expect((await look())?.end).toBeDefined()
    expect([runs(), causes]).toEqual([1, []])
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

  it('goes on behind a step when the acknowledgement of that was lost', async () => {
    let lost = 0
    const { store } = sharedStore({
      append: async (call, _log, entries) => {
        const written = await call()
        if (JSON.stringify(entries).includes('"step"') && lost++ === 0) throw away()
        return written
      },
    })
    const { send } = createNode(
      async call => [await ask(call, 'a'), await call.step('effect', () => 'done'), await ask(call, 'b')],
      { store },
    )
    const second = await send(loud(await send()))
    expect(await send(loud(second))).toEqual({ kind: 'finished', result: ['A', 'done', 'B'] })
    expect(lost).toBe(1)
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
      { limits: { rounds: 5, replies: 1, suspended: 10 }, clock },
    )
    const yes = loud(await send())
    await send(yes)
    const refusals = new Set()
    for (let others = 1; others <= 20; others++) {
      clock.advance(10)
      await send(loud(await send()))
      refusals.add(await send(yes).catch(({ message }) => message))
      expect(paid).toBe(1 + others)
    }
    expect([...refusals]).toEqual([
      expect.stringContaining('it was answered before, and that reply is no longer kept'),
      expect.stringContaining('whether it was answered before is no longer known'),
    ])
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

describe('R4: the same answers get the same reply', () => {
  it('also when they are sent again after the time of their ask', async () => {
    const { send, clock } = createNode(call => ask(call, 'a', { timeoutMs: 10_000 }))
    const answer = loud(await send())
    clock.advance(9_000)
    const first = await send(answer)
    expect(first).toEqual({ kind: 'finished', result: 'A' })
    clock.advance(2_000)
    expect(await send(answer)).toEqual(first)
  })

  it('also from a process whose clock is a little ahead', async () => {
    const { store } = sharedStore()
    const handler: Handler = call => ask(call, 'a', { timeoutMs: 10_000 })
    const nodeAhead = (ms: number) => {
      const clock = new FakeClock()
      clock.advance(ms)
      return createNode(handler, { store, clock })
    }
    const [a, b] = [nodeAhead(0), nodeAhead(60)]
    const answer = loud(await a.send())
    for (const { clock } of [a, b]) clock.advance(9_950)
    expect(await a.send(answer)).toEqual({ kind: 'finished', result: 'A' })
    expect(await b.send(answer)).toEqual({ kind: 'finished', result: 'A' })
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

  it.each([
    { what: 'answers that came unasked', inputResponses: { early: 'x'.repeat(100_000) } },
    { what: 'the capabilities of a client', capabilities: { experimental: { x: 'x'.repeat(100_000) } } },
    { what: 'the name of a client', client: { name: 'x'.repeat(100_000), version: '1' } },
    { what: 'the trace of a request', trace: { traceparent: '', baggage: 'x'.repeat(100_000) } },
  ])('in bytes: $what counts as well', async ({ what: _, ...large }) => {
    const { send, runner } = createNode(call => ask(call, 'a'), { limits: { suspendedBytes: 1_000_000 } })
    const { answer } = runner
    runner.answer = request => answer.call(runner, { ...request, incoming: { ...request.incoming, ...large } })
    for (let i = 0; i < 50; i++) await send({ args: `${i}` })
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

  it('one caller who holds requests open with large arguments, or large answers, keeps out nobody else', async () => {
    const server = createServer({ name: 's', version: '1', limits: { suspendedBytes: 1_000_000 } })
    const text = 'x'.repeat(100_000)
    server.tool(
      'ask',
      { input: z.object({ text: z.string() }) },
      async (_input, ctx) => `${await ctx.confirm('Sure?')}`,
    )
    server.tool('ask_twice', {}, async (_input, ctx) => {
      await ctx.elicit({ question: 'What?', schema: z.object({ text: z.string() }) })
      return `${await ctx.confirm('Sure?')}`
    })
    for (const [name, input] of [
      ['ask', { text }],
      ['ask_twice', {}],
    ] as const) {
      const eve = createTestClient(server, {
        wire: 'push',
        principal: 'eve',
        answer: ({ message }) => (message === 'What?' ? { text } : new Promise<never>(() => {})),
      })
      const refusals: string[] = []
      for (let call = 0; call < 20; call++) {
        eve.callTool(name, input).catch(({ message }) => refusals.push(message))
        for (let turns = 0; turns < 10; turns++) await turn()
      }
      expect(refusals.length).toBeGreaterThan(10)
      expect(refusals[0]).toBe('Too many calls of this caller are open. Try again when some of them have ended.')
      const ana = createTestClient(server, { wire: 'push', principal: 'ana', answer: () => true })
      expect((await ana.callTool('ask', { text })).content[0]?.text).toBe('true')
      await Promise.all([eve.close(), ana.close()])
    }
    await server.close()
  })
})

describe('R8: what durable calls and answers take in memory', () => {
  const asTask = (call: Parameters<Handler>[0]) => {
    call.becomeTask()
    return call.ask({ kind: 'confirm', message: 'Go on?' }, { timeoutMs: 3_600_000, wire: 'tasks' })
  }
  const bytes = 1_000_000

  it('is bounded for the arguments of tasks that no store keeps: one too many is refused', async () => {
    const ids: string[] = []
    const { send, runner } = createNode(call => asTask(call).finally(() => ids.push(call.id)), {
      limits: { suspendedBytes: bytes, replyBytes: bytes, rounds: 100_000, suspended: 10_000 },
    })
    const refused: string[] = []
    for (let n = 0; n < 200; n++) {
      send({ params: { arguments: { text: `${n}`.padEnd(100_000, 'x') } } }).catch(({ message }) =>
        refused.push(message),
      )
      await turn()
    }
    expect(runner.suspended).toBe(0)
    expect(refused).toHaveLength(191)
    expect(refused[0]).toBe('Too many calls on this server are open. Try again when some of them have ended.')
  })

  it('lets no task go for one that is refused, and has room again once they are over', async () => {
    const ids: string[] = []
    const { send, runner, clock } = createNode(
      call => {
        ids.push(call.id)
        return asTask(call)
      },
      { limits: { suspended: 2, suspendedPerPrincipal: 2 } },
    )
    const refused: string[] = []
    const begin = async () => {
      send({ principal: 'ann' }).catch(({ message }) => refused.push(message))
      await turn()
    }
    for (let n = 0; n < 3; n++) await begin()
    expect(refused).toEqual(['Too many calls of this caller are open. Try again when some of them have ended.'])
    expect(ids.slice(0, 2).map(id => runner.durable.find(id) !== undefined)).toEqual([true, true])
    clock.advance(24 * 60 * 60_000)
    await turn()
    for (let n = 0; n < 2; n++) await begin()
    expect(refused).toHaveLength(1)
  })

  it('is bounded for what a suspended call was answered', async () => {
    const { store } = sharedStore()
    const handler: Handler = async call => [
      await ask(call, 'a', { timeoutMs: 3_600_000 }),
      await ask(call, 'b', { timeoutMs: 3_600_000 }),
    ]
    const { send, runner } = createNode(handler, { store, limits: { suspendedBytes: bytes, suspended: 10_000 } })
    for (let n = 0; n < 100; n++) {
      const { state, ids } = open(await send())
      const answers = { [ids[0] ?? '']: { text: `${n}`.padEnd(100_000, 'x') } }
      expect(open(await send({ state, answers })).messages).toEqual(['b'])
    }
    expect(runner.suspended).toBeLessThan(12)
  })

  it('leaves a task there for as long as it waits, however many rounds others answer meanwhile', async () => {
    let id = ''
    const handler: Handler = call => {
      if (id !== '') return ask(call, 'quick')
      id = call.id
      return asTask(call)
    }
    const { send, runner } = createNode(handler, { limits: { rounds: 10, replies: 10 } })
    void send({ principal: 'alice' })
    await turn()
    for (let n = 0; n < 11; n++) await send({ principal: `bob${n}`, ...loud(await send({ principal: `bob${n}` })) })
    expect(await runner.durable.look(id)).toMatchObject({ open: [{ wire: 'tasks' }] })
  })
})

it('leaves a call to those who wait for it when another client, who asked for the same, goes away', async () => {
  let goOn = () => {}
  const { send } = createNode(async () => {
    await new Promise<void>(resolve => {
      goOn = resolve
    })
    return 'done'
  })
  const same = { principal: 'alice', canRepeat: true, waitMs: 60_000 }
  const leaves = new AbortController()
  const first = send(same)
  await turn()
  const second = send({ ...same, signal: leaves.signal }).catch(({ message }) => message)
  await turn()
  leaves.abort()
  expect(await second).toBe('The client cancelled the request or went away.')
  goOn()
  expect(await first).toEqual({ kind: 'finished', result: 'done' })
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
