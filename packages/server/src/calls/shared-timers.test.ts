import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { afterShared } from './shared-timers.js'

let rung: string[] = []
const ring = (name: string) => () => rung.push(name)

beforeEach(() => {
  vi.useFakeTimers()
  rung = []
})

afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

it('runs each after its own delay, with one timer of the runtime', () => {
  afterShared(60_000, ring('first'))
  vi.advanceTimersByTime(20_000)
  afterShared(60_000, ring('second'))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(39_999)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rung).toEqual(['first'])
  vi.advanceTimersByTime(20_000)
  expect(rung).toEqual(['first', 'second'])
  expect(vi.getTimerCount()).toBe(0)
})

it('leaves out what was taken back, wherever it stands', () => {
  const [first, , third] = ['first', 'second', 'third', 'fourth'].map(name => {
    vi.advanceTimersByTime(1_000)
    return afterShared(60_000, ring(name))
  })
  first?.()
  third?.()
  third?.()
  vi.advanceTimersByTime(70_000)
  expect(rung).toEqual(['second', 'fourth'])
})

it('takes nothing back once it has run', () => {
  const stop = afterShared(60_000, ring('first'))
  vi.advanceTimersByTime(60_000)
  afterShared(60_000, ring('second'))
  stop()
  vi.advanceTimersByTime(60_000)
  expect(rung).toEqual(['first', 'second'])
})

it('runs the others when one throws', () => {
  afterShared(60_000, () => {
    throw new Error('on purpose')
  })
  afterShared(60_000, ring('second'))
  expect(() => vi.advanceTimersByTime(60_000)).toThrow('on purpose')
  vi.advanceTimersByTime(10)
  expect(rung).toEqual(['second'])
})

it('can be asked again from within', () => {
  afterShared(60_000, () => afterShared(60_000, ring('again')))
  vi.advanceTimersByTime(120_000)
  expect(rung).toEqual(['again'])
})
