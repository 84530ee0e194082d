import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../test/any-character.js'
import { type InspectedUrl, type InspectUrlOptions, inspectUrl } from './inspect-url.js'

function ok(url: string, options?: InspectUrlOptions): InspectedUrl {
  const result = inspectUrl(url, options)
  if (result.kind !== 'ok') throw new Error(`${url} was refused: ${result.message}`)
  return result
}

function kindsOf(url: string, options?: InspectUrlOptions): string[] {
  return ok(url, options).warnings.map(warning => warning.kind)
}

const refused = {
  'not-absolute': [
    '',
    ' ',
    'evil.com',
    '/login',
    '//evil.com',
    '?x',
    '#x',
    ':',
    '1https://evil.com',
    '\u202ehttps://evil.com',
  ],
  scheme: [
    ...['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'javascript://evil.com/%0aalert(1)'],
    ...[
      'data:text/html,x',
      'file:///etc/passwd',
      'blob:https://evil.com/1',
      'vbscript:x',
      'about:blank',
      'ftp://evil.com',
    ],
    ...[
      'view-source:https://evil.com',
      'intent://evil.com',
      'mailto:a@b.com',
      'ws://evil.com',
      'evil.com:443',
      'tel:1',
    ],
  ],
  malformed: [
    ...[
      'https:',
      'https:/',
      'https://',
      'https:evil.com',
      'https:/evil.com',
      'https:///evil.com',
      'https://?x',
      'https:\\\\evil.com',
    ],
    ...['https://bank.com\\@evil.com', 'https://bank.com\\.evil.com', 'https:/\\evil.com', 'https://evil\t.com'],
    ...[
      'ht\ntps://evil.com',
      'https://evil.com/\na',
      'https://evil.com/\u0000',
      'https://evil.com/\u0085a',
      'https://a b.com',
    ],
    ...[
      'https://a..b.com',
      'https://.com',
      'https://\u200b.com',
      'https://bank.com;x.evil.com',
      "https://a'b.com",
      'https://[::1',
    ],
    ...[
      'https://1.2.3.4.5',
      'https://evil.com:99999',
      'https://%00.com',
      'https://bank.com%2f.evil.com',
      'https://xn--a.com',
    ],
    ...[
      'https://\u202emoc.live',
      'https://@',
      'https://user@',
      `https://${'a'.repeat(64)}.com`,
      `https://${'a.'.repeat(127)}com`,
    ],
  ],
  insecure: [
    ...[
      'http://example.com',
      'HTTP://example.com',
      'http://localhost.evil.com',
      'http://127.evil.com',
      'http://10.0.0.1',
    ],
    ...[
      'http://0.0.0.0',
      'http://notlocalhost',
      'http://[::2]',
      'http://[::ffff:127.0.0.1]',
      'http://localhost@evil.com',
    ],
  ],
}

describe('inspectUrl', () => {
  const refusals = Object.entries(refused).flatMap(([reason, urls]) => urls.map(url => ({ reason, url })))
  it.each(refusals)('refuses $url as $reason', ({ reason, url }) => {
    expect(inspectUrl(url)).toMatchObject({ kind: 'refused', reason, message: expect.stringMatching(/^[A-Z].*\.$/) })
  })

  it('has nothing to warn of in a plain address', () => {
    expect(inspectUrl(' HTTPS://Example.com/a b?q=ü#x\n')).toEqual({
      kind: 'ok',
      url: 'https://example.com/a%20b?q=%C3%BC#x',
      scheme: 'https',
      host: 'example.com',
      before: 'https://',
      after: '/a%20b?q=%C3%BC#x',
      displayHost: 'example.com',
      warnings: [],
    })
  })

  it.each([
    'https://example.com',
    'https://example.com.',
    'https://EXAMPLE.com:443',
    'https://example.com:',
    'https://intranet/',
    'https://google.com.au/',
    'https://a_b.example.com/\\',
    'https://example.com/@bank.com',
    'https://example.com?https://bank.com@evil.com\\',
    'https://fa.wikipedia.org/wiki/می\u200cخواهم',
  ])('has nothing to warn of in %s', url => {
    expect(kindsOf(url)).toEqual([])
  })

  it.each([
    ['https://bank.com@evil.com/login', 'evil.com'],
    ['https://bank.com:443@evil.com', 'evil.com'],
    ['https://:secret@evil.com', 'evil.com'],
    ['https://bank.com%2flogin@evil.com', 'evil.com'],
    ['https://a@b@evil.com', 'evil.com'],
  ])('says that %s leads to %s', (url, host) => {
    const link = ok(url)
    expect(link.host).toBe(host)
    expect(kindsOf(url)).toEqual(['user-info'])
    expect(link.warnings[0]?.message).toContain(host)
    expect(link.warnings[0]?.message).not.toContain('secret')
  })

  it.each([
    ['https://%65vil.com', 'evil.com'],
    ['https://ｅｖｉｌ.com', 'evil.com'],
    ['https://evil。com', 'evil.com'],
    ['https://evil．com', 'evil.com'],
    ['https://ⓔvil.com', 'evil.com'],
    ['https://ev\u00adil.com', 'evil.com'],
    ['https://ev\u200bil.com', 'evil.com'],
    ['https://0x7f.1', '127.0.0.1'],
    ['http://2130706433', '127.0.0.1'],
    ['http://0177.0.0.1', '127.0.0.1'],
    ['https://3232235777', '192.168.1.1'],
  ])('sees through the disguise of %s', (url, host) => {
    expect(ok(url).host).toBe(host)
    expect(kindsOf(url)).toContain('disguised')
  })

  it.each([
    'https://münchen.de',
    'https://MÜNCHEN.de',
    'https://mu\u0308nchen.de:443',
    'https://xn--mnchen-3ya.de',
    'https://XN--MNCHEN-3YA.de.',
  ])('does not call %s disguised', url => {
    expect(kindsOf(url)).toEqual(['punycode'])
    expect(ok(url).displayHost).toBe('münchen.de')
  })

  it.each([
    'https://evil.com/\u202egpj.exe',
    'https://evil.com/a\u200bb',
    'https://evil.com/\ufeffx',
    'https://evil.com/#\u2066x',
  ])('warns of the invisible characters in %j', url => {
    expect(kindsOf(url)).toEqual(['invisible'])
  })

  it.each([
    'https://192.168.1.1',
    'https://8.8.8.8.',
    'https://[2001:db8::1]',
    'https://[::ffff:127.0.0.1]',
    'https://0.0.0.0',
  ])('warns that %s has no name', url => {
    expect(kindsOf(url)).toEqual(['ip-address'])
  })

  it.each([
    ...[
      'http://localhost',
      'http://localhost.',
      'http://app.localhost:3000',
      'http://127.0.0.1:8080/x',
      'http://127.1.2.3',
    ],
    ...['http://[::1]:80', 'http://[0:0:0:0:0:0:0:1]', 'https://localhost', 'HTTP://LOCALHOST'],
  ])('lets %s pass, as a program on this device', url => {
    expect(kindsOf(url)).toEqual(['loopback'])
  })

  it('lets plain http pass with a warning where it is allowed', () => {
    expect(kindsOf('http://example.com', { allowHttp: true })).toEqual(['insecure'])
    expect(kindsOf('http://localhost', { allowHttp: true })).toEqual(['loopback'])
    expect(inspectUrl('http://example.com', { allowHttp: false })).toMatchObject({ reason: 'insecure' })
  })

  it('notes a port of its own', () => {
    expect(ok('https://example.com:8443')).toMatchObject({ port: 8443, warnings: [{ kind: 'port', level: 'note' }] })
    expect(ok('http://localhost:3000').port).toBe(3000)
  })

  it('notes a name that only starts like a site', () => {
    expect(kindsOf('https://www.bank.com.verify.evil.ru/')).toEqual(['embedded-domain'])
    expect(ok('https://bank.com.evil.com').warnings[0]?.message).toContain('"bank.com"')
  })

  it('warns of look-alike letters and shows the technical form', () => {
    expect(ok('https://аррӏе.com/id')).toMatchObject({
      url: 'https://xn--80ak6aa92e.com/id',
      displayHost: 'xn--80ak6aa92e.com',
      warnings: [{ kind: 'look-alike', level: 'danger' }],
    })
  })

  it('puts dangers first', () => {
    const levels = ok('https://a@münchen.de:1/\u200b').warnings.map(warning => warning.level)
    expect(levels).toEqual(['danger', 'danger', 'note', 'note'])
  })

  const part = fc.constantFrom(
    ...[
      'https:',
      'http:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '.',
      '?',
      '#',
      'evil.com',
      'xn--',
      'xn--80ak6aa92e',
      '127.0.0.1',
      '[::1]',
    ],
    ...[
      'localhost',
      '%2e',
      '\t',
      '\n',
      ' ',
      '\u202e',
      '\u200b',
      'ü',
      'а',
      '例',
      'א',
      '。',
      'javascript:',
      '0x7f',
      '-',
      'a',
      '1',
    ],
  )
  const hostile = fc.array(part, { maxLength: 12 }).map(parts => parts.join(''))
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    hostile,
    hostile.map(rest => `https://${rest}`),
    fc.string({ unit: 'grapheme' }).map(rest => `https://${rest}`),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  )

  it('never throws, and what it lets pass is a web address that stays the same', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (url, allowHttp) => {
        const link = inspectUrl(url, { allowHttp })
        if (link.kind === 'refused') return
        const parsed = new URL(link.url)
        expect(['http', 'https']).toContain(link.scheme)
        expect(parsed.protocol).toBe(`${link.scheme}:`)
        expect(parsed.href).toBe(link.url)
        expect(parsed.hostname).toBe(link.host)
        expect(link.before + link.host + link.after).toBe(link.url)
        expect(link.url).toMatch(/^[!-~]+$/)
        expect(new URL(`https://${link.displayHost}`).hostname).toBe(link.host.replace(/\.$/, ''))
      }),
      { numRuns: 3000 },
    )
  })

  it('lets nothing but https pass off this device', () => {
    fc.assert(
      fc.property(text, url => {
        const link = inspectUrl(url)
        if (link.kind === 'refused' || link.scheme === 'https') return
        expect(link.host).toMatch(/localhost\.?$|^127\.|^\[::1\]$/)
      }),
      { numRuns: 2000 },
    )
  })
})
