import { AskExpiredError, CallCancelledError, ReplayMismatchError, StateRejectedError } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { ask, createNode, type Handler, key, loud, open, type Request, turn } from '../../test/round-node.js'
import { createSeal } from '../crypto/seal.js'

describe('a suspended call', () => {
  it('continues where it waits, and runs nothing twice', async () => {
    let runs = 0
    const { send } = createNode(async call => {
      runs++
      const first = await ask(call, 'a')
      return [first, await ask(call, 'b')]
    })
    const second = await send(loud(await send()))
    expect(await send(loud(second))).toEqual({ kind: 'finished', result: ['A', 'B'] })
    expect(runs).toBe(1)
  })

  it('puts asks that are made together in one round, and takes their answers one by one', async () => {
    const { send } = createNode(call => Promise.all([ask(call, 'a'), ask(call, 'b')]))
    const first = open(await send())
    expect(first.messages).toEqual(['a', 'b'])
    const second = await send({ state: first.state, answers: { [`${first.ids[1]}`]: 'B' } })
    expect(open(second)).toMatchObject({ messages: ['a'], ids: [first.ids[0]] })
    expect(await send(loud(second))).toEqual({ kind: 'finished', result: ['A', 'B'] })
  })

  it('waits for asks behind deep awaits and ticks, and leaves those behind real I/O for the next round', async () => {
    let arrive = () => {}
    const { send } = createNode(call =>
      Promise.all([
        ask(call, 'a'),
        (async () => {
          for (let i = 0; i < 50; i++) await null
          await new Promise<void>(resolve => process.nextTick(resolve))
          return ask(call, 'b')
        })(),
        new Promise<void>(resolve => (arrive = resolve)).then(() => ask(call, 'c')),
      ]),
    )
    const { state, messages } = open(await send())
    expect(messages).toEqual(['a', 'b'])
    arrive()
    await turn()
    expect(open(await send({ state })).messages).toEqual(['a', 'b', 'c'])
  })

  it('is the same when nobody answered, or answered something that is not open', async () => {
    const { send } = createNode(call => ask(call, 'a'))
    const first = await send()
    expect(await send({ state: open(first).state })).toEqual(first)
    expect(await send({ state: open(first).state, answers: { other: 1 } })).toEqual(first)
    expect(await send(loud(first))).toEqual({ kind: 'finished', result: 'A' })
  })

  it('keeps the result of a handler that ends while no request is open', async () => {
    const { send } = createNode(async call => {
      await Promise.race([ask(call, 'a'), new Promise(resolve => setImmediate(() => setImmediate(resolve)))])
      return 'done'
    })
    const { state, ids } = open(await send())
    await turn()
    await turn()
    expect(await send({ state, answers: { [`${ids[0]}`]: 1 } })).toEqual({ kind: 'finished', result: 'done' })
  })

  it('runs a step only while a request is open', async () => {
    const ran: string[] = []
    const { send } = createNode(async call => {
      await Promise.all([
        ask(call, 'a').then(() => ran.push('answered')),
        new Promise(resolve => setImmediate(() => setImmediate(resolve))).then(() =>
          call.step('late', () => ran.push('late')),
        ),
      ])
      return 'done'
    })
    const first = await send()
    await turn()
    await turn()
    expect(ran).toEqual([])
    expect(await send(loud(first))).toEqual({ kind: 'finished', result: 'done' })
    expect(ran.toSorted()).toEqual(['answered', 'late'])
  })

  it('cannot be swallowed in a catch', async () => {
    const seen: string[] = []
    const { send } = createNode(async call => {
      try {
        return await ask(call, 'a')
      } catch {
        seen.push('caught')
      } finally {
        seen.push('finally')
      }
      return 'swallowed'
    })
    const first = await send()
    expect(seen).toEqual([])
    expect(await send(loud(first))).toEqual({ kind: 'finished', result: 'A' })
    expect(seen).toEqual(['finally'])
  })

  it('is let go when there are too many, never continues, and its signal says so', async () => {
    const seen: string[] = []
    const { send, runner } = createNode(
      async call => {
        call.signal.addEventListener('abort', () => seen.push('aborted'))
        try {
          return await ask(call, 'a')
        } finally {
          seen.push('finally')
        }
      },
      { limits: { suspended: 1 } },
    )
    const first = await send()
    await send()
    expect(runner.suspended).toBe(1)
    expect(seen).toEqual(['aborted'])
    // Its client comes back all the same: the handler is replayed.
    expect(await send(loud(first))).toEqual({ kind: 'finished', result: 'A' })
  })

  it('is bounded for each principal', async () => {
    const { send, runner } = createNode(call => ask(call, 'a'))
    for (let i = 0; i < 15; i++) await send({ principal: 'greedy' })
    await send({ principal: 'modest' })
    expect(runner.suspended).toBe(11)
  })

  it('ends when its ask expires, and leaves nothing behind', async () => {
    const seen: string[] = []
    const { send, clock, runner } = createNode(async call => {
      try {
        await ask(call, 'a')
      } catch (error) {
        seen.push(error instanceof AskExpiredError ? 'expired' : 'other')
      } finally {
        seen.push('finally')
      }
    })
    const first = await send()
    clock.advance(1_000)
    await turn()
    expect(seen).toEqual(['expired', 'finally'])
    // A client that is late gets what the handler made of it; one that is much too late is refused.
    expect(await send(loud(first))).toEqual({ kind: 'finished', result: undefined })
    const second = await send()
    clock.advance(1_000 + 600_000)
    await expect(send(loud(second))).rejects.toThrow(/expired/)
    clock.advance(60_000)
    expect(runner.suspended).toBe(0)
    expect(clock.pending).toBe(0)
  })
})

