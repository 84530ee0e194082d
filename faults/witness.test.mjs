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
  expect(witness.judge()).toEqual({ again: 0, violations: ['step one ran on b, 10 ms after a recorded it'] })
})

it('counts a step that began before it was recorded, by a process that nobody waited for', async () => {
  for (const what of ['effect/one/b/15', 'recorded/one/b/20', 'effect/one/a/10', 'effect/two/a/30']) await tell(what)
  expect(witness.judge()).toEqual({ again: 1, violations: [] })
})

it('counts handlers that ran again, and knows which calls have a log, and who wrote to it', async () => {
  for (const what of ['run/x/a/1', 'run/x/b/2', 'run/y/a/3', 'log/of%2Fa%20call/a/4', 'wrote/w/a/5']) await tell(what)
  expect([witness.replays, [...witness.logs], [...witness.writers]]).toEqual([1, ['of/a call'], [['w', 'a']]])
})
