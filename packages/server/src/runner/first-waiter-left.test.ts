// docs/calls.md: "Each round is answered once. The same answers sent again get the same reply; one that arrives while the first is
// worked on waits for that reply". Two requests bring the same state, which waits for something outside; the first one's client leaves.
import { expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { ask, createNode, loud, open, turn } from '../../test/round-node.js'
import { deferred } from '../runtime/deferred.js'

const form = { kind: 'form', message: 'On the desk?', form: { type: 'object', properties: {} } } as const

it.each(['keep', 'cancel'] as const)(
  'goes on for who stays, to the desk, when the first leaves (%s)',
  async whenGone => {
    const clock = new FakeClock()
    const outside = deferred<string>()
    const answered = deferred<never>()
    const withdrawn: string[] = []
    const presenter = {
      open: () => answered.promise,
      withdraw: ({ id }: { id: string }) => void withdrawn.push(id),
      link: async () => 'https://desk.example/',
      report() {},
    }
    const { send } = createNode(
      async call => {
        const answer = await ask(call, 'a', { timeoutMs: 300_000 })
        const held = { settled: outside.promise, watch() {}, pause() {} }
        await call.hold(held, clock.now() + 300_000)
        return [answer, await call.ask(form, { timeoutMs: 300_000, wire: 'desk' })]
      },
      { clock, presenter: presenter as never, whenGone },
    )
    const first = send(loud(await send()))
    await turn()
    await turn()
    clock.advance(45_000)
    const { state, ids } = open(await first)
    expect(ids).toEqual([])
    const gone = new AbortController()
    const cut = send({ state, signal: gone.signal, waitMs: 1_000 }).catch(error => error)
    const staying = send({ state, waitMs: 1_000 }).catch(error => error)
    await turn()
    gone.abort()
    await turn()
    outside.resolve('completed')
    for (let i = 0; i < 10; i++) await turn()
    clock.advance(1_000)
    for (let i = 0; i < 10; i++) await turn()
    expect(await staying).toMatchObject({ kind: 'waiting', link: 'https://desk.example/' })
    expect(withdrawn).toEqual([])
    await cut
  },
)