describe('a replay', () => {
  it('R5: answers what was passed from the journal, steps among it, on any process with the key', async () => {
    const effects: string[] = []
    const handler: Handler = async call => {
      const a = await ask(call, 'a')
      const id = await call.step('effect', step => {
        effects.push(step.id)
        return 7
      })
      return [a, id, await ask(call, 'b')]
    }
    const nodes = [createNode(handler), createNode(handler), createNode(handler)]
    const second = await nodes[1]?.send(loud((await nodes[0]?.send()) as never))
    expect(await nodes[2]?.send(loud(second as never))).toEqual({ kind: 'finished', result: ['A', 7, 'B'] })
    expect(effects).toHaveLength(1)
  })

  it('R5: gives an interrupted step the same id again', async () => {
    const ids: string[] = []
    const controller = new AbortController()
    let isFirst = true
    const { send } = createNode(async call => {
      await ask(call, 'a')
      return call.step('effect', async ({ id }) => {
        ids.push(id)
        if (isFirst) {
          isFirst = false
          controller.abort()
          await new Promise(() => {})
        }
        return 'done'
      })
    })
    const answer = loud(await send())
    await send({ ...answer, signal: controller.signal })
    expect(await send(answer)).toEqual({ kind: 'finished', result: 'done' })
    expect(ids[0]).toBe(ids[1])
    expect(ids).toHaveLength(2)
  })

  it('finds an ask by its key, however it is worded', async () => {
    let run = 0
    const { send } = createNode(
      async call => [await ask(call, `now ${run++}`, { key: 'when' }), await ask(call, 'b')],
      { replay: 'always' },
    )
    const first = await send()
    expect(open(first).ids).toEqual(['when'])
    const second = await send(loud(first))
    expect(open(second).messages).toEqual(['b'])
    expect(await send(loud(second))).toEqual({ kind: 'finished', result: ['NOW 0', 'B'] })
  })

  it('asks again for what it words differently, when nothing came after it', async () => {
    let run = 0
    const { send } = createNode(call => ask(call, run++ < 1 ? 'old' : 'new'), { replay: 'always' })
    const second = await send(loud(await send()))
    expect(open(second).messages).toEqual(['new'])
    expect(await send(loud(second))).toEqual({ kind: 'finished', result: 'NEW' })
  })

  it('takes an answer by its place when something that came after it is recorded', async () => {
    let run = 0
    const { send } = createNode(
      async call => {
        const when = await ask(call, `now ${run++}`)
        await call.step('effect', () => 1)
        return [when, await ask(call, 'b')]
      },
      { replay: 'when-needed' },
    )
    // The first process goes past the first ask; another one replays that with other words.
    const second = await send(loud(await send()))
    const other = createNode(async call => {
      const when = await ask(call, `now ${run++}`)
      await call.step('effect', () => 2)
      return [when, await ask(call, 'b')]
    })
    expect(await other.send(loud(second))).toEqual({ kind: 'finished', result: ['NOW 0', 'B'] })
  })

  it('never gives an answer to a question asked beside another, by its place', async () => {
    let run = 0
    const handler: Handler = call => Promise.all([ask(call, `a${run++}`), ask(call, 'b'), ask(call, 'c')])
    const first = open(await createNode(handler).send())
    const second = await createNode(handler).send({
      state: first.state,
      answers: { [`${first.ids[0]}`]: 'A', [`${first.ids[1]}`]: 'B' },
    })
    expect(open(second).messages).toEqual(['a1', 'c'])
  })

  it('tells equal asks apart by their order', async () => {
    let n = 0
    const { send } = createNode(async call => [await ask(call, 'same'), await ask(call, 'same')], { replay: 'always' })
    let reply = await send()
    while (reply.kind === 'asks')
      reply = await send({ state: reply.state, answers: { [`${open(reply).ids[0]}`]: n++ } })
    expect(reply).toEqual({ kind: 'finished', result: [0, 1] })
  })

  it('finds out a handler that words its ask differently on every run', async () => {
    let run = 0
    const { send } = createNode(call => ask(call, `now ${run++}`), { replay: 'always' })
    let reply = await send()
    let rounds = 1
    while (reply.kind === 'asks') {
      reply = await send(loud(reply))
      rounds++
    }
    expect(reply).toMatchObject({ kind: 'failed', error: expect.any(ReplayMismatchError) })
    expect(rounds).toBeLessThan(6)
  })

  it('finds out a handler that no longer reaches a step', async () => {
    let run = 0
    const { send } = createNode(
      async call => {
        if (run++ === 0) await call.step('once', () => 1)
        for (let i = 0; i < 9; i++) await ask(call, `q${i}`)
      },
      { replay: 'always' },
    )
    let reply = await send()
    while (reply.kind === 'asks') reply = await send(loud(reply))
    expect(reply).toMatchObject({
      kind: 'failed',
      error: expect.objectContaining({ message: expect.stringContaining('the step "once"') }),
    })
  })

  it('is refused where the handler cannot be replayed', async () => {
    const handler: Handler = call => ask(call, 'a')
    const first = loud(await createNode(handler).send())
    await expect(createNode(handler, { replay: 'never' }).send(first)).rejects.toThrow(/cannot be replayed/)
  })

  it('takes the journal of another version, or refuses it, as the server says', async () => {
    const handler: Handler = call => ask(call, 'a')
    const first = loud(await createNode(handler).send())
    await expect(createNode(handler, { version: '2', onDeploy: 'fail' }).send(first)).rejects.toThrow(/version 1/)
    expect(await createNode(handler, { version: '2' }).send(first)).toEqual({ kind: 'finished', result: 'A' })
  })
})

