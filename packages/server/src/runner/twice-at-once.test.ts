// docs/desk.md: the same request again goes on with the call that it began, however soon it comes.
import { expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, turn } from '../../test/round-node.js'
import { memoryStore } from '../store/memory-store.js'

it.each([false, true])('begins one call for the same request twice at once (a shared store: %s)', async shared => {
  const asked: string[] = []
  let reserved = 0
  const presenter = {
    link: async () => 'https://desk.example/',
    open: ({ id }: { id: string }) => {
      asked.push(id)
      return new Promise<never>(() => {})
    },
    withdraw() {},
    report() {},
  }
  const clock = new FakeClock()
  const { send } = createNode(
    async call => {
      await call.step('reserve', () => ++reserved)
      await call.ask({ kind: 'confirm', message: 'Buy it?' }, { timeoutMs: 3_600_000, wire: 'desk' })
    },
    { presenter, clock, store: { ...memoryStore({ clock }), shared } },
  )
  const request = { canRepeat: true, principal: 'ann', waitMs: 1_000 }
  const replies = Promise.all([send(request), send(request)])
  for (let times = 0; times < 20; times++) {
    clock.advance(100)
    await turn()
  }
  expect((await replies).map(({ kind }) => kind)).toEqual(['waiting', 'waiting'])
  expect([asked.length, reserved]).toEqual([1, 1])
})
