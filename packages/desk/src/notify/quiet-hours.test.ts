import { expect, it } from 'vitest'
import { afterQuiet } from './quiet-hours.js'

const at = (text: string) => Date.parse(text)
const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }

it.each([
  ['2026-11-17T20:59:00Z', '2026-11-17T20:59:00Z', 'before they begin'],
  ['2026-11-17T21:00:30Z', '2026-11-18T06:00:00Z', 'in the evening'],
  ['2026-11-18T03:00:00Z', '2026-11-18T06:00:00Z', 'after midnight'],
  ['2026-11-18T06:00:00Z', '2026-11-18T06:00:00Z', 'when they end'],
  ['2026-03-28T23:00:00Z', '2026-03-29T05:00:00Z', 'in the night with an hour less'],
  ['2026-10-24T23:00:00Z', '2026-10-25T06:00:00Z', 'in the night with an hour more'],
])('%s is told at %s: %s', (now, expected) => {
  expect(new Date(afterQuiet(at(now), night)).toISOString()).toBe(new Date(expected).toISOString())
})

it('has none where someone has set none', () => {
  expect(afterQuiet(5, undefined)).toBe(5)
  expect(afterQuiet(5, { from: '08:00', to: '08:00', timeZone: 'UTC' })).toBe(5)
})
