import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safePath } from './safe-path.js'

it.each([
  ['/', '/'],
  ['/asks/1?view=full#top', '/asks/1?view=full#top'],
  ['/asks/../other', '/other'],
  ['/?next=https://evil.example', '/?next=https://evil.example'],
  [undefined, '/'],
  ['', '/'],
  ['asks', '/'],
  ['https://evil.example', '/'],
  ['//evil.example', '/'],
  ['///evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/a\\..\\..\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/\n/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['/%2e//evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/a\r\nSet-Cookie: x=1', '/'],
  ['/ü', '/'],
  [`/${'a'.repeat(1_000)}`, '/'],
])('of %j is %j', (text, path) => {
  expect(safePath(text)).toBe(path)
})

it('never leads away from us, and is safe in a header', () => {
  const parts = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    'evil.example',
    '@',
    ':',
    '?',
    '#',
    '\t',
    '\r\n',
    'a',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), pieces => {
      const path = safePath(`/${pieces.join('')}`)
      expect(path).toMatch(/^\/(?![/\\])[!-~]*$/)
      expect(new URL(path, 'https://ours.example').host).toBe('ours.example')
      expect(safePath(path)).toBe(path)
    }),
  )
})
