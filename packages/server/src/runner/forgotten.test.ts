// What is brought back of a call whose log was let go, in part or whole, or that has gone on without the state.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, loud, turn } from '../../test/round-node.js'
import type { Ask, Ending } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { MemoryLog } from '../log/memory-log.js'
import { deferred } from '../runtime/deferred.js'

const long = { timeoutMs: 3_600_000 }
const onDesk: Ask = { kind: 'form', message: 'desk', form: { type: 'object', properties: {} } }
const askDesk = (call: Call<unknown>) => call.ask(onDesk, { ...long, wire: 'desk' })
const accepted: Ending = { kind: 'outcome', outcome: { action: 'accept', content: {} } }

/** A node without a store that remembers little, and calls of others that push things out of its memory. */
function createForgetful(handler: Parameters<typeof createNode>[0], limits = {}) {
  const clock = new FakeClock()
  const shown = deferred<Ending>()
  const node = createNode(call => (call.target.name === 'x' ? handler(call) : ask(call, 'other', long)), {
    clock,
    limits: { replies: 1, rounds: 5, suspended: 10, ...limits },
    presenter: {
      link: async () => 'https://desk.example/',
      open: () => shown.promise,
      withdraw() {},
      report() {},
    },
  })
  const send: typeof node.send = request => node.send({ name: 'x', waitMs: 45_000, ...request })
  const others = async (count: number) => {
    for (let calls = 0; calls < count; calls++) {
      clock.advance(10)
      await node.send(loud(await node.send()))
    }
  }
  /** How a request is refused that was sent before. */
  const refusal = async (request: Parameters<typeof send>[0]) => {
    const refused = send(request).then(JSON.stringify, ({ message }) => message)
    return Promise.race([refused, turn().then(turn)])
  }
  return { clock, send, others, refusal, desk: shown.resolve }
}

describe('R4: without a store, a round is answered once', () => {
  // A loop that never waits would stop the test itself.
  beforeEach(() => {
    const { read } = MemoryLog.prototype
    let reads = 0
    vi.spyOn(MemoryLog.prototype, 'read').mockImplementation(function (this: MemoryLog) {
      if (++reads > 10_000) throw new Error('It looks again and again.')
      return read.call(this)
    })
  })
  afterEach(() => vi.restoreAllMocks())

  it('also of a call that became durable, has ended and was let go', async () => {
    let paid = 0
    const { send, others, refusal, desk } = createForgetful(async call => {
      await ask(call, 'Pay?', long)
      paid++
      await askDesk(call)
      return 'done'
    })
    const yes = loud(await send())
    const paying = send(yes)
    await turn()
    desk(accepted)
    expect(await paying).toEqual({ kind: 'finished', result: 'done' })
    expect(await send(yes)).toEqual({ kind: 'finished', result: 'done' })
    await others(3)
    expect(await refusal(yes)).toMatch(/no longer kept/)
    expect(paid).toBe(1)
  })

  it('and none of a call that is over, though nobody had answered that one', async () => {
    let paid = 0
    const { send, others, refusal, desk } = createForgetful(
      async call => {
        await Promise.race([ask(call, 'me?', long), askDesk(call)])
        await call.step('pay', () => ++paid)
      },
      { suspended: 1 },
    )
    const yes = loud(await send())
    desk(accepted)
    await turn()
    await turn()
    expect(paid).toBe(1)
    await others(3)
    expect(await refusal(yes)).toMatch(/no longer kept/)
    expect(paid).toBe(1)
  })

  it.each([false, true])(
    'also when what came before a later round was let go (that was its last: %s)',
    async isLast => {
      let paid = 0
      const { send, others, refusal } = createForgetful(async call => {
        await ask(call, 'a', long)
        paid++
        await ask(call, 'b', long)
        if (!isLast) await ask(call, 'c', long)
      })
      const first = loud(await send())
      const second = loud(await send(first))
      await others(15)
      await send(second)
      expect(await refusal(first)).toMatch(/gone on since/)
      expect(paid).toBe(1)
    },
  )

  it.each(['pushed out', 'old'])('with the steps that its client cancelled it after (its log is %s)', async how => {
    let paid = 0
    let goOn = () => {}
    const { clock, send, others } = createForgetful(async call => {
      await ask(call, 'Pay?', long)
      await call.step('pay', () => ++paid)
      await new Promise<void>(resolve => {
        goOn = resolve
      })
    })
    const yes = loud(await send())
    const client = new AbortController()
    void send({ ...yes, signal: client.signal }).catch(() => {})
    await turn()
    await turn()
    expect(paid).toBe(1)
    // The round can be answered again from here on.
    client.abort()
    await turn()
    if (how === 'old') {
      await send()
      for (let ms = 0; ms < 20 * 60_000; ms += 1_000) clock.advance(1_000)
    } else await others(3)
    const again = send(yes).catch(error => error.message)
    await turn()
    await turn()
    goOn()
    expect(await again).toMatch(/no longer kept/)
    expect(paid).toBe(1)
  })

  it('and the same answers get the same reply while it is made, though an earlier one was let go', async () => {
    let goOn = () => {}
    const { clock, send, others } = createForgetful(async call => {
      await ask(call, 'a', long)
      await ask(call, 'b', long)
      await new Promise<void>(resolve => {
        goOn = resolve
      })
      return 'done'
    })
    const second = loud(await send(loud(await send())))
    await others(3)
    const first = send(second)
    await turn()
    const again = send(second)
    await turn()
    goOn()
    for (let times = 0; times < 20; times++) {
      clock.advance(100)
      await turn()
    }
    expect([await first, await again]).toEqual([
      { kind: 'finished', result: 'done' },
      { kind: 'finished', result: 'done' },
    ])
  })

  it('also when the clock was set back before the answer came', async () => {
    let paid = 0
    const { clock, send, others, refusal } = createForgetful(async call => {
      await ask(call, 'a', long)
      paid++
    })
    const first = loud(await send())
    clock.jump(-1_000)
    await send(first)
    await others(15)
    expect(await refusal(first)).toMatch(/no longer known/)
    expect(paid).toBe(1)
  })

  it('and a repeat of an earlier one gets no later reply', async () => {
    const { send, others, refusal } = createForgetful(async call => {
      await ask(call, 'a', long)
      return ask(call, 'b', long)
    })
    const first = loud(await send())
    const second = loud(await send(first))
    await others(3)
    expect(await refusal(first)).toMatch(/no longer kept/)
    for (let times = 0; times < 2; times++) expect(await send(second)).toEqual({ kind: 'finished', result: 'B' })
    expect(await refusal(first)).toMatch(/no longer kept/)
  })

  it('and one whose ask expired, before the call waited outside, gets what the call went on with', async () => {
    const outside = deferred<string>()
    const { clock, send } = createForgetful(async call => {
      await ask(call, 'a', { timeoutMs: 60_000 }).catch(() => {})
      await call.hold({ settled: outside.promise, watch() {}, pause() {} }, clock.now() + 3_000_000)
      return ask(call, 'b', long)
    })
    const first = loud(await send())
    clock.advance(60_000)
    await turn()
    const waits = send({ state: first.state })
    await turn()
    outside.resolve('x')
    const next = await waits
    expect(await send(first)).toEqual(next)
    expect(await send(loud(next))).toEqual({ kind: 'finished', result: 'B' })
  })
})
