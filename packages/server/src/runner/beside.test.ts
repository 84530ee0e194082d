// What a run does beside its open round, while others may be brought the state of that.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createCluster } from '../../test/cluster.js'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, open, turn } from '../../test/round-node.js'
import { deferred } from '../runtime/deferred.js'
import { memoryStore } from '../store/memory-store.js'

const hour = 3_600_000
/** After as long as a request waits for something outside. */
const heldMs = 46_000
const until = 1_000_000 + hour

/** As waits.ts has it: settles only while someone watches. */
function pausable(outside: Promise<unknown>) {
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

describe('a step that runs beside an open ask', () => {
  it.each(['answer', 'state alone'])('runs once, though the %s reaches another process meanwhile', async what => {
    const charged: string[] = []
    const { nodes, pass } = createCluster(['a', 'b'], name => async call => {
      const [answer] = await Promise.all([
        ask(call, 'a', { timeoutMs: 1_000_000 }),
        turn().then(() =>
          call.step('charge', async () => {
            charged.push(name)
            for (let turns = 0; turns < 50; turns++) await turn()
            return name
          }),
        ),
      ])
      return answer
    })
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    const answer = loud(await a.send())
    await pass(500, a, b)
    expect(charged).toEqual(['a'])
    const reply = b.send(what === 'answer' ? answer : { state: answer.state })
    await pass(20_000, a, b)
    expect(await Promise.race([reply, turn()])).toMatchObject(
      what === 'answer' ? { kind: 'finished', result: 'A' } : { kind: 'asks' },
    )
    expect(charged).toEqual(['a'])
  })
})

describe('a step beside a wait outside', () => {
  /** Something slow that is no step, and then a step. */
  function waiting(record: (name: string) => void) {
    const outside = deferred<void>()
    const slow: (() => void)[] = []
    const handlerOf =
      (name: string): Handler =>
      async call => {
        await Promise.all([
          call.hold(pausable(outside.promise), until),
          new Promise<void>(resolve => slow.push(resolve)).then(() => call.step('note', () => record(name))),
        ])
        return 'done'
      }
    const goOn = () => {
      for (const resolve of slow.splice(0)) resolve()
    }
    return { handlerOf, goOn, arrive: outside.resolve }
  }

  it('keeps no other process from going on with the call', async () => {
    const ran: string[] = []
    const { handlerOf, goOn, arrive } = waiting(name => ran.push(name))
    const { nodes, pass } = createCluster(['a', 'b'], handlerOf)
    const [a, b] = nodes
    await Promise.all([a.nodes.join(), b.nodes.join()])
    const sent = a.send()
    await pass(heldMs, a, b)
    const { state } = open(await sent)
    goOn()
    await pass(1_000, a, b)
    expect(ran).toEqual(['a'])
    arrive()
    const reply = b.send({ state })
    await pass(5_000, a, b)
    goOn()
    await pass(10_000, a, b)
    expect(await Promise.race([reply, turn()])).toEqual({ kind: 'finished', result: 'done' })
    expect(ran).toEqual(['a'])
  })

  it.each([false, true])('keeps no run from being run again that was let go (in a store: %s)', async shared => {
    const clock = new FakeClock()
    const store = { ...memoryStore({ clock: { now: () => 0 } }), shared }
    let runs = 0
    let steps = 0
    const { handlerOf, goOn, arrive } = waiting(() => steps++)
    const handler = handlerOf('a')
    const { send } = createNode(
      call => {
        if (call.target.digest === 'other') return ask(call, 'z', { timeoutMs: hour })
        runs++
        return handler(call)
      },
      { store, clock, limits: { suspended: 1 } },
    )
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 100) {
        clock.advance(100)
        await turn()
      }
    }
    const sent = send()
    await pass(heldMs)
    const { state } = open(await sent)
    // Its client looks again: meanwhile the step runs.
    const again = send({ state })
    await pass(1_000)
    goOn()
    await pass(heldMs)
    open(await again)
    expect(steps).toBe(1)
    // Another call takes its place.
    await send({ args: 'other' })
    arrive()
    const reply = send({ state })
    await pass(5_000)
    goOn()
    await pass(1_000)
    expect(await Promise.race([reply, turn()])).toEqual({ kind: 'finished', result: 'done' })
    expect([steps, runs]).toEqual([1, 2])
  })

  it('keeps nothing of a call whose client never came back', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const clock = new FakeClock()
    const calls: WeakRef<object>[] = []
    const later = async (call: Parameters<Handler>[0]) => {
      await new Promise<void>(resolve => void clock.after(50_000, resolve))
      await call.step('note', () => 1)
    }
    const { send, runner } = createNode(
      async call => {
        calls.push(new WeakRef(call))
        const beside = call.target.digest === 'two' ? later(call) : undefined
        await Promise.all([call.hold(pausable(new Promise(() => {})), clock.now() + hour), beside])
      },
      { clock },
    )
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 1_000) {
        clock.advance(1_000)
        await turn()
      }
    }
    for (const args of ['one', 'two']) {
      const sent = send({ args })
      await pass(heldMs)
      const { state } = open(await sent)
      const again = send({ args, state })
      await pass(heldMs)
      open(await again)
    }
    // Their time is over, and more.
    await pass(3 * hour)
    expect(runner.suspended).toBe(0)
    for (let times = 0; times < 2; times++) {
      await turn()
      collect()
    }
    expect(calls.map(ref => ref.deref() !== undefined)).toEqual([false, false])
  })
})

it('a call that ends when what it waited for outside is there goes on elsewhere, should its process die meanwhile', async () => {
  const outside = deferred<string>()
  const ran: string[] = []
  const { nodes, pass } = createCluster(['a', 'b'], name => async call => {
    ran.push(name)
    await call.hold({ settled: outside.promise, watch() {}, pause() {} }, until)
    return 'done'
  })
  const [a, b] = nodes
  await Promise.all([a.nodes.join(), b.nodes.join()])
  const sent = a.send()
  await pass(heldMs, a, b)
  const { state } = open(await sent)
  void a.send({ state }).catch(() => {})
  await pass(500, a, b)
  const { append } = a.store
  a.store.append = (log, entries, ...rest) => {
    if (JSON.stringify(entries).includes('ended')) a.store.die()
    return append(log, entries, ...rest)
  }
  outside.resolve('x')
  await pass(500, a, b)
  await pass(10_000, b)
  // Nobody has the result: the client asks again.
  const again = b.send({ state })
  await pass(20_000, b)
  expect(await Promise.race([again, turn()])).toEqual({ kind: 'finished', result: 'done' })
  expect(ran).toEqual(['a', 'b'])
})
