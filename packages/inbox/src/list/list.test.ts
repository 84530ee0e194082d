import type { AskEntry } from '@beckon/core/asks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distinguish } from './distinguish.js'
import { choicesIn, type Filters, filterCount, passes, wantedOf } from './filters.js'
import { canBeRuled, endedRows, openRows, type Row, rowsByDeadline } from './rows.js'
import { sortSeveral } from './several.js'
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
    const called = ask('4', 4, { request: { id: '4', _meta: { 'beckon/arguments': { to: { city: 'Lisbon' } } } } })
    expect(names(openRows([...asks, called], 'lisbon'))).toEqual(['shop (1)', '4'])
  })
})

describe('rows that read the same', () => {
  const call = (id: string, askedAt: number, given?: object, message = 'Restart?'): AskEntry =>
    ask(id, askedAt, { request: { id, message, _meta: { 'beckon/tool': 'restart', 'beckon/arguments': given } } })

  it('show the arguments that differ, and those of others show nothing', () => {
    const asks = [
      call('1', 1, { node: 'a', zone: 'eu', force: true }),
      call('2', 2, { node: 'b', zone: 'eu' }),
      call('3', 3, { node: 'c' }, 'Another?'),
    ]
    expect([...distinguish(asks, 'en').values()]).toEqual(['node: a, force: true', 'node: b'])
  })

  it('show when they were asked, where nothing else differs', () => {
    const at = (time: string): number => new Date(`2026-03-01T${time}`).getTime()
    const same = [call('1', at('09:00:00'), { node: 'a' }), call('2', at('09:00:05'), { node: 'a' })]
    expect([...distinguish(same, 'de').values()]).toEqual(['09:00:00', '09:00:05'])
    const other = call('3', at('10:00:00'), { node: 'b' })
    expect([...distinguish([...same, other], 'de').values()]).toEqual([
      'node: a, 09:00:00',
      'node: a, 09:00:05',
      'node: b',
    ])
    expect([...distinguish([call('1', at('09:00:00')), call('2', at('09:01:00'))], 'de').values()]).toEqual([
      '09:00:00',
      '09:01:00',
    ])
  })
})

describe('filters', () => {
  const hour = 60 * 60 * 1000
  const of = (id: string, tool: string, more: Partial<AskEntry> = {}, about: object = {}): AskEntry =>
    ask(id, 1, { expiresAt: 10 * hour, request: { id, _meta: { 'beckon/tool': tool, ...about } }, ...more })
  const asks = [
    of('1', 'deploy', { server: 'ci', expiresAt: hour / 2 }),
    of('2', 'drop', { server: 'db' }, { 'beckon/destructive': true }),
    of('3', 'deploy', { server: 'db', to: { principals: ['ana'] } }),
    of('4', 'old', { server: 'gone', ending: { at: 1 } }),
  ]
  const left = (filters: Filters): string[] =>
    asks.flatMap(one => (passes(one, filters, { principal: 'ana', now: 0 }) ? [one.request.id] : []))

  it('leave what has all that is wanted', () => {
    expect(left({})).toEqual(['1', '2', '3', '4'])
    expect(left({ server: 'db' })).toEqual(['2', '3'])
    expect(left({ server: 'db', tool: 'deploy' })).toEqual(['3'])
    expect(left({ isDestructive: true })).toEqual(['2'])
    expect(left({ isDue: true })).toEqual(['1'])
    expect(left({ isMine: true })).toEqual(['3'])
    expect(passes(ask('5', 1, { to: { principals: ['ben'] } }), { isMine: true }, { principal: 'ana', now: 0 })).toBe(
      false,
    )
    expect([filterCount({ byDeadline: true }), filterCount({ server: 'db', isDue: true })]).toEqual([0, 2])
  })

  it('offer what is open, and what is chosen', () => {
    expect(choicesIn(asks, {})).toEqual({ servers: ['ci', 'db'], tools: ['deploy', 'drop'] })
    expect(choicesIn(asks, { server: 'ci' })).toEqual({ servers: ['ci', 'db'], tools: ['deploy'] })
    expect(choicesIn([], { server: 'ci', tool: 'deploy' })).toEqual({ servers: ['ci'], tools: ['deploy'] })
  })

  it('say what the desk is asked for', () => {
    expect(wantedOf('', {})).toEqual({ search: '' })
    const all: Filters = { server: 'ci', tool: 'deploy', isMine: true, isDestructive: true, byDeadline: true }
    const wanted = { search: 'x', server: 'ci', tool: 'deploy', mine: true, destructive: true, order: 'due' }
    expect(wantedOf('x', all)).toEqual(wanted)
    expect(wantedOf('', { isDue: true, isMine: false })).toEqual({ search: '', order: 'due' })
  })

  it('are apart from the order, by which those come first that end first', () => {
    expect(names(rowsByDeadline(asks, ''))).toEqual(['1', '3', '2'])
  })
})

it('leaves out of what is accepted at once whatever has to be looked at by itself', () => {
  const asks = [
    ask('1', 1),
    ask('2', 1, { request: { id: '2', _meta: { 'beckon/destructive': true } } }),
    ask('3', 1, { request: { id: '3', _meta: { 'beckon/person': 'verified' } } }),
    ask('4', 1, { request: { id: '4', questions: [{ id: 'q', kind: 'text', message: '' }] } }),
    ask('5', 1, { request: { id: '5', url: 'https://example.com' } }),
    ask('6', 1, { ending: { at: 2 } }),
    ask('7', 1, { request: { id: '7', _meta: { 'beckon/show': [{ kind: 'code', text: 'a' }] } } }),
    ask('8', 1, { approval: { of: 1, by: [], missing: ['ben'], requester: 'rita' } }),
  ]
  expect(sortSeveral(asks, 'ben').acceptable.map(({ request }) => request.id)).toEqual(['1', '8'])
  const { acceptable, declinable, leftOut } = sortSeveral(asks, 'rita')
  expect(acceptable.map(({ request }) => request.id)).toEqual(['1'])
  expect(declinable.map(({ request }) => request.id)).toEqual(['1', '2', '3', '4', '5', '7', '8'])
  expect(leftOut).toEqual({ destructive: 1, passkey: 1, toFill: 4 })
})

it('makes rules of a yes or no about a tool call, and of nothing else', () => {
  const of = (about: object, more: object = {}): boolean =>
    canBeRuled(ask('1', 1, { request: { id: '1', _meta: { 'beckon/tool': 'deploy', ...about }, ...more } }))
  const questions = [{ id: 'q', kind: 'text', message: '' }]
  expect([of({}), of({ 'beckon/approves': true }, { questions })]).toEqual([true, true])
  const none = [
    of({ 'beckon/tool': undefined }),
    of({ 'beckon/tool': 'a*' }),
    of({ 'beckon/person': 'present' }),
    of({}, { questions }),
    of({}, { url: 'https://example.com' }),
  ]
  expect(none).toEqual([false, false, false, false, false])
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
