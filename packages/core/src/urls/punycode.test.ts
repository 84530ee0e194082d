import { domainToASCII, domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePunycode } from './punycode.js'

describe('decodePunycode', () => {
  it.each([
    ['mnchen-3ya', 'münchen'],
    ['e1afmkfd', 'пример'],
    ['r8jz45g', '例え'],
    ['80ak6aa92e', 'аррӏе'],
    ['i-7iq', 'i❤'],
    ['google-', 'google'],
    ['', ''],
    // RFC 3492, section 7.1: Arabic, Hindi, Japanese and the mixed examples (K), (L) and (S).
    ['egbpdaj6bu4bxfgehfvwxn', 'ليهمابتكلموشعربي؟'],
    ['i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd', 'यहलोगहिन्दीक्योंनहींबोलसकतेहैं'],
    ['n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa', 'なぜみんな日本語を話してくれないのか'],
    ['3B-ww4c5e180e575a65lsy2b', '3年B組金八先生'],
    ['-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n', '安室奈美恵-with-SUPER-MONKEYS'],
    ['-> $1.00 <--', '-> $1.00 <-'],
  ])('decodes %j', (encoded, text) => {
    expect(decodePunycode(encoded)).toBe(text)
  })

  it.each([
    ['a digit that there is none of', 'a-!'],
    ['a number that does not end', 'zzzz'],
    ['a letter beyond Unicode', '99999999a'],
    ['a number too large to hold', `${'9'.repeat(400)}a`],
    ['the first half of a surrogate pair', 'ib9b'],
    ['the second half of a surrogate pair', 'zy0c'],
  ])('finds %s not valid', (_why, encoded) => {
    expect(decodePunycode(encoded)).toBeUndefined()
  })

  it("agrees with the platform's own decoder", () => {
    const letter = fc.constantFrom(...'abcz019-äßçłøőıабвгеорсхѓαβγωאבגدسقกขฃमनवが漢字語한국あアー❤𝒳😀𠮷')
    const label = fc.string({ unit: letter, minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(label, text => {
        const ascii = domainToASCII(text)
        fc.pre(ascii.startsWith('xn--') && !ascii.includes('.'))
        expect(decodePunycode(ascii.slice(4))).toBe(domainToUnicode(ascii))
      }),
      { numRuns: 1000 },
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        decodePunycode(text)
      }),
    )
  })
})
