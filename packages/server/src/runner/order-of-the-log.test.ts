// The order in which a handler heard of what it waits for, and the order in which the log has it.
// docs/calls.md: "A replay gives the handler what it learned in the order in which it learned it, so branches beside each other
// (`Promise.all`) go the way they went."
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, type Handler, turn } from '../../test/round-node.js'
import type { Ending } from '../call/ask.js'
import type { Call } from '../call/call.js'
import { memoryStore } from '../store/memory-store.js'
import { type MortalStore, mortalStore } from '../test/mortal-store.js'
import type { AskPresenter } from './call-request.js'

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

describe('with an ask on the desk', () => {
  const onDesk = (call: Call<unknown>, message: string) =>
    call.ask({ kind: 'confirm', message }, { key: message, timeoutMs, wire: 'desk' })

  /** Two processes: the first has a slow way to the store, and the second is heard by nobody. */
  async function run(other: (call: Call<unknown>) => Promise<unknown>) {
    const shared = memoryStore({ clock: { now: () => 0 } })
    const done: string[] = []
    let id = ''
    let answer = (_ending: Ending) => {}
    const stop = new Promise<Ending>(resolve => {
      answer = resolve
    })
    const handler: Handler = async call => {
      id = call.id
      if (takesTasks) call.becomeTask()
      const won = await Promise.race([onDesk(call, 'Stop?').then(() => 'stop'), other(call).then(() => 'go on')])
      await call.step(won, () => void done.push(won))
      await onDesk(call, 'More?')
      return won
    }
    const takesTasks = other === asTask
    const presenter: AskPresenter = {
      open: ({ ask }) => ('message' in ask && ask.message === 'Stop?' ? stop : new Promise(() => {})),
      withdraw() {},
      report() {},
      link: async () => 'https://desk.example',
    }
    const slow = slowAppends(mortalStore(shared))
    const silent = { ...mortalStore(shared), publish: async () => {} }
    const nodeOn = (store: MortalStore) => createNode(handler, { store, clock: new FakeClock(), leaseMs, presenter })
    const [one, two] = [nodeOn(slow.store), nodeOn(silent)]
    const pass = async (ms: number, ...who: (typeof one)[]) => {
      for (let left = ms; left > 0; left -= 100) {
        for (const { clock } of who) clock.advance(100)
        await turn()
      }
    }
    void one.send({ canRepeat: true, principal: 'ada' }).catch(() => {})
    await two.nodes.join()
    await pass(2_000, one, two)
    return {
      ...{ done, slow, two },
      id: () => id,
      stop: () => answer({ kind: 'outcome', outcome: { action: 'accept', content: {} } }),
      /** The first process dies, and the second goes on. */
      async takeOver() {
        await pass(2_000, one, two)
        expect(done).toHaveLength(1)
        slow.die()
        await pass(3 * leaseMs, two)
        await turn()
      },
    }
  }
  const asTask = (call: Call<unknown>) => onTask(call, 'Go on?')

  it('is the same for a step that is on its way to the log when the desk answers', async () => {
    let finish = () => {}
    const work = new Promise<void>(resolve => {
      finish = resolve
    })
    const { slow, stop, takeOver, done } = await run(call => call.step('work', () => work))
    slow.hold()
    finish()
    await turn()
    stop()
    await turn()
    slow.release()
    await takeOver()
    expect(done).toHaveLength(1)
  })

  it('is the same for an answer that another process has taken when the desk answers', async () => {
    const { two, id, stop, takeOver, done } = await run(asTask)
    await two.runner.durable.answer(id(), ({ wire }) =>
      wire === 'tasks' ? { kind: 'outcome', outcome: { action: 'accept', content: {} } } : undefined,
    )
    stop()
    await turn()
    await takeOver()
    expect(done).toHaveLength(1)
  })
})

/** A store whose appends can be held up on their way. */
function slowAppends(store: MortalStore) {
  let held = Promise.resolve()
  let release = () => {}
  const slow: MortalStore = { ...store, append: async (...args) => held.then(() => store.append(...args)) }
  return {
    store: slow,
    hold() {
      held = new Promise(resolve => {
        release = resolve
      })
    },
    release: () => release(),
    die: () => store.die(),
  }
}
