import { expect, it } from 'vitest'
import { InFlight } from './in-flight.js'

const ana = { principal: 'ana', sessionId: undefined }

it('counts a call that leaves twice once, also when its caller has made another since', () => {
  const calls = new InFlight({ max: 10, maxBytes: 1_000, maxPerCaller: 1 })
  const first = calls.enter(ana, 1)
  first.leave()
  calls.enter(ana, 1)
  first.leave()
  expect(() => calls.enter(ana, 1)).toThrow('Too many calls of this caller')
})

it('weighs nothing of a call that has left', () => {
  const calls = new InFlight({ max: 10, maxBytes: 1_000, maxPerCaller: 10 })
  const first = calls.enter(ana, 1)
  first.leave()
  first.weigh(900)
  calls.enter(ana, 1)
  calls.enter(ana, 400)
})
