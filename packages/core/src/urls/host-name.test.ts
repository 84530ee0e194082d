import { domainToASCII } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readHostName } from './host-name.js'

function kindsOf(host: string): string[] {
  return readHostName(host).warnings.map(warning => warning.kind)
}

function ascii(name: string): string {
  const host = domainToASCII(name)
  expect(host, name).not.toBe('')
  return host
}

const legitimate = [
  ...['münchen.de', 'köln.example.com', 'faß.de', 'café.fr', 'œuvre.fr', 'smørrebrød.dk', 'łódź.pl', 'ışık.com.tr'],
  ...['việtnam.vn', 'română.ro', 'col·lecció.cat', 'əli.az', 'пример.рф', 'россия.рф', 'хор.рф', 'почта.com'],
  ...[
    'україна.укр',
    'ελλάδα.gr',
    'οικια.gr',
    'παράδειγμα.ελ',
    'հայաստան.am',
    'საქართველო.გე',
    '例え.jp',
    '例え.テスト',
  ],
  ...[
    '日本語.jp',
    'ひらがな.jp',
    'カタカナ.jp',
    'ノート.jp',
    'ノートpc.jp',
    'tokyo東京タワー.jp',
    '中文.com',
    '一.com',
    '中国.中国',
  ],
  ...['ㄅㄆ中文a.tw', '한국.kr', '한국漢字abc.kr', 'उदाहरण.भारत', 'বাংলা.com', 'தமிழ்.com', 'ไทย.com', 'אבג.com'],
  ...['www.אבג.com', 'דוגמה.ישראל', 'مثال.com', 'مثال.إختبار', 'አማርኛ.com', 'မြန်မာ.com', 'ខ្មែរ.com'],
]

const lookAlikes = {
  'аррӏе.com': 'apple',
  'аррӏе.ru': 'apple',
  'аррӏе.com.ru': 'apple',
  'раураӏ.co.uk': 'paypal',
  'сосо.org': 'coco',
  ѕсоре: 'scope',
  'gοogle.com': 'google',
  'pаypal.com': 'paypal',
  'www.pаypal.com': 'paypal',
  'pаypal.рф': 'paypal',
  'ικα.com': 'ika',
  'օս.com': 'ou',
  'миcr.com': undefined,
}

const oddLetters = [
  ...['ɡoogle.com', 'ɑpple.com', 'ʀeddit.com', 'ᴄoco.com', 'bank.com⁄login.evil.com', 'a∕b.com', 'i❤.com', '😀.com'],
  ...['⠀.com', 'bankǃ.com', 'bankǀ.com', 'ꭰ.com', 'ⲟ.com', 'ᚠ.com', '𐌀.com', '৪.com', 'abc٣.com', 'a·b.com'],
  ...['aノb.com', 'bank丿login.jp', 'a一b.com', 'loginー.com', 'a・b.jp', 'e̸vil.com', 'نامه\u200cای.com', 'aʹb.com'],
]

describe('readHostName', () => {
  it.each(['example.com', 'localhost', '[::1]', '127.0.0.1', 'a_b.example', 'x--y.com'])(
    'has nothing to say about %s',
    host => {
      expect(readHostName(host)).toEqual({ unicode: host, display: host, warnings: [] })
    },
  )

  it.each(legitimate)('shows %s as it is, with a note', name => {
    const read = readHostName(ascii(name))
    expect(read).toMatchObject({ unicode: name, display: name })
    expect(new Set(kindsOf(ascii(name)))).toEqual(new Set(['punycode']))
    expect(read.warnings.every(warning => warning.level === 'note')).toBe(true)
  })

  it.each(Object.entries(lookAlikes))('warns that %s reads as %s', (name, reading) => {
    const read = readHostName(ascii(name))
    expect(read.display).toBe(ascii(name))
    expect(read.unicode).toBe(name)
    expect(read.warnings[0]).toMatchObject({ level: 'danger', kind: reading ? 'look-alike' : 'mixed-script' })
    if (reading) expect(read.warnings[0]?.message).toContain(`"${reading}"`)
  })

  it.each(['пαб.com', 'мир한국.com', 'hello-мир.com', 'ひ한.com', 'αβγabc.gr'])('warns that %s mixes scripts', name => {
    expect(kindsOf(ascii(name))).toEqual(['mixed-script'])
    expect(readHostName(ascii(name)).display).toBe(ascii(name))
  })

  it.each(oddLetters)('does not show the odd letters of %s', name => {
    const host = ascii(name)
    expect(kindsOf(host)).toContain('odd-letters')
    expect(readHostName(host).display).toBe(host)
  })

  // The platform refuses most of these; another one may not.
  it.each([
    ['plain letters in disguise', 'xn--google-.com'],
    ['full-width letters', 'xn--ph7cc.com'],
    ['capital letters', 'xn--h0afmkfd.com'],
    ['letters that are not composed', 'xn--uber-vwc.com'],
    ['a code that is not valid', 'xn--zzzz.com'],
    ['nothing', 'xn--.com'],
  ])('does not trust a label that stands for %s', (_what, host) => {
    expect(kindsOf(host)).toEqual(['odd-letters'])
    expect(readHostName(host).display).toBe(host)
  })

  it.each(['בנק.רע.com', 'אבג.1.com', 'مثال.بنك.example.com'])(
    'does not show %s where the screen would reorder it',
    name => {
      expect(kindsOf(ascii(name))).toContain('reordered')
      expect(readHostName(ascii(name)).display).toBe(ascii(name))
    },
  )

  it('leaves out the dot at the end', () => {
    expect(readHostName('xn--mnchen-3ya.de.').display).toBe('münchen.de')
    expect(kindsOf('xn--80ak6aa92e.com.')).toEqual(['look-alike'])
  })

  it('names the letters beyond a to z', () => {
    expect(readHostName(ascii('paypaı.com')).warnings[0]?.message).toBe('"xn--paypa-r4a" has the letters "ı".')
    expect(readHostName(ascii('пример.рф')).warnings[0]?.message).toBe('"xn--e1afmkfd" has the letters "пример".')
  })
})
