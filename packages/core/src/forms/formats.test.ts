import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TextFormat } from './form.js'
import { hasFormat, isTextFormat } from './formats.js'

const ajv = new Ajv()
addFormats.default(ajv)

function byAjv(format: TextFormat): (text: string) => boolean {
  const validate = ajv.compile({ type: 'string', format })
  return text => validate(text)
}

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
const dateLike = fc
  .tuple(fc.constantFrom('2024', '2023', '1900', '2000', '0000', '99'), fc.nat(14), fc.nat(33))
  .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`)
const timeLike = fc
  .tuple(
    fc.constantFrom('00', '12', '23', '24', '5'),
    fc.constantFrom('00', '59', '60', '29'),
    fc.constantFrom('00', '59', '60', '61', '60.5', '12.345', '7'),
    fc.constantFrom(
      'Z',
      'z',
      '+00:00',
      '-05:30',
      '+0530',
      '+05',
      '+24:00',
      '-01:60',
      '+23:59',
      '-23:59',
      '',
      '+5:00',
      '-00:30',
    ),
  )
  .map(([hour, minute, second, zone]) => `${hour}:${minute}:${second}${zone}`)
const dateTimeLike = fc
  .tuple(dateLike, fc.constantFrom('T', 't', ' ', '', 'TT', 'x'), timeLike)
  .map(([date, between, time]) => date + between + time)
const emailLike = fc.stringMatching(/^[a-c.!+ "é-]{0,6}@?[a-c.-]{0,6}(\.[a-c]{1,3}){0,2}@?$/)
const uriLike = fc
  .tuple(
    fc.constantFrom('http', 'urn', 'a+b.c-1', '1a', 'mailto', 'HTTPS'),
    fc.constantFrom(':', '://', ':/', '', ':///'),
    fc.constantFrom(
      'example.com',
      'user:pw@host',
      '[::1]',
      '[::ffff:1.2.3.4]',
      '[v1.a:b]',
      '[1::2::3]',
      'a b',
      'é',
      '%41',
      '%4',
      'h',
    ),
    fc.constantFrom('', ':80', ':', ':8a'),
    fc.stringMatching(/^(\/[a-c%?#[\]@:! é]{0,4}){0,2}$/),
  )
  .map(parts => parts.join(''))
const hextet = fc.stringMatching(/^[0-9a-fA-F]{0,5}$/)
const ipv6Like = fc
  .tuple(fc.array(hextet, { maxLength: 9 }), fc.constantFrom('', ':1.2.3.4', ':1.2.3.256', ':01.2.3.4', '::'))
  .map(([groups, tail]) => `http://[${groups.join(':')}${tail}]/`)

describe('formats agree with a JSON Schema validator', () => {
  const cases: [TextFormat, fc.Arbitrary<string>][] = [
    [
      'date',
      fc.oneof(
        dateLike,
        fc.tuple(digits(4), digits(2), digits(2)).map(parts => parts.join('-')),
        fc.string(),
      ),
    ],
    ['date-time', fc.oneof({ weight: 5, arbitrary: dateTimeLike }, fc.string())],
    ['email', fc.oneof(emailLike, fc.emailAddress(), fc.string())],
    ['uri', fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), ipv6Like, fc.string())],
  ]
  it.each(cases)('%s', (format, texts) => {
    const expected = byAjv(format)
    fc.assert(
      fc.property(texts, text => {
        expect(hasFormat(text, format), text).toBe(expected(text))
      }),
      { numRuns: 3000 },
    )
  })
})

it('takes no URI that a JSON Schema validator refuses, and is stricter on what follows two slashes', () => {
  const expected = byAjv('uri')
  fc.assert(
    fc.property(uriLike, text => {
      if (hasFormat(text, 'uri')) expect(expected(text), text).toBe(true)
    }),
    { numRuns: 3000 },
  )
  expect(hasFormat('http://example.com:8a', 'uri')).toBe(false)
  expect(hasFormat('http:/[::1]', 'uri')).toBe(false)
  expect(hasFormat('http:', 'uri')).toBe(expected('http:'))
  expect(hasFormat('urn:isbn:0451450523', 'uri')).toBe(true)
  expect(hasFormat('mailto:a@example.com', 'uri')).toBe(true)
  expect(hasFormat('file:/etc/hosts', 'uri')).toBe(true)
})

it('knows the formats of the protocol and no others', () => {
  expect(['email', 'uri', 'date', 'date-time'].every(isTextFormat)).toBe(true)
  expect(['uuid', 'toString', '', undefined, 5].some(isTextFormat)).toBe(false)
})
