import { afterEach, beforeEach, expect, it } from 'vitest'
import { startWitness } from './witness.mjs'

/** @type {import('./witness.mjs').Witness} */
let witness

beforeEach(async () => {
  witness = await startWitness()
})

afterEach(() => witness.close())

/** @param {string} what */
const tell = what => fetch(`${witness.url}/${what}`, { method: 'POST' })

it('finds out a step that began after it was recorded, in whatever order that is told', async () => {
  for (const what of ['effect/one/a/10', 'effect/one/b/30', 'recorded/one/a/20']) await tell(what)
  expect(witness.judge(() => false)).toEqual({ again: 0, violations: ['step one ran on b, 10 ms after a recorded it'] })
})

it('counts a step that began before it was recorded, by a process that nobody waited for', async () => {
  for (const what of ['effect/one/b/15', 'recorded/one/b/20', 'effect/one/a/10', 'effect/two/a/30']) await tell(what)
  expect(witness.judge(() => false)).toEqual({ again: 1, violations: [] })
})

it('lets a step run again whose record was cut off', async () => {
  for (const what of ['effect/one/a/10/call1', 'recorded/one/a/20', 'effect/one/b/30/call1']) await tell(what)
  expect(witness.judge(tag => tag === 'call1')).toEqual({ again: 1, violations: [] })
})

it('counts handlers that were entered again by cause, and those that have none', async () => {
  for (const what of ['run/x/a/1/', 'run/x/b/2/other-process', 'run/y/a/3/', 'run/y/a/4/', 'run/z/a/5/evicted'])
    await tell(what)
  expect(witness.replays()).toEqual({ 'without a cause': 1, 'other-process': 1, evicted: 1 })
})

it('knows which calls have a log, who wrote to it, and what went wrong with it', async () => {
  for (const what of ['log/of%2Fa%20call/a/4', 'wrote/w/a/5', 'lost/step/a/6', 'busy/l/a/7']) await tell(what)
  expect([[...witness.logs], [...witness.writers], witness.lost, [...witness.busy]]).toEqual([
    ['of/a call'],
    [['w', 'a']],
    ['step'],
    ['l'],
  ])
})
