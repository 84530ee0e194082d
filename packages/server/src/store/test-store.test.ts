import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoryStore } from './memory-store.js'
import type { StoreSetup, TestContext } from './test-store.js'
import { testStore } from './test-store.js'

type Run = (context?: TestContext) => Promise<void>

const needsClock = 'keeps a key until its very millisecond'
const needsNothing = 'sets a key again and again'

const printed = vi.fn()

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(printed)
})

afterEach(() => {
  vi.restoreAllMocks()
  printed.mockReset()
})

it('gives each case a title of its own, after the name of the store', () => {
  const titles = [...collectCases().keys()]
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles.filter(title => !title.startsWith('any: '))).toEqual([])
})

it('sets nothing up before a case runs', () => {
  const setup = vi.fn(setupMemory)
  collectCases({ setup })
  expect(setup).not.toHaveBeenCalled()
})

it('tears down what was set up, also when a case fails', async () => {
  const teardown = vi.fn()
  const broken = { ...memoryStore(), set: () => Promise.reject(new Error('away')) }
  const run = collectCases({ setup: () => ({ store: broken, teardown }) }).get(`any: ${needsNothing}`)
  await expect(run?.()).rejects.toThrow('away')
  expect(teardown).toHaveBeenCalledOnce()
})

it('skips with the reason given, prints it, tells the runner, and sets nothing up', async () => {
  const setup = vi.fn(setupMemory)
  const skip = vi.fn()
  await collectCases({ setup, skip: { [needsNothing]: 'it is slow' } }).get(`any: ${needsNothing}`)?.({ skip })
  expect(printed).toHaveBeenCalledWith(`skipped: any: ${needsNothing} (it is slow)`)
  expect(skip).toHaveBeenCalledWith('it is slow')
  expect(setup).not.toHaveBeenCalled()
})

it('skips what needs a clock or a second handle where there is none, with a runner that cannot skip too', async () => {
  const cases = collectCases()
  await cases.get(`any: ${needsClock}`)?.()
  await cases.get('any: takes a version from one handle on another')?.({})
  expect(printed.mock.calls).toEqual([
    [`skipped: any: ${needsClock} (its clock cannot be moved)`],
    ['skipped: any: takes a version from one handle on another (it is not shared)'],
  ])
})

it('refuses to skip a case that does not exist', () => {
  expect(() => collectCases({ skip: { 'no such case': 'a typing error' } })).toThrow('"no such case"')
})

function setupMemory(): StoreSetup {
  const store = memoryStore()
  return { store, teardown: () => store.close() }
}

function collectCases({ setup = setupMemory, skip = {} } = {}): Map<string, Run> {
  const cases = new Map<string, Run>()
  testStore('any', setup, { test: (name, run) => cases.set(name, run), skip })
  return cases
}
