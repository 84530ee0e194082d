import { expect, it } from 'vitest'
import { createTestClock } from './index.js'

it('stands still until it is moved', async () => {
  const clock = createTestClock(100)
  expect(clock.now()).toBe(100)
  await clock.advance(50)
  expect(clock.now()).toBe(150)
})

it('runs what is due in order, each at its time', () => {
  const clock = createTestClock(0)
  const ran: [string, number][] = []
  const note = (name: string) => () => ran.push([name, clock.now()])
  clock.after(20, note('late'))
  clock.after(10, note('early'))
  clock.after(-5, note('at once'))
  clock.after(5, () => clock.after(10, note('from within')))
  const cancel = clock.after(15, note('cancelled'))
  cancel()
  clock.after(31, note('not yet'))
  clock.advance(30)
  expect(ran).toEqual([
    ['at once', 0],
    ['early', 10],
    ['from within', 15],
    ['late', 20],
  ])
  clock.advance(1)
  expect(ran.at(-1)).toEqual(['not yet', 31])
})

it('resolves once the turn is over', async () => {
  const clock = createTestClock()
  let done = false
  clock.after(1, () =>
    Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => (done = true)),
  )
  await clock.advance(1)
  expect(done).toBe(true)
})
