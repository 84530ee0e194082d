// Several runs of one call at once: those that a state was brought to, and the one that it was made by.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, open, turn } from '../../test/round-node.js'
import { deferred } from '../runtime/deferred.js'
import { memoryStore } from '../store/memory-store.js'
import { sealedStore } from '../store/sealed-store.js'

function memoryNode(handler: Handler, clock: FakeClock, more = {}) {
  return createNode(handler, { clock, ...more })
}
function storeNode(handler: Handler, clock: FakeClock, more = {}) {
  const store = sealedStore({ ...memoryStore({ clock }), shared: true }, 'a key for these tests only')
  return createNode(handler, { clock, store, ...more })
}
const sides = [
  ['in memory', memoryNode],
  ['in a store', storeNode],
] as const

/** As waits.ts has it: settles only while someone watches. */
function pausable(outside: Promise<string>) {
  const settled = deferred<string>()
  let isDone = false
  let isWatched = false
  const look = () => {
    if (isDone && isWatched) settled.resolve('x')
  }
  void outside.then(() => {
    isDone = true
    look()
  })
  return {
    settled: settled.promise,
    watch() {
      isWatched = true
      look()
    },
    pause() {
      isWatched = false
    },
  }
}

describe.each(sides)('rounds %s', (_where, create) => {
  it.each([undefined, 'always'] as const)(
    'gives the same to the same request, when a call ended after it waited outside (replay %s)',
    async replay => {
      const clock = new FakeClock()
      const outside = deferred<string>()
      let charged = 0
      let runs = 0
      const { send } = create(
        async call => {
          runs++
          await call.hold({ settled: outside.promise, watch() {}, pause() {} }, clock.now() + 300_000)
          return [await call.step('charge', () => ++charged), runs]
        },
        clock,
        replay === undefined ? {} : { replay },
      )
      const sent = send()
      await turn()
      await turn()
      clock.advance(45_000)
      const { state } = open(await sent)
      const waits = send({ state })
      await turn()
      outside.resolve('x')
      const first = await waits
      const again = await send({ state }).catch(error => error.message)
      expect(charged).toBe(1)
      expect(again).toEqual(first)
    },
  )

  it('runs a step once for two states, of which the client got one after the other', async () => {
    const clock = new FakeClock()
    const outside = deferred<string>()
    let charged = 0
    const { send } = create(async call => {
      await call.hold({ settled: outside.promise, watch() {}, pause() {} }, clock.now() + 300_000)
      await ask(call, 'b', { timeoutMs: 300_000 })
      await call.step('charge', async () => {
        charged++
        for (let turns = 0; turns < 20; turns++) await turn()
      })
      return 'done'
    }, clock)
    const sent = send()
    await turn()
    await turn()
    clock.advance(45_000)
    const { state } = open(await sent)
    const waits = send({ state })
    await turn()
    outside.resolve('x')
    const two = loud(await waits)
    // The same request again, whose reply was lost.
    const one = loud(await send({ state }))
    const later = turn()
      .then(turn)
      .then(() => send(two))
    const both = Promise.all([send(one), later])
    for (let times = 0; times < 100; times++) {
      await turn()
      clock.advance(100)
    }
    const done = { kind: 'finished', result: 'done' }
    expect(await Promise.race([both, turn()])).toEqual([done, done])
    expect(charged).toBe(1)
  })

  it('runs a step once when a state without asks comes twice to a process that has let its run go', async () => {
    const clock = new FakeClock()
    const outside = deferred<string>()
    let charged = 0
    const { send } = create(
      async call => {
        if (call.target.digest === 'other') return ask(call, 'z', { timeoutMs: 300_000 })
        await call.hold(pausable(outside.promise), clock.now() + 300_000)
        await call.step('charge', async () => {
          charged++
          await turn()
        })
        return ask(call, 'b', { timeoutMs: 300_000 })
      },
      clock,
      { limits: { suspended: 1 } },
    )
    const sent = send()
    await turn()
    await turn()
    clock.advance(45_000)
    const { state } = open(await sent)
    // Another call takes its place.
    await send({ args: 'other' })
    const both = [send({ state }), send({ state })]
    for (let i = 0; i < 20; i++) await turn()
    outside.resolve('x')
    for (let i = 0; i < 20; i++) await turn()
    await Promise.all(both.map(reply => Promise.race([reply, turn()]).catch(error => error.message)))
    expect(charged).toBe(1)
  })

  it.each([0, 1, 2, 3])(
    'runs a step once when the same answers come twice at once, and the run was let go (%i later)',
    async later => {
      const clock = new FakeClock()
      let charged = 0
      let runs = 0
      const { send } = create(
        async call => {
          if (call.target.digest === 'other') return ask(call, 'z', { timeoutMs: 300_000 })
          runs++
          const a = await ask(call, 'a', { timeoutMs: 300_000 })
          await call.step('charge', async () => {
            charged++
            await turn()
          })
          return a
        },
        clock,
        { limits: { suspended: 1 } },
      )
      const answer = loud(await send())
      // Another call takes its place.
      await send({ args: 'other' })
      const one = send(answer).catch(error => error.message)
      for (let i = 0; i < later; i++) await Promise.resolve()
      const two = send(answer).catch(error => error.message)
      for (let i = 0; i < 20; i++) {
        await turn()
        clock.advance(100)
      }
      const replies = await Promise.all([one, two].map(reply => Promise.race([reply, turn()])))
      expect(charged).toBe(1)
      expect(runs).toBe(2)
      expect(replies[0]).toEqual({ kind: 'finished', result: 'A' })
      expect(replies[1]).toEqual(replies[0])
    },
  )

  it('an answered call, reopened by its client, is answered again after a later one', async () => {
    const clock = new FakeClock()
    let steps = 0
    const hold: (() => void)[] = []
    const { send } = create(async call => {
      const a = await ask(call, 'a', { timeoutMs: 300_000 })
      await call.step('s', () => ++steps)
      const b = await ask(call, 'b', { timeoutMs: 300_000 })
      await new Promise<void>(resolve => hold.push(resolve))
      return [a, b]
    }, clock)
    const one = loud(await send())
    const two = loud(await send(one))
    const gone = new AbortController()
    void send({ ...two, signal: gone.signal }).catch(error => error.message)
    await turn()
    gone.abort()
    await turn()
    // The older answers again, and other answers to the later round.
    expect(await send(one)).toMatchObject({ kind: 'asks' })
    const other = send({ ...two, answers: Object.fromEntries(Object.keys(two.answers).map(id => [id, 'other'])) })
    while (hold.length < 2) await turn()
    for (const go of hold) go()
    expect(await other).toEqual({ kind: 'finished', result: ['A', 'other'] })
    expect(
      await send({ ...two, answers: Object.fromEntries(Object.keys(two.answers).map(id => [id, 'other'])) }),
    ).toEqual({ kind: 'finished', result: ['A', 'other'] })
    expect(await send(two).catch(error => error.message)).toMatch(/other answers/)
    expect(await send(one)).toMatchObject({ kind: 'asks' })
    expect(steps).toBe(1)
  })

  it('an outside wait before the first ask, then a client cancel, then the same again', async () => {
    const clock = new FakeClock()
    const outside = deferred<string>()
    let charged = 0
    const hold: (() => void)[] = []
    const { send } = create(async call => {
      await call.hold({ settled: outside.promise, watch() {}, pause() {} }, clock.now() + 300_000)
      await call.step('charge', () => ++charged)
      const b = await ask(call, 'b', { timeoutMs: 300_000 })
      await new Promise<void>(resolve => hold.push(resolve))
      return b
    }, clock)
    const sent = send()
    await turn()
    await turn()
    clock.advance(45_000)
    const { state } = open(await sent)
    const waits = send({ state })
    await turn()
    outside.resolve('x')
    const two = loud(await waits)
    const gone = new AbortController()
    void send({ ...two, signal: gone.signal }).catch(error => error.message)
    await turn()
    gone.abort()
    await turn()
    // The older request once more, which nobody answered.
    await send({ state }).catch(error => error.message)
    const done = send(two)
    await turn()
    await turn()
    for (const go of hold) go()
    expect(await done).toEqual({ kind: 'finished', result: 'B' })
    expect(charged).toBe(1)
  })
})