describe('a round', () => {
  it('gives the same reply to the same answers, also while they are being worked on', async () => {
    let runs = 0
    let release = () => {}
    const { send } = createNode(async call => {
      const a = await ask(call, 'a')
      runs++
      await new Promise<void>(resolve => {
        release = resolve
      })
      return [a, runs]
    })
    const answer = loud(await send())
    const replies = [send(answer), send(answer)]
    await turn()
    release()
    expect(await Promise.all(replies)).toEqual([
      { kind: 'finished', result: ['A', 1] },
      { kind: 'finished', result: ['A', 1] },
    ])
    expect(await send(answer)).toEqual({ kind: 'finished', result: ['A', 1] })
    expect(runs).toBe(1)
  })

  it('refuses other answers once it is settled, also after its reply was let go', async () => {
    const { send } = createNode(call => ask(call, 'a'), {
      limits: { replies: 1 },
    })
    const { state, ids } = open(await send())
    const id = `${ids[0]}`
    await send({ state, answers: { [id]: 1 } })
    await expect(send({ state, answers: { [id]: 2 } })).rejects.toThrow(/other answers/)
    const another = loud(await send())
    await send(another)
    await expect(send({ state, answers: { [id]: 2 } })).rejects.toThrow(/no longer kept/)
    await expect(send({ state, answers: { [id]: 1 } })).rejects.toThrow(/no longer kept/)
  })

  it('is open again when the client went away in the middle, and recorded steps hold', async () => {
    const controller = new AbortController()
    let steps = 0
    let isCut = true
    const aborted: unknown[] = []
    const { send } = createNode(async call => {
      call.signal.addEventListener('abort', () => aborted.push(call.signal.reason))
      await ask(call, 'a')
      await call.step('effect', () => ++steps)
      if (isCut) await new Promise(() => controller.abort())
      return steps
    })
    const answer = loud(await send())
    expect(await send({ ...answer, signal: controller.signal })).toMatchObject({
      kind: 'failed',
      error: expect.any(CallCancelledError),
    })
    expect(aborted).toEqual([expect.any(CallCancelledError)])
    isCut = false
    expect(await send(answer)).toEqual({ kind: 'finished', result: 1 })
  })

  it('keeps a request that was gone before it began from running on', async () => {
    const { send } = createNode(call => ask(call, 'a'))
    expect(await send({ signal: AbortSignal.abort() })).toMatchObject({ kind: 'failed' })
  })
})

