import { expect, it } from 'vitest'
import { newHandle, takeHandle } from './handles.js'

it('takes a handle of its own out of a call', () => {
  const handle = newHandle()
  const call = { name: 'pay', arguments: { amount: 5, beckon: { handle } } }
  expect(takeHandle(call)).toEqual({ call: { name: 'pay', arguments: { amount: 5 } }, handle })
})

it('leaves one to the server behind it that the server gave out, so that it goes on with its call', () => {
  const call = { name: 'pay', arguments: { amount: 5, beckon: { handle: 'k3XhN0b9S4mTqv7yZ1wAxcRd' } } }
  expect(takeHandle(call)).toEqual({ call, handle: undefined })
})

it.each([undefined, null, 5, 'x', [], {}, { handle: 5 }, { handle: null }])('takes %j for none', beckon => {
  const call = { name: 'pay', arguments: { beckon } }
  expect(takeHandle(call)).toEqual({ call, handle: undefined })
})
