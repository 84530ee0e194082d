import type { AskEntry } from '@beckon/core/asks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endedRows, openRows, type Row } from './rows.js'
import { medianOf, timesToAnswer } from './times.js'
import { offsetsOf, rowsWithin } from './window.js'

const ask = (id: string, askedAt: number, more: Partial<AskEntry> = {}): AskEntry => ({
  session: 's',
  server: 'shop',
  title: 'Order',
  request: { id, message: `Message ${id}` },
  askedAt,
  expiresAt: askedAt + 1000,
  ...more,
})
const names = (rows: Row[]) =>
  rows.map(row => (row.kind === 'group' ? `${row.who} (${row.count})` : row.ask.request.id))

describe('the rows of a list', () => {
  it('are grouped by who asks, the newest first', () => {
    const asks = [ask('1', 1), ask('2', 2, { server: 'ci' }), ask('3', 3), ask('4', 4, { ending: { at: 5 } })]
    expect(names(openRows(asks, ''))).toEqual(['shop (2)', '3', '1', 'ci (1)', '2'])
    expect(names(endedRows(asks, ''))).toEqual(['4'])
  })

  it('tell apart who asks through one server', () => {
    const from = (id: string, asker: string) =>
      ask(id, Number(id), { server: 'gateway', request: { id, _meta: { 'beckon/asker': asker } } })
    const asks = [from('1', 'Todos'), from('2', 'Shop'), from('3', '')]
    expect(names(openRows(asks, ''))).toEqual([
      'gateway (1)',
      '3',
      'gateway › Shop (1)',
      '2',
      'gateway › Todos (1)',
      '1',
    ])
    expect(names(openRows(asks, 'todos'))).toEqual(['gateway › Todos (1)', '1'])
  })

  it('have the last that was put first, of those of the same moment', () => {
    expect(names(openRows([ask('1', 1), ask('2', 1, { server: 'ci' }), ask('3', 1)], ''))).toEqual([
      'shop (2)',
      '3',
      '1',
      'ci (1)',
      '2',
    ])
  })

  it('are those that have every word, wherever it stands', () => {
    const asks = [
      ask('1', 1, { request: { id: '1', message: 'Deploy', _meta: { 'beckon/tool': 'release' } } }),
      ask('2', 2, {
        request: { id: '2', questions: [{ id: 'q', kind: 'text', title: 'Deploy where?', message: '' }] },
      }),
      ask('3', 3),
    ]
    expect(names(openRows(asks, ' DEPLOY  shop'))).toEqual(['shop (2)', '2', '1'])
    expect(names(openRows(asks, 'deploy release'))).toEqual(['shop (1)', '1'])
    expect(names(openRows(asks, 'nowhere'))).toEqual([])
  })
})

describe('the part of a list that is drawn', () => {
  it('covers what is in sight, and is no longer than that needs', () => {
    const heights = fc.array(fc.integer({ min: 20, max: 90 }), { maxLength: 300 })
    fc.assert(
      fc.property(heights, fc.nat(20_000), fc.nat(900), (heights, top, height) => {
        const offsets = offsetsOf(heights)
        const { first, end } = rowsWithin(offsets, { top, height, around: 2 })
        const total = offsets.at(-1) ?? 0
        for (let row = 0; row < heights.length; row++) {
          const isInSight = (offsets[row + 1] ?? 0) > top && (offsets[row] ?? 0) < top + height && top < total
          if (isInSight) expect(first <= row && row < end).toBe(true)
        }
        expect(end - first).toBeLessThanOrEqual(Math.ceil(height / 20) + 6)
      }),
    )
  })
})

it('takes the time of what people answered, and of nothing else', () => {
  const asks = [
    ask('1', 100, { ending: { at: 400, by: 'ana', response: 'accept' } }),
    ask('2', 100, { ending: { at: 200, by: 'ana', response: 'decline' } }),
    ask('3', 100, { ending: { at: 900, by: 'ana', response: 'cancel' } }),
    ask('4', 100, { ending: { at: 900 } }),
    ask('5', 100),
  ]
  expect(timesToAnswer(asks)).toEqual([100, 300])
  expect(medianOf([5, 1, 9])).toBe(5)
  expect(medianOf([])).toBe(0)
})