describe('a state', () => {
  const handler: Handler = call => ask(call, 'a')

  it.each<[string, (answer: Request) => Request]>([
    ['someone else', answer => ({ ...answer, principal: 'bob' })],
    ['nobody', ({ principal: _, ...answer }) => answer],
    ['another tool', answer => ({ ...answer, name: 'other' })],
    ['other arguments', answer => ({ ...answer, args: 'other' })],
    ['a cut state', answer => ({ ...answer, state: answer.state?.slice(0, -4) ?? '' })],
    [
      'a changed state',
      answer => ({ ...answer, state: `${answer.state?.slice(0, 40)}AAAA${answer.state?.slice(44)}` }),
    ],
    ['a longer state', answer => ({ ...answer, state: `${answer.state}A` })],
    [
      'a state with junk in it',
      answer => ({ ...answer, state: `${answer.state?.slice(0, 9)}!${answer.state?.slice(9)}` }),
    ],
    ['an invented state', answer => ({ ...answer, state: 'c3RhdGU' })],
    ['an empty state', answer => ({ ...answer, state: '' })],
  ])('is refused from %s, and nothing runs', async (_who, change) => {
    for (const isHere of [true, false]) {
      let runs = 0
      const counted: Handler = call => {
        runs++
        return handler(call)
      }
      const maker = createNode(counted)
      const answer = change({ ...loud(await maker.send({ principal: 'alice' })), principal: 'alice' })
      runs = 0
      await expect((isHere ? maker : createNode(counted)).send(answer)).rejects.toThrow(StateRejectedError)
      expect(runs).toBe(0)
    }
  })

  it('of another key is refused, and of an older key of the ring is not', async () => {
    const answer = loud(await createNode(handler).send())
    const other = createSeal(['another key for these tests'], 'test')
    await expect(createNode(handler, { seal: other }).send(answer)).rejects.toThrow(StateRejectedError)
    const rotated = createSeal(['another key for these tests', key], 'test')
    expect(await createNode(handler, { seal: rotated }).send(answer)).toEqual({ kind: 'finished', result: 'A' })
  })

  it('differs from round to round', async () => {
    const { send } = createNode(async call => [await ask(call, 'a'), await ask(call, 'b')])
    const first = await send()
    const second = await send(loud(first))
    expect(open(first).state).not.toBe(open(second).state)
  })

  it('that would be too long is an error and not cut', async () => {
    const { send } = createNode(async call => {
      await call.step('big', () => 'x'.repeat(9_000))
      return ask(call, 'a')
    })
    expect(await send()).toMatchObject({
      kind: 'failed',
      error: expect.objectContaining({ message: expect.stringContaining('bytes') }),
    })
  })
})

