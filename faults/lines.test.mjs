import { expect, it } from 'vitest'
import { linesOf } from './lines.mjs'

it('passes over what was written by someone who knew another end of the log', () => {
  const values = [
    { v: 1, w: 'a', p: '', e: [1, 2] },
    { v: 1, w: 'b', p: 'gone.1', e: [3] },
    { v: 1, w: 'c', p: 'a.1', e: [4] },
    { v: 1, w: 'c', s: 'piece' },
    { v: 1, w: 'd', p: 'c.3', e: [5] },
    { v: 1, w: 'e', p: 'c.4', e: [6] },
  ]
  const lines = linesOf(values.map((value, index) => ({ seq: index + 1, value })))
  expect(lines.map(({ e, s }) => e ?? s)).toEqual([1, 2, 4, 'piece', 6])
})
