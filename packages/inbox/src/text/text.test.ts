import { expect, it } from 'vitest'
import { clamp, firstWords, sizeOf } from './clamp.js'
import { namedValues } from './named-values.js'

it('cuts a long text, and no character in two', () => {
  expect(clamp('short')).toEqual({ shown: 'short', isCut: false })
  const { shown, isCut } = clamp('😀'.repeat(1000), 7)
  expect(isCut).toBe(true)
  expect(shown).toBe('😀😀😀…')
  expect(firstWords('one\n\n two  three')).toBe('one two three')
  expect(sizeOf('x'.repeat(102_400), 'en')).toBe('100 kB')
})

it('names values as someone reads them, and leaves no doubt what was sent', () => {
  expect(namedValues({ env: 'production', build: 1842, at: '2026-12-31', who: ['Ana Lima', 'Ben'], none: [] })).toEqual(
    [
      ['env', 'production'],
      ['build', '1842'],
      ['at', '2026-12-31'],
      ['who', 'Ana Lima, Ben'],
      ['none', '[]'],
    ],
  )
  const odd = {
    a: '1842',
    b: 'true',
    c: '',
    d: ' x',
    e: 'one, two',
    f: 'two\nlines',
    g: null,
    h: '"quoted"',
    i: ['x, y', 'z'],
  }
  expect(Object.fromEntries(namedValues(odd) ?? [])).toEqual({
    a: '"1842"',
    b: '"true"',
    c: '""',
    d: '" x"',
    e: '"one, two"',
    f: '"two\\nlines"',
    g: 'null',
    h: '"\\"quoted\\""',
    i: '"x, y", z',
  })
  for (const whole of [{ a: { b: 1 } }, { a: [{}] }, { a: [[1]] }, [1], 'text', null])
    expect(namedValues(whole)).toBe(undefined)
})
