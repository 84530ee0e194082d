import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, test, vi } from 'vitest'
import { memoryStore } from './memory-store.js'
import { testStore } from './test-store.js'

testStore(
  'memory',
  () => {
    const clock = manualClock()
    const store = memoryStore({ clock })
    return { store, clock, teardown: () => store.close() }
  },
  { test },
)

it('goes by the time of the system unless given a clock', async () => {
  vi.useFakeTimers({ now: 1_000 })
  try {
    const store = memoryStore()
    await store.set('key', 1, { expiresAt: 1_500 })
    vi.setSystemTime(1_499)
    expect(await store.get('key')).toMatchObject({ value: 1 })
    vi.setSystemTime(1_500)
    expect(await store.get('key')).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

it('sets no timer', async () => {
  vi.useFakeTimers()
  try {
    const store = memoryStore()
    await store.set('key', 1, { expiresAt: Date.now() + 1_000 })
    await store.append('log', [1], { expiresAt: Date.now() + 1_000 })
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

it('does not grow with any number of short-lived keys, logs and sets', async () => {
  const clock = manualClock()
  const store = memoryStore({ clock })
  const before = heapUsed()
  for (let index = 0; index < 200_000; index++) {
    if (index % 1_000 === 0) clock.advance(1)
    const options = { expiresAt: clock.now() + 2 }
    if (index % 3 === 0) await store.set(`key ${index}`, { index }, options)
    else if (index % 3 === 1) await store.put(`set ${index}`, 'member', index, options)
    else await store.append(`log ${index}`, [{ index }], options)
  }
  expect(heapUsed() - before).toBeLessThan(10_000_000)
  await store.close()
})

it('gives back expired logs while only a key is written', async () => {
  const clock = manualClock()
  const store = memoryStore({ clock })
  const before = heapUsed()
  for (let index = 0; index < 2_000; index++) {
    const large = `${index}`.repeat(10_000)
    await store.append(`log ${index}`, [Buffer.from(large).toString()], { expiresAt: clock.now() + 1 })
  }
  expect(heapUsed() - before).toBeGreaterThan(20_000_000)
  clock.advance(1)
  for (let index = 0; index < 2_000; index++) await store.set('key', index)
  expect(heapUsed() - before).toBeLessThan(5_000_000)
  await store.close()
})

it('gives back what was trimmed, and sets without members', async () => {
  const store = memoryStore()
  const before = heapUsed()
  for (let index = 1; index <= 2_000; index++) {
    await store.append('log', [Buffer.from(`${index}`.repeat(10_000)).toString()])
    await store.trim('log', index - 1)
    await store.put(`set ${index}`, 'member', index)
    await store.remove(`set ${index}`, 'member')
  }
  expect(heapUsed() - before).toBeLessThan(5_000_000)
  await store.close()
})

it('forgets a topic without subscribers', async () => {
  const store = memoryStore()
  const before = heapUsed()
  for (let index = 0; index < 50_000; index++) await (await store.subscribe(`topic ${index}`, () => {}))()
  expect(heapUsed() - before).toBeLessThan(5_000_000)
  await store.close()
})

function manualClock(): { now(): number; advance(ms: number): void } {
  let time = 1_000_000
  return {
    now: () => time,
    advance(ms) {
      time += ms
    },
  }
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
