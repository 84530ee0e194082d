// docs/desk.md: the same request again goes on with the call that it began, however soon it comes.
import { expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { createNode, loud, open, turn } from '../../test/round-node.js'
import { memoryStore } from '../store/memory-store.js'
import type { AskSender } from './call-request.js'

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

it('has a client of 2025 begin a call of its own where the same one waits for the round of another client', async () => {
  const pushed: string[] = []
  const sender: AskSender = {
    open({ id }, _progress, settle) {
      pushed.push(id)
      settle({ kind: 'outcome', outcome: { action: 'accept', content: {} } })
    },
    withdraw() {},
  }
  const presenter = { link: async () => '', open: () => new Promise<never>(() => {}), withdraw() {}, report() {} }
  const { send } = createNode(
    async call => {
      const ask = { kind: 'confirm', message: 'Buy it?' } as const
      return (await call.ask(ask, { timeoutMs: 3_600_000, wire: call.clientWire ?? 'desk' })).kind
    },
    { presenter },
  )
  const request = { canRepeat: true, principal: 'ann', waitMs: 1_000 }
  const round = await send(request)
  expect(open(round).messages).toEqual(['Buy it?'])
  expect(await send({ ...request, sender })).toEqual({ kind: 'finished', result: 'outcome' })
  expect(pushed).toHaveLength(1)
  expect(await send({ ...request, ...loud(round) })).toEqual({ kind: 'finished', result: 'outcome' })
})
