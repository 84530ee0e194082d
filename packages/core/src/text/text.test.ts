import { describe, expect, it } from 'vitest'
import { escapeActing, plainName, replaceActing, visible } from './index.js'

describe('visible', () => {
  it.each([
    ['a turned reading direction', 'photo\u202egnp.exe', 'photo[U+202E]gnp.exe'],
    ['a mark of direction', '\u200f1000/10', '[U+200F]1000/10'],
    ['isolates', 'a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
    ['spaces of no width', 'a\u200bb\u2060c\ufeffd', 'a[U+200B]b[U+2060]c[U+FEFF]d'],
    ['a soft hyphen', 'pay\u00adpal', 'pay[U+00AD]pal'],
    ['annotations', '\ufff9a\ufffab\ufffb', '[U+FFF9]a[U+FFFA]b[U+FFFB]'],
    ['tags and selectors beyond the first plane', 'a\u{e0041}\u{e0100}', 'a[U+E0041][U+E0100]'],
    ['fillers', 'a\u3164b\u115fc\u2800', 'a[U+3164]b[U+115F]c[U+2800]'],
    ['controls', 'a\u0000\u001b[2J\u009b\u2028', 'a[U+0000][U+001B][2J[U+009B][U+2028]'],
    ['joiners that join nothing', '\u200dpay\u200dpal 1\u200c0', '[U+200D]pay[U+200D]pal 1[U+200C]0'],
    ['marks that are stacked', `a${'\u0336'.repeat(40)}b`, 'a\u0336\u0336\u0336[+37]b'],
    ['selectors that choose no glyph', 'pay\ufe00pal 1\ufe0f0,\ufe0e', 'pay[U+FE00]pal 1[U+FE0F]0,[U+FE0E]'],
    ['controls of shorthand', 'a\u{1bca0}b', 'a[U+1BCA0]b'],
    ['what pushes the rest out of sight', `a${' '.repeat(500)}b`, `a${' '.repeat(40)}[+460]b`],
    ['the same with other spaces', `a${'\u3000\t'.repeat(250)}b`, `a${'\u3000\t'.repeat(20)}[+460]b`],
    ['the same with lines', `a${'\n \t'.repeat(500)}b`, `a${'\n \t'.repeat(20)}\n[+479]\n \tb`],
    ['a mark on what stands before', '\u0301a', '\u25cc\u0301a'],
  ])('shows %s', (_what, text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it.each([
    'one\ttwo\nthree',
    'naïve',
    'שָׁלוֹם',
    'می‌خواهم',
    'क्‍ष',
    'Việt Nam',
    '日本語',
    '👩‍👩‍👧',
    '❤️',
    '1️⃣',
    '‼️',
    '☎︎',
    '∩︀',
    '한국어',
  ])('leaves %j as it is', text => {
    expect(visible(text)).toBe(text)
  })

  it('makes line feeds of other ends of lines', () => {
    expect(visible('a\r\nb\rc')).toBe('a\nb\nc')
  })
})

it('writes each as whoever shows it likes', () => {
  expect(replaceActing('a\u200bb', () => '')).toBe('ab')
})

it('escapes what acts in JSON, which reads back as the same', () => {
  const value = { text: '\u009b\u202e\u00ad\u{e0041}\u200f é' }
  const json = escapeActing(JSON.stringify(value))
  expect(JSON.parse(json)).toEqual(value)
  expect(json).toBe('{"text":"\\u009b\\u202e\\u00ad\\udb40\\udc41\\u200f é"}')
})

it('is one name, whatever something calls itself', () => {
  expect(plainName('beckon-gateway > 1Password › Beckon desk')).toBe('beckon-gateway 1Password Beckon desk')
  expect(plainName(' The\n shop → \u202ebank ')).toBe('The shop [U+202E]bank')
  for (const mark of '＞❯⟩〉➤▶≫»＜❮｜⟫⮞') expect(plainName(`gateway ${mark} 1Password`)).toBe('gateway 1Password')
  expect([...plainName('😀'.repeat(200))]).toHaveLength(80)
  expect(plainName('Ärzte & Söhne, Köln')).toBe('Ärzte & Söhne, Köln')
})
