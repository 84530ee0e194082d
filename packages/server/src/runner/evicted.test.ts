// What is let go to stay within bounds, and what is not.
import { expect, it } from 'vitest'
import { ask, createNode, type Handler, turn } from '../../test/round-node.js'
import type { Ending } from '../call/ask.js'
import { memoryStore, type Store, StoreUnavailableError } from '../store/index.js'
import type { AskPresenter } from './call-request.js'

const timeoutMs = 3_600_000
const accepted = { kind: 'outcome', outcome: { action: 'accept', content: {} } } as const

function presenterOf(open: () => Promise<Ending>): AskPresenter {
  return { link: async () => '', open, withdraw() {}, report() {} }
}

it('R8: makes room for other durable calls once those in memory are over, also where their rounds were pushed out', async () => {
  let isDurable = true
  const handler: Handler = async call => {
    if (isDurable) await call.ask({ kind: 'confirm', message: 'On the desk' }, { timeoutMs, wire: 'desk' })
    return ask(call, 'In a round', { timeoutMs })
  }
  const presenter = presenterOf(async () => accepted)
  const { send, clock } = createNode(handler, { presenter, limits: { suspended: 3, suspendedPerPrincipal: 3 } })
  const kindOf = async (args: string) => (await send({ args, waitMs: 60_000 })).kind
  for (const args of ['a', 'b', 'c']) expect(await kindOf(args)).toBe('asks')
  expect(await kindOf('d')).toBe('failed')
  isDurable = false
  for (const args of ['e', 'f', 'g', 'h']) expect(await kindOf(args)).toBe('asks')
  isDurable = true
  for (let hour = 0; hour < 72; hour++) {
    clock.advance(timeoutMs)
    await turn()
  }
  expect(await kindOf('i')).toBe('asks')
})

it('lets go of calls that wait before one whose handler is at work', async () => {
  const store = { ...memoryStore({ clock: { now: () => 0 } }), shared: true }
  const seen: string[] = []
  let approve = (_: Ending) => {}
  let finishStep = () => {}
  let task = ''
  const handler: Handler = async call => {
    if (call.target.digest !== 'pay') {
      task = call.id
      call.becomeTask()
      await call.ask({ kind: 'confirm', message: 'Text?' }, { timeoutMs, wire: 'tasks' })
      return call.ask({ kind: 'confirm', message: 'More?' }, { timeoutMs, wire: 'tasks' })
    }
    seen.push('entered')
    await call.ask({ kind: 'confirm', message: 'Pay?' }, { timeoutMs, wire: 'desk' })
    await call.step('pay', () => {
      seen.push('paid')
      return new Promise<void>(resolve => {
        finishStep = resolve
      })
    })
    seen.push('done')
  }
  const presenter = presenterOf(
    () =>
      new Promise(resolve => {
        approve = resolve
      }),
  )
  const { send, runner, clock } = createNode(handler, { store, presenter, limits: { suspendedBytes: 50_000 } })
  void send({ args: 'pay', waitMs: 1_000 }).catch(() => {})
  for (let second = 0; second < 3; second++) {
    await turn()
    clock.advance(1_000)
  }
  approve(accepted)
  await turn()
  expect(seen).toEqual(['entered', 'paid'])
  for (const args of ['waits', 'answered']) {
    void send({ args, params: { text: args.padEnd(20_000) } }).catch(() => {})
    await turn()
  }
  const content = 'x'.repeat(20_000)
  await runner.durable.answer(task, () => ({ kind: 'outcome', outcome: { action: 'accept', content } }))
  await turn()
  finishStep()
  for (let heartbeat = 0; heartbeat < 20; heartbeat++) {
    clock.advance(5_000)
    await turn()
  }
  expect(seen).toEqual(['entered', 'paid', 'done'])
})

it('lets go of calls that wait before one that has ended, and whose end the store did not take yet', async () => {
  const plain = memoryStore({ clock: { now: () => 0 } })
  let isAway = false
  const append: Store['append'] = async (...args) => {
    if (isAway) throw new StoreUnavailableError('The store', new Error('away'))
    return plain.append(...args)
  }
  const effects: string[] = []
  const ended = new Set<string>()
  const answers = new Map<string, () => void>()
  const handler: Handler = async call => {
    const name = call.target.digest
    await call.ask({ kind: 'confirm', message: name }, { timeoutMs, wire: 'desk' })
    effects.push(name)
  }
  const presenter: AskPresenter = {
    ...presenterOf(async () => accepted),
    open: async ({ ask }) => {
      const name = 'message' in ask ? ask.message : ''
      if (!ended.has(name)) await new Promise<void>(resolve => answers.set(name, resolve))
      ended.add(name)
      return accepted
    },
  }
  const limits = { suspended: 2, suspendedPerPrincipal: 2 }
  const { send, clock } = createNode(handler, { store: { ...plain, shared: true, append }, presenter, limits })
  const begin = async (args: string) => {
    void send({ args, principal: 'ana', canRepeat: true, waitMs: 600_000 })
      .catch(() => {})
      .catch(() => {})
    for (let turns = 0; turns < 6; turns++) await turn()
  }
  await begin('a')
  await begin('b')
  isAway = true
  answers.get('a')?.()
  await turn()
  expect(effects).toEqual(['a'])
  await begin('c')
  isAway = false
  for (let second = 0; second < 20; second++) {
    clock.advance(1_000)
    await turn()
  }
  expect(effects).toEqual(['a'])
})
