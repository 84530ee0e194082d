import { expect, it } from 'vitest'
import { CallerBounds } from './caller-bounds.js'

const ana = (bytes: number) => ({ principal: 'ana', bytes })
const limits = { max: 10, maxBytes: 1_000, whenFull: 'refuse' } as const

it('counts a call that leaves twice once, also when its caller has made another since', () => {
  const calls = new CallerBounds({ ...limits, maxPerCaller: 1 })
  calls.add('first', ana(1))
  calls.take('first')
  calls.add('second', ana(1))
  calls.take('first')
  expect(() => calls.add('third', ana(1))).toThrow('Too many calls of this caller')
})

it('weighs nothing of a call that has left', () => {
  const calls = new CallerBounds({ ...limits, maxPerCaller: 10 })
  calls.add('first', ana(1))
  calls.take('first')
  calls.weigh('first', ana(900))
  calls.add('second', ana(1))
  calls.add('third', ana(400))
})

it('tells callers without a principal apart by their session, where one too many is refused', () => {
  const calls = new CallerBounds({ ...limits, maxPerCaller: 1 })
  const of = (sessionId: string) => ({ principal: undefined, sessionId, bytes: 1 })
  calls.add('first', of('one'))
  expect(() => calls.add('second', of('one'))).toThrow('Too many calls of this caller')
  calls.add('third', of('two'))
  calls.add('fourth', { principal: 'one', bytes: 1 })
  calls.take('first')
  calls.add('fifth', of('one'))
})
