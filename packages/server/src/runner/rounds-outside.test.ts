// Rounds of a call that waits for nothing but something outside.
import { StateRejectedError } from '@beckon/core'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, open, turn } from '../../test/round-node.js'
import { deferred } from '../runtime/deferred.js'
import { memoryStore } from '../store/memory-store.js'
import { sealedStore } from '../store/sealed-store.js'

function memoryNode(handler: Handler, clock: FakeClock) {
  return createNode(handler, { clock })
}

function storeNode(handler: Handler, clock: FakeClock) {
  const store = sealedStore({ ...memoryStore({ clock }), shared: true }, 'a key for these tests only')
  return createNode(handler, { clock, store })
}

describe.each([
  ['in memory', memoryNode],
  ['in a store', storeNode],
])('a call that waits outside, with its log %s', (_where, create) => {
  /** A call whose ask was answered, and which waits for something outside now. */
  async function waiting() {
    const clock = new FakeClock()
    const outside = deferred<string>()
    let effects = 0
    const { send } = create(async call => {
      const answer = await ask(call, 'a', { timeoutMs: 300_000 })
      const effect = await call.step('effect', () => ++effects)
      const held = { settled: outside.promise, watch() {}, pause() {} }
      return [answer, effect, await call.hold(held, clock.now() + 300_000)]
    }, clock)
    const first = await send()
    /** What a request comes to once it was held for as long as may be. */
    const held = async (request: Parameters<typeof send>[0]) => {
      const sent = send(request)
      await turn()
      await turn()
      clock.advance(45_000)
      return sent
    }
    const second = open(await held(loud(first)))
    expect(second.ids).toEqual([])
    return { clock, outside, send, held, first, second }
  }

  it('does not run a step again for an older state, once the call has gone on and ended', async () => {
    const clock = new FakeClock()
    const outside = deferred<string>()
    let charged = 0
    const { send } = create(async call => {
      await call.hold({ settled: outside.promise, watch() {}, pause() {} }, clock.now() + 300_000)
      await call.step('charge', () => ++charged)
      return ask(call, 'b', { timeoutMs: 300_000 })
    }, clock)
    const sent = send()
    await turn()
    await turn()
    clock.advance(45_000)
    const { state } = open(await sent)
    const waits = send({ state })
    await turn()
    outside.resolve('x')
    const second = await waits
    expect(await send(loud(second))).toEqual({ kind: 'finished', result: 'B' })
    // The network sends the older request once more.
    expect(await send({ state })).toEqual(second)
    expect(charged).toBe(1)
  })

  it('does not forget what was answered when its client goes away', async () => {
    const { outside, send, held, first, second } = await waiting()
    const gone = new AbortController()
    const cut = send({ state: second.state, signal: gone.signal })
    await turn()
    gone.abort()
    await cut
    const { state, ids } = open(first)
    await expect(send({ state, answers: { [`${ids[0]}`]: 'other' } })).rejects.toThrow(StateRejectedError)
    const third = open(await held({ state: second.state }))
    expect(third.ids).toEqual([])
    outside.resolve('completed')
    expect(await send({ state: third.state })).toEqual({ kind: 'finished', result: ['A', 1, 'completed'] })
  })

  it('goes on for one client when another that waits for the same goes away', async () => {
    const { outside, send, second } = await waiting()
    const gone = new AbortController()
    const cut = send({ state: second.state, signal: gone.signal })
    const staying = send({ state: second.state })
    await turn()
    gone.abort()
    await turn()
    outside.resolve('completed')
    expect(await staying).toEqual({ kind: 'finished', result: ['A', 1, 'completed'] })
    await cut
  })

  it('tells everyone who waits for the same, and suspends the call once', async () => {
    const { outside, send, held, second } = await waiting()
    const both = [send({ state: second.state }), held({ state: second.state })]
    for (const reply of await Promise.all(both)) expect(open(reply).state).toBe(second.state)
    const last = [send({ state: second.state }), send({ state: second.state })]
    await turn()
    outside.resolve('completed')
    for (const reply of await Promise.all(last))
      expect(reply).toEqual({ kind: 'finished', result: ['A', 1, 'completed'] })
  })
})