describe('a handler', () => {
  it('that asks after it returned is told so', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const { send } = createNode(async call => {
      late = new Promise(resolve => setImmediate(resolve)).then(() => ask(call, 'late'))
      late.catch(() => {})
      return 'done'
    })
    expect(await send()).toEqual({ kind: 'finished', result: 'done' })
    await expect(late).rejects.toThrow(/already returned/)
  })

  it('that asks without end is stopped', async () => {
    const { send } = createNode(call => Promise.all(Array.from({ length: 1_000 }, (_, i) => ask(call, `q${i}`))))
    expect(await send()).toMatchObject({
      kind: 'failed',
      error: expect.objectContaining({ message: expect.stringContaining('50 asks') }),
    })
  })

  it('that gives a step something JSON cannot carry is told so', async () => {
    const { send } = createNode(call => call.step('odd', () => () => 1))
    expect(await send()).toMatchObject({
      kind: 'failed',
      error: expect.objectContaining({ message: expect.stringContaining('"odd"') }),
    })
  })

  it('that waits for the outside is held, then answered without asks, and goes on with the same state', async () => {
    let complete = () => {}
    const watched: string[] = []
    const { send, clock } = createNode(call =>
      call.hold(
        {
          settled: new Promise<string>(resolve => {
            complete = () => resolve('completed')
          }),
          watch: () => watched.push('watch'),
          pause: () => watched.push('pause'),
        },
        clock.now() + 300_000,
      ),
    )
    const first = send()
    await turn()
    clock.advance(45_000)
    const held = open(await first)
    expect(held.ids).toEqual([])
    expect(watched).toEqual(['watch', 'pause'])
    const second = send({ state: held.state })
    await turn()
    clock.advance(45_000)
    expect(open(await second).state).toBe(held.state)
    const last = send({ state: held.state })
    await turn()
    complete()
    expect(await last).toEqual({ kind: 'finished', result: 'completed' })
  })

  it('is given up when it runs for longer than it may, and a person has all the time', async () => {
    const { send, clock } = createNode(async call => {
      call.limit(500)
      await ask(call, 'a')
      await new Promise(() => {})
    })
    const first = await send()
    clock.advance(900)
    const second = send(loud(first))
    await turn()
    clock.advance(500)
    expect(await second).toMatchObject({
      kind: 'failed',
      error: expect.objectContaining({ message: expect.stringContaining('500 ms') }),
    })
  })
})

describe('a call whose handler was let go', () => {
  /** One call may wait here: the next one makes it let go. */
  async function letGo(handler: Handler) {
    const { send } = createNode(handler, { limits: { suspended: 1 } })
    const first = await send()
    await send()
    return { send, first }
  }

  it('has one answer to an ask, however often that was shown', async () => {
    const { send, first } = await letGo(call => ask(call, 'a'))
    const { state, ids } = open(first)
    const again = open(await send({ state }))
    expect(again.ids).toEqual(ids)
    const answers = (value: number) => ({ [`${ids[0]}`]: value })
    expect(await send({ state, answers: answers(1) })).toEqual({ kind: 'finished', result: 1 })
    await expect(send({ state: again.state, answers: answers(2) })).rejects.toThrow(StateRejectedError)
  })

  it('is where its answer took it for someone who brings none', async () => {
    const { send, first } = await letGo(async call => [await ask(call, 'a'), await ask(call, 'b')])
    const second = await send(loud(first))
    expect(await send({ state: open(first).state })).toEqual(second)
    expect(await send(loud(second))).toEqual({ kind: 'finished', result: ['A', 'B'] })
  })

  it('refuses a state in another format', async () => {
    const { send, first } = await letGo(call => ask(call, 'a'))
    const { state, answers } = loud(first)
    const seal = createSeal([key], 'test')
    const [, ...others] = seal.open(state) as unknown[]
    await expect(send({ state: seal.seal([1, ...others]), answers })).rejects.toThrow('its format is not known')
    await expect(send({ state: seal.seal({ format: 2, call: 'c' }), answers })).rejects.toThrow(StateRejectedError)
    expect(await send({ state, answers })).toEqual({ kind: 'finished', result: 'A' })
  })
})
