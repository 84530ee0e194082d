import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { memoryStore } from '../store/memory-store.js'
import { createTestClock } from '../test/test-clock.js'
import { CallLogs } from './call-logs.js'
import type { CallEvent } from './events.js'
import { OwnedCalls } from './owned-calls.js'
import { emptyCallState, overCallState } from './reduce.js'

function createLogs(limits: { replies: number; replyBytes: number; rounds: number }) {
  const store = memoryStore()
  const owned = new OwnedCalls(store, { id: 'node' }, createTestClock())
  return new CallLogs(store, owned, { limits, issuedUntil: () => 0 })
}

const answered = (round: number, at: number): CallEvent => ({
  kind: 'answered',
  entries: [],
  round,
  answers: 'digest',
  owner: { node: 'node', run: 'run' },
  at,
})
const ended = (value: string, at: number): CallEvent => ({ kind: 'ended', end: { result: { value } }, at })

/** A text that shares nothing with others. */
const text = (number: number) => Array.from({ length: 100_000 }, (_, i) => (i * 7919 + number) % 99_991).join(',')

it('lets go of what a call ended with that was let go once before, in the middle', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const logs = createLogs({ replies: 2, replyBytes: 2_000_000, rounds: 60 })
  const write = (id: string, event: CallEvent) => logs.open(id, 'ana').write(() => event)
  const writeOthers = (name: string, count: number) => {
    for (let at = 0; at < count; at++) for (const event of [answered(1, at), ended('', at)]) write(name + at, event)
  }
  for (let at = 0; at < 50; at++) write(`call${at}`, answered(1, at))
  // As many as are remembered: from here on those are the older ones.
  writeOthers('before', 14)
  collect()
  const { heapUsed } = process.memoryUsage()
  for (let at = 0; at < 50; at++) for (const event of [answered(2, at), ended(text(at), at)]) write(`call${at}`, event)
  writeOthers('after', 2)
  collect()
  expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(5_000_000)
  expect(logs.open('call0', 'ana').state).toBe(overCallState)
})

it('weighs the replies of rounds', () => {
  const logs = createLogs({ replies: 100, replyBytes: 2_000_000, rounds: 100 })
  for (let at = 0; at < 10; at++) {
    const log = logs.open(`call${at}`, 'ana')
    log.write(() => answered(1, at))
    log.write(() => ({ kind: 'replied', round: 1, reply: { kind: 'asks', asks: [], state: text(at) }, at }))
  }
  const kept = Array.from({ length: 10 }, (_, at) => logs.open(`call${at}`, 'ana').state.rounds[0]?.reply)
  expect(kept.filter(reply => reply !== 'forgotten')).toHaveLength(3)
})

it('weighs what the client of a call that has ended said of itself', () => {
  const logs = createLogs({ replies: 100, replyBytes: 2_000_000, rounds: 100 })
  for (let at = 0; at < 10; at++) {
    const peer = { revision: '2026-07-28', capabilities: { large: text(at) }, client: undefined } as const
    const target = { method: 'tools/call', name: 'tool', digest: '' }
    const id = `call${at}`
    const who = { principal: 'ana', sessionId: null, peer, isTask: true }
    const record = { id, target, params: {}, ...who, version: '1', createdAt: at, expiresAt: at }
    const log = logs.open(id, 'ana')
    log.write(() => ({ kind: 'begun', record, owner: { node: 'node', run: 'run' }, at }))
    log.write(() => ended('', at))
  }
  const kept = Array.from({ length: 10 }, (_, at) => logs.open(`call${at}`, 'ana').state)
  expect(kept.filter(state => state !== overCallState)).toHaveLength(3)
})

it('keeps nothing for an event that changes nothing', () => {
  const logs = createLogs({ replies: 1, replyBytes: 1_000_000, rounds: 5 })
  logs.named('gone').write(() => ({ kind: 'delivered', at: 5 }))
  for (const event of [answered(1, 1), ended('', 1)]) logs.open('other', undefined).write(() => event)
  expect(logs.open('gone', undefined).state).toBe(emptyCallState)
})
