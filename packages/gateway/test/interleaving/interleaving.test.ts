import fc from 'fast-check'
import { describe, it } from 'vitest'
import { deeds, type Step, World } from './world.js'

/** Calls and asks more often than what ends them: most of what can go wrong takes both. */
const weights: Record<Step['deed'], number> = {
  call: 4,
  ask: 6,
  answer: 3,
  finish: 2,
  cancel: 1,
  drop: 1,
  resume: 2,
  stale: 1,
  foreign: 1,
}
const deed = fc.oneof(...deeds.map(each => ({ arbitrary: fc.constant(each), weight: weights[each] })))
const steps = fc.array(fc.record({ deed, pick: fc.nat(7) }), { minLength: 10, maxLength: 40, size: 'max' })

/** Far above what the slowest machine needs: only what hangs takes so long. */
const patienceMs = 60_000
const numRuns = 12

describe.each(['2025-11-25', '2026-07-28'] as const)('whatever happens in whatever order, with a client of %s', era => {
  const name = 'leaves no ask without its call, no call without its end, and no answer to another ask'
  it(name, { timeout: (numRuns + 1) * patienceMs }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        const world = await World.open(era)
        for (const step of taken) await world.take(step)
        await world.end()
      }),
      { numRuns, timeout: patienceMs, endOnFailure: true },
    )
  })
})
