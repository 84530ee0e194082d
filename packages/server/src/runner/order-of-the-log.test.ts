// The order in which a handler heard of what it waits for, and the order in which the log has it.
// docs/calls.md: "A replay gives the handler what it learned in the order in which it learned it, so branches beside each other
// (`Promise.all`) go the way they went."
import { expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, type Handler, turn } from '../../test/round-node.js'
import type { Call } from '../call/call.js'
import { memoryStore } from '../store/memory-store.js'
import { type MortalStore, mortalStore } from '../test/mortal-store.js'

const leaseMs = 3_000
const timeoutMs = 3_600_000

const onTask = (call: Call<unknown>, message: string) =>
  call.ask({ kind: 'confirm', message }, { key: message, timeoutMs, wire: 'tasks' })

it.each([0, 3, 6, 10])(
  'is the same for a step and an answer that are written in one turn of the event loop (%s ticks apart)',
  async ticks => {
    const shared = memoryStore({ clock: { now: () => 0 } })
    const done: string[] = []
    let id = ''
    let finish = () => {}
    const work = new Promise<void>(resolve => {
      finish = resolve
    })
    const handler: Handler = async call => {
      id = call.id
      call.becomeTask()
      const won = await Promise.race([
        onTask(call, 'Stop?').then(() => 'stop'),
        call.step('work', () => work).then(() => 'go on'),
      ])
      await call.step(won, () => void done.push(won))
      await onTask(call, 'More?')
      return won
    }
    const [a, b] = [0, 1].map(() =>
      createNode(handler, { store: mortalStore(shared), clock: new FakeClock(), leaseMs }),
    )
    if (a === undefined || b === undefined) throw new Error('never')
    const pass = async (ms: number, ...who: (typeof a)[]) => {
      for (let left = ms; left > 0; left -= 100) {
        for (const { clock } of who) clock.advance(100)
        await turn()
      }
    }
    void a.send().catch(() => {})
    await b.nodes.join()
    await pass(2_000, a, b)
    finish()
    for (let tick = 0; tick < ticks; tick++) await undefined
    const { durable } = a.runner
    const answered = durable.answer(id, ({ id: ask }) =>
      ask === 'Stop?' ? { kind: 'outcome', outcome: { action: 'accept', content: {} } } : undefined,
    )
    await answered
    await pass(2_000, a, b)
    expect(done).toHaveLength(1)
    ;(a.store as MortalStore).die()
    await pass(3 * leaseMs, b)
    await turn()
    expect(done).toHaveLength(1)
  },
)
