import { describe, expect, it } from 'vitest'
import { plainJson, plainLine, plainText } from './plain-text.js'

describe('plainText', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a cleared screen', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['a title, ended by a bell', '\u001b]0;title\u0007text', 'text'],
    ['a link, ended by a string terminator', '\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['the same in one byte', '\u009b31mred\u009d0;x\u009cy', 'redy'],
    ['a sequence without an end', 'a\u001b]0;never', 'a'],
    ['a bare escape', 'a\u001b', 'a'],
    ['a carriage return over what was there', 'yes\rno', 'yes\nno'],
    ['backspaces', 'no\u0008\u0008yes', 'noyes'],
  ])('takes out %s', (_what, text, expected) => {
    expect(plainText(text)).toBe(expected)
  })

  it('shows what acts on the text around it, as pages and the inbox do', () => {
    expect(plainText('user\u202egpj.exe\u00ad')).toBe('user[U+202E]gpj.exe[U+00AD]')
    expect(plainText(`no${'\u0336'.repeat(9)}`)).toBe('no\u0336\u0336\u0336[+6]')
  })

  it.each(['naïve', 'שלום', '日本語', '👩‍👩‍👧', 'می‌خواهم', 'a\nb'])('leaves %j as it is', text => {
    expect(plainText(text)).toBe(text)
  })

  it('cuts what is far too long, and says so', () => {
    const text = plainText('x'.repeat(100_000))
    expect(text.length).toBeLessThan(21_000)
    expect(text).toContain('80000 more characters')
  })
})

it('puts a text on one line', () => {
  expect(plainLine(' a\n\tb\r\nc ')).toBe('a b c')
  expect(plainLine('x'.repeat(1000)).length).toBeLessThan(510)
})

it('writes JSON that reads back as the same, and does nothing to a terminal', () => {
  const value = { text: '\u001b[2J\u009b\u202e\u2028 é' }
  expect(JSON.parse(plainJson(value))).toEqual(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(plainJson(value)).not.toMatch(/[\u001b\u0080-\u009f\u202e\u2028]/)
})
