// R4, R5: what a log has is there for as long as a client may bring a state of the call.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, type Handler, loud, open, turn } from '../../test/round-node.js'
import type { Ending } from '../call/ask.js'
import { deferred } from '../runtime/deferred.js'
import { memoryStore } from '../store/memory-store.js'

const minute = 60_000
const day = 24 * 60 * minute
const long = { timeoutMs: 60 * minute }

/** Processes with one store, whose entries expire by its clock. */
function createShop(handler: Handler, options: Parameters<typeof createNode>[1] = {}) {
  const clock = new FakeClock()
  const store = { ...memoryStore({ clock }), shared: true }
  const start = () => createNode(handler, { store, clock, ...options })
  return { clock, store, start, send: start().send }
}

describe('an old yes, sent again', () => {
  it('while its state is good, charges nobody twice', async () => {
    let charged = 0
    const { clock, send } = createShop(async call => {
      await ask(call, 'a', long)
      return call.step('charge', () => ++charged)
    })
    const yes = loud(await send())
    expect(await send(yes)).toEqual({ kind: 'finished', result: 1 })
    clock.jump(20 * minute)
    expect(await send(yes)).toEqual({ kind: 'finished', result: 1 })
    expect(charged).toBe(1)
  })

  it('nor when later states of its call are over sooner, and another process has gone on', async () => {
    let charged = 0
    const { clock, send, start } = createShop(async call => {
      await ask(call, 'a', { timeoutMs: 3 * day })
      await call.step('charge', () => ++charged)
      return ask(call, 'b', { timeoutMs: minute })
    })
    const yes = loud(await send())
    const next = loud(await send(yes))
    expect(await start().send(next)).toEqual({ kind: 'finished', result: 'B' })
    clock.jump(2 * day)
    expect(open(await send(yes)).messages).toEqual(['b'])
    expect(charged).toBe(1)
  })

  it('nor when its call went on to the desk, and its client has the result', async () => {
    let charged = 0
    const shown = deferred<Ending>()
    const { clock, send } = createShop(
      async call => {
        await ask(call, 'a', { timeoutMs: 3 * day })
        await call.step('charge', () => ++charged)
        await call.ask({ kind: 'confirm', message: 'Sure?' }, { ...long, wire: 'desk' })
        return 'done'
      },
      {
        presenter: {
          link: async () => 'https://desk.example/',
          open: () => shown.promise,
          withdraw() {},
          report() {},
        },
      },
    )
    const more = { canRepeat: true, waitMs: 45_000 }
    const yes = { ...loud(await send(more)), ...more }
    const ended = send(yes)
    await turn()
    shown.resolve({ kind: 'outcome', outcome: { action: 'accept', content: {} } })
    expect(await ended).toEqual({ kind: 'finished', result: 'done' })
    clock.jump(2 * day)
    const again = send(yes).catch(error => error.message)
    await turn()
    expect(await Promise.race([again, turn()])).toEqual({ kind: 'finished', result: 'done' })
    expect(charged).toBe(1)
  })
})

describe('a step that was recorded', () => {
  it('does not run again while the state is good, though one beside an ask was recorded later', async () => {
    let charged = 0
    const { clock, send, start } = createShop(
      async call => {
        const first = await ask(call, 'a', { timeoutMs: 7 * day })
        await call.step('charge', () => ++charged)
        const [second] = await Promise.all([
          ask(call, 'b', { timeoutMs: 7 * day }),
          turn()
            .then(turn)
            .then(() => call.step('note', () => 'noted')),
        ])
        return [first, second]
      },
      { durableMs: 2 * day },
    )
    const two = loud(await send(loud(await send())))
    for (let turns = 0; turns < 20; turns++) await turn()
    expect(charged).toBe(1)
    clock.jump(3 * day)
    expect(await start().send(two)).toEqual({ kind: 'finished', result: ['A', 'B'] })
    expect(charged).toBe(1)
  })

  it('does not run again where its log is gone: the state is refused', async () => {
    let charged = 0
    const handler: Handler = async call => {
      await call.step('charge', () => ++charged)
      return ask(call, 'a', long)
    }
    const yes = loud(await createShop(handler).send())
    // After a failover to a server that never had it.
    await expect(createShop(handler).send(yes)).rejects.toThrow('no longer kept')
    expect(charged).toBe(1)
  })
})
