import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/fake-clock.js'
import { turn } from '../../test/round-node.js'
import { deferred } from '../runtime/deferred.js'
import type { ExternalWait } from '../waits/waits.js'
import { Call } from './call.js'
import type { AskOptions, CallOptions } from './call-options.js'
import type { Wires } from './call-types.js'
import { type Entry, Journal } from './journal.js'

const wires: Wires = { open() {}, withdraw() {}, expire() {}, begin() {} }

function createCall(entries: Entry[] = []) {
  const clock = new FakeClock()
  const options: CallOptions = {
    id: 'call',
    target: { method: 'tools/call', name: 'tool', digest: '' },
    principal: undefined,
    journal: new Journal(entries),
    clientWire: 'rounds',
    rules: { clock, maxAsks: 10, node: 'here', clockSkewMs: 0, holdMs: 45_000 },
  }
  const call = new Call<unknown>(options, wires)
  return { clock, call }
}

/** Something outside that a test completes. */
function outside(): ExternalWait<string> & { complete: () => void } {
  const { promise, resolve } = deferred<string>()
  return { settled: promise, watch() {}, pause() {}, complete: () => resolve('completed') }
}

const ask = (call: Call) => call.ask({ kind: 'confirm', message: 'Sure?' }, { timeoutMs: 1_000_000, wire: 'rounds' })

describe('the time that a handler may run', () => {
  it('stands still while a person is asked, also when a wait for the outside ends beside it', async () => {
    const { call, clock } = createCall()
    const page = outside()
    call.limit(500)
    call.run(() => Promise.all([ask(call), call.hold(page, clock.now() + 1_000_000)]))
    page.complete()
    await turn()
    clock.advance(10_000)
    expect(call.isDropped).toBe(false)
  })

  it('stands still while the outside is waited for, also when a person answers beside it', async () => {
    const { call, clock } = createCall()
    call.limit(500)
    call.run(() => Promise.all([ask(call), call.hold(outside(), clock.now() + 1_000_000)]))
    for (const { id } of call.openAsks) call.settle(id, { kind: 'outcome', outcome: { action: 'decline' } })
    await turn()
    clock.advance(10_000)
    expect(call.isDropped).toBe(false)
  })

  it('goes on when nothing is waited for', async () => {
    const { call, clock } = createCall()
    const page = outside()
    call.limit(500)
    call.run(async () => {
      await call.hold(page, clock.now() + 1_000_000)
      await new Promise(() => {})
    })
    clock.advance(10_000)
    page.complete()
    await turn()
    clock.advance(499)
    expect(call.isDropped).toBe(false)
    clock.advance(1)
    expect(call.isDropped).toBe(true)
  })
})

describe('a handler that waits for the outside', () => {
  it('does not pause while a step runs', async () => {
    const { call, clock } = createCall()
    const page = outside()
    let isResting = false
    let finish = () => {}
    call.run(async () => {
      await call.hold(page, clock.now() + 1_000_000)
      await call.step(
        'slow',
        () =>
          new Promise<void>(resolve => {
            finish = resolve
          }),
      )
      await call.hold(outside(), clock.now() + 1_000_000)
    })
    void call.pause().then(() => {
      isResting = true
    })
    await turn()
    clock.advance(10_000)
    page.complete()
    await turn()
    clock.advance(100_000)
    await turn()
    expect(isResting).toBe(false)
    finish()
    await turn()
    await turn()
    clock.advance(44_999)
    await turn()
    expect(isResting).toBe(false)
    clock.advance(1)
    await turn()
    expect(isResting).toBe(true)
  })
})

it('gives an ask the same id in every run, also behind one that was answered before it was asked', async () => {
  const run = async (entries: Entry[], unasked?: AskOptions['unasked']) => {
    const { call } = createCall(entries)
    await call.ask({ kind: 'confirm', message: 'Which?' }, { key: 'k', timeoutMs: 1, wire: 'rounds', unasked })
    void call.ask({ kind: 'confirm', message: 'Which, please?' }, { key: 'k', timeoutMs: 1, wire: 'rounds' })
    return { id: call.openAsks[0]?.id, entries: [...call.journal.entries] }
  }
  const first = await run([], { kind: 'outcome', outcome: { action: 'accept', content: {} } })
  const again = await run(first.entries)
  expect(again.id).toBe(first.id)
})

it('takes the same address on other terms for another question', async () => {
  const url = { kind: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId: 'e' } as const
  const options = { timeoutMs: 1, wire: 'rounds' } as const
  const { call } = createCall()
  for (const terms of [{}, { asker: 'Other' }, { person: 'present' as const }, {}])
    void call.ask({ ...url, ...terms }, options)
  const digests = call.openAsks.map(({ mark }) => mark.digest)
  expect(new Set(digests).size).toBe(3)
  expect(digests[0]).toBe(digests[3])
})
