import { createTestClock } from 'beckon/test'
import { it } from 'vitest'
import { openParts } from '/work/main/packages/desk/src/desk-parts.js'
import { asked } from '/work/main/packages/desk/src/asks/lines.js'
import { seenBy } from '/work/main/packages/desk/src/asks/visibility.js'
import { reduceRecord } from '/work/main/packages/desk/src/state/session-record.js'
import { AskIndex } from '/work/main/packages/desk/src/rest/asks/ask-index.js'
it('time', async () => {
  for (const n of [100, 100_000]) {
    const clock = createTestClock()
    const parts = await openParts({ clock })
    const turn = await (await parts.session('s')).startTurn()
    const q = { id: 'q', kind: 'text', message: 'Say' } as const
    const rec0 = parts.order.state.session('s')!
    for (let k = 0; k < n; k += 1000) {
      const lines = []
      for (let i = k; i < Math.min(n, k + 1000); i++) lines.push(...asked('s', { id: `r${i}`, message: 'B', questions: [q] }, { expiresAt: clock.now() + 1e9 }, { at: clock.now() }))
      const t0 = performance.now()
      await parts.order.change(() => ({ lines }))
      if (k % 20000 === 0) console.log('batch', k, (performance.now() - t0).toFixed(1))
    }
    const alice = { principal: 'alice', device: 'd' }
    const times: number[] = []
    for (let i = 0; i < 300; i++) {
      const t0 = performance.now()
      const s = await parts.gate.dispatch(alice, { session: 's', on: 'chat', dialect: 'later', action: { type: 'chat/inputAnswerChanged', requestId: `r${(i * 333) % n}`, questionId: 'q', answer: { state: 'draft', value: { kind: 'text', value: `v${i}` } } } })
      if (s.kind !== 'accepted') throw new Error(s.reason)
      times.push(performance.now() - t0)
    }
    const med = (t: number[]) => t.sort((a, b) => a - b)[t.length >> 1]!.toFixed(4)
    const record = parts.order.state.session('s')!
    const time = (fn: () => unknown) => { const t: number[] = []; for (let i = 0; i < 50; i++) { const b = performance.now(); fn(); t.push(performance.now() - b) } return med(t) }
    console.log(n, 'draft', med(times), 'seenBy', time(() => seenBy(record, alice)), 'reduce', time(() => reduceRecord(record, { session: 's', seq: 1, at: 1, act: { type: 'inputAnswerChanged', requestId: `r${n - 1}`, questionId: 'q', answer: { state: 'draft', value: { kind: 'text', value: 'x' } } } } as never)),
      'req', time(() => reduceRecord(record, { session: 's', seq: 1, at: 1, act: { type: 'inputRequested', request: { id: 'new', message: '' }, policy: { expiresAt: 1 } } } as never)),
      'complete', time(() => reduceRecord(record, { session: 's', seq: 1, at: 1, act: { type: 'inputCompleted', requestId: `r${n-1}`, response: 'decline' } } as never)))
    await parts.close()
  }
}, 600000)