describe('two nodes', () => {
  function two(handlerOf: (name: string) => Handler) {
    const clocks = [new FakeClock(), new FakeClock()] as const
    const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true }
    const a = createNode(handlerOf('a'), { store, clock: clocks[0] })
    const b = createNode(handlerOf('b'), { store, clock: clocks[1] })
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 100) {
        for (const clock of clocks) clock.advance(100)
        await turn()
      }
    }
    return { a, b, pass }
  }

  it('a run whose round another node has taken runs no step beside it', async () => {
    const charged: string[] = []
    const gates: (() => void)[] = []
    const { a, b, pass } = two(
      name => call =>
        Promise.all([
          ask(call, 'a', { timeoutMs: 1_000_000 }),
          // Something slow that is no step.
          new Promise<void>(resolve => gates.push(resolve)).then(() =>
            call.step('charge', async () => {
              charged.push(name)
              return name
            }),
          ),
        ]),
    )
    await Promise.all([a.nodes.join(), b.nodes.join()])
    const answer = loud(await a.send())
    void b.send(answer)
    await pass(1_000)
    expect(gates).toHaveLength(2)
    for (const open of gates) open()
    await pass(1_000)
    expect(charged).toHaveLength(1)
  })

  it.each([false, true])(
    'a wait outside that is asked after at another node charges once (at both: %s)',
    async isTwice => {
      const outside = deferred<string>()
      const charged: string[] = []
      const { a, b, pass } = two(name => async call => {
        await call.hold(pausable(outside.promise), 2_000_000)
        await call.step('charge', async () => {
          charged.push(name)
          return name
        })
        return ask(call, 'b', { timeoutMs: 300_000 })
      })
      const sent = a.send()
      await pass(46_000)
      const { state } = open(await sent)
      const waits = b.send({ state })
      // Its client was impatient, and asked a second time.
      if (isTwice) void a.send({ state }).catch(() => {})
      await pass(1_000)
      outside.resolve('x')
      await pass(1_000)
      await Promise.race([waits, turn()])
      expect(charged).toHaveLength(1)
    },
  )

  it.each([false, true])(
    'the same after the answers of a round, of which the log tells both (at both: %s)',
    async isTwice => {
      const outside = deferred<string>()
      const charged: string[] = []
      const { a, b, pass } = two(name => async call => {
        await ask(call, 'a', { timeoutMs: 1_000_000 })
        await call.hold(pausable(outside.promise), 2_000_000)
        await call.step('charge', async () => {
          charged.push(name)
          return name
        })
        return 'end'
      })
      const sent = a.send(loud(await a.send()))
      await pass(46_000)
      const { state } = open(await sent)
      const waits = b.send({ state })
      // Its client was impatient, and asked a second time.
      if (isTwice) void a.send({ state }).catch(() => {})
      await pass(1_000)
      outside.resolve('x')
      await pass(1_000)
      await Promise.race([waits, turn()])
      expect(charged).toHaveLength(1)
    },
  )
})
