import { expect, it } from 'vitest'
import { createNode, type Handler, turn } from '../../test/round-node.js'
import { memoryStore } from '../store/index.js'
import type { AskPresenter } from './call-request.js'

const accepted = { kind: 'outcome', outcome: { action: 'accept', content: {} } } as const

// R8: what is held has bounds, and nobody is left waiting for what was let go.
it('tells a request that was held when its run was let go, and gives the result to the next', async () => {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true }
  const answers = new Map<string, () => void>()
  const ended = new Set<string>()
  const handler: Handler = async call => {
    await call.ask({ kind: 'confirm', message: call.target.digest }, { timeoutMs: 3_600_000, wire: 'desk' })
    return `${call.target.digest} is done`
  }
  const presenter: AskPresenter = {
    link: async () => 'https://desk.example/',
    withdraw() {},
    report() {},
    open: async ({ ask }) => {
      const name = 'message' in ask ? ask.message : ''
      if (!ended.has(name)) await new Promise<void>(resolve => answers.set(name, resolve))
      ended.add(name)
      return accepted
    },
  }
  const { send, clock } = createNode(handler, { store, presenter, limits: { suspended: 1, suspendedPerPrincipal: 1 } })
  const pay = { args: 'first', principal: 'ana', canRepeat: true, waitMs: 600_000 }
  const first = send(pay)
  for (let turns = 0; turns < 6; turns++) await turn()
  void send({ ...pay, args: 'second' }).catch(() => {})
  expect(await first).toMatchObject({ kind: 'waiting', link: 'https://desk.example/' })
  answers.get('first')?.()
  for (let second = 0; second < 30; second++) {
    clock.advance(1_000)
    await turn()
  }
  expect(await send(pay)).toEqual({ kind: 'finished', result: 'first is done' })
})
