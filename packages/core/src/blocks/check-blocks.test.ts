import { describe, expect, it } from 'vitest'
import { blockLimits } from './block.js'
import { checkBlocks } from './check-blocks.js'
import { code, diff, image, json, link, markdown, table } from './make-blocks.js'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const html = '<img src=x onerror=alert(1)><script>alert(1)</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

const problemOf = (...blocks: unknown[]): string => {
  const checked = checkBlocks(blocks)
  return 'problem' in checked ? checked.problem : 'none'
}

describe('blocks', () => {
  it('are data that comes back as it went, with HTML in every string', () => {
    const blocks = [
      markdown(html),
      diff(html, `${html}\nb`, { title: html }),
      table([{ [html]: html, n: 1, yes: true, none: null }], { title: html }),
      code(html, 'html', { title: html }),
      code(html),
      json({ [html]: [html, 1, null] }, { title: html }),
      image(`data:image/png;base64,${pixel}`, { alt: html }),
      image('https://example.com/cat.png', { alt: 'A cat' }),
      image(new URL('https://example.com/dog.png'), { alt: 'A dog' }),
      link('https://example.com', html),
      link(new URL('https://example.com/a')),
    ]
    expect(checkBlocks(JSON.parse(JSON.stringify(blocks)))).toEqual({ blocks })
  })

  it('have their own fields and no others', () => {
    expect(checkBlocks([{ kind: 'markdown', text: 'a', html: '<b>', title: 'no place for it' }])).toEqual({
      blocks: [{ kind: 'markdown', text: 'a' }],
    })
  })

  it('take anything for the cells of a table', () => {
    const at = new Date(0)
    const rows = [
      { a: undefined, b: { c: 1 }, d: at },
      { a: Number.NaN, e: 2n, f: () => 1 },
    ]
    const { columns, rows: cells } = table(rows, { columns: ['a', 'b', 'd', 'e', 'missing'] })
    expect(columns).toEqual(['a', 'b', 'd', 'e', 'missing'])
    expect(cells).toEqual([
      [null, '{"c":1}', '1970-01-01T00:00:00.000Z', null, null],
      ['NaN', null, null, '2', null],
    ])
    expect(table([{ a: { toJSON: () => undefined } }]).rows).toEqual([['']])
  })

  it('take undefined for null in JSON', () => {
    expect(json(undefined)).toEqual({ kind: 'json', value: null })
  })

  it.each([
    ['what is no list', 'text', '`show` is a list'],
    ['too many', Array.from({ length: 21 }, () => markdown('a')), 'has 21 blocks, and at most 20'],
    ['too much', Array.from({ length: 4 }, () => code('x'.repeat(60_000))), 'has 235 KB, and at most 192 KB'],
    ['50 MB of one', [code('x'.repeat(50 * 1024 * 1024))], 'at most 192 KB are shown'],
  ])('are refused with a sentence: %s', (_, given, sentence) => {
    const checked = checkBlocks(given)
    expect('problem' in checked && checked.problem).toContain(sentence)
  })

  it.each([
    ['null', null, 'not a block'],
    ['an unknown kind', { kind: 'html', text: 'a' }, 'a block is markdown, diff'],
    ['a long title', { kind: 'code', text: '', title: 'a'.repeat(501) }, 'a title has at most 500'],
    ['a title that is no text', { kind: 'code', text: '', title: 1 }, 'a title has at most 500'],
    ['markdown without a text', { kind: 'markdown' }, 'markdown has a text'],
    ['long markdown', { kind: 'markdown', text: 'a'.repeat(20_001) }, 'at most 20000 characters'],
    ['half a diff', { kind: 'diff', before: '' }, 'a diff has two texts'],
    ['a diff of numbers', { kind: 'diff', before: 1, after: 2 }, 'a diff has two texts'],
    ['a table without columns', { kind: 'table', rows: [] }, 'at most 50 columns'],
    ['a table with a column of no name', { kind: 'table', columns: [''], rows: [] }, 'which have names'],
    ['a wide table', { kind: 'table', columns: Array.from({ length: 51 }, () => 'a'), rows: [] }, 'at most 50'],
    ['a table without rows', { kind: 'table', columns: ['a'] }, 'each row of a table'],
    ['a row that is short', { kind: 'table', columns: ['a'], rows: [[]] }, 'each row of a table'],
    ['a row that is none', { kind: 'table', columns: ['a'], rows: ['a'] }, 'each row of a table'],
    ['a cell with things in it', { kind: 'table', columns: ['a'], rows: [[{}]] }, 'each row of a table'],
    ['code without a text', { kind: 'code' }, 'code has a text'],
    ['a language that is no text', { kind: 'code', text: '', language: 7 }, 'may name its language'],
    ['JSON that is none', { kind: 'json', value: () => 1 }, 'that JSON can hold'],
    ['an image of no bytes', { kind: 'image', alt: 'a', type: 'image/png', data: 7 }, 'SVG can hold script'],
    ['an image without words', { kind: 'image', type: 'image/png', data: pixel }, 'in words what it shows'],
    ['an image that is not in base64', { kind: 'image', alt: 'a', type: 'image/png', data: '<script>' }, 'SVG can'],
    [
      'a PNG that is said to be a GIF',
      { kind: 'image', alt: 'a', type: 'image/gif', data: pixel },
      'An image is a PNG',
    ],
    ['SVG', { kind: 'image', alt: 'a', type: 'image/svg+xml', data: btoa(svg) }, 'SVG can hold script'],
    ['SVG that is said to be a PNG', { kind: 'image', alt: 'a', type: 'image/png', data: btoa(svg) }, 'SVG can hold'],
    [
      'an image of 50 MB',
      { kind: 'image', alt: 'a', type: 'image/png', data: 'A'.repeat(50 * 1024 * 1024) },
      'An image of 38400 KB is too large to show with a question: 192 KB',
    ],
    ['an image without an address', { kind: 'image', alt: 'a' }, 'it has no address'],
    ['an image in a script', { kind: 'image', alt: 'a', url: 'javascript:alert(1)' }, 'its address is refused'],
    ['a link to a script', link('javascript:alert(1)'), 'its address is refused'],
    ['a link to a file', link('file:///etc/passwd'), 'its address is refused'],
    ['a link to nowhere', { kind: 'link' }, 'it has no address'],
  ])('are refused with a sentence: %s', (_, block, sentence) => {
    expect(problemOf(markdown('a'), block)).toMatch(/^Block 2 of `show`: /)
    expect(problemOf(block)).toContain(sentence)
  })

  it('are refused when JSON is nested deeper than anyone reads', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 10_000; depth++) deep = [deep]
    expect(problemOf({ kind: 'json', value: deep })).toContain('that JSON can hold')
  })

  it('are refused when a small file is a huge picture', () => {
    const huge = Uint8Array.from(atob(pixel), character => character.charCodeAt(0))
    huge.set([0, 0, 0xff, 0xff], 16)
    huge.set([0, 0, 0xff, 0xff], 20)
    expect(problemOf(image(huge, { alt: 'a' }))).toContain('the image has 65535 x 65535 pixels')
  })

  it('show a polyglot as the image that it begins as', () => {
    const bytes = Uint8Array.from(`${atob(pixel)}${html}`, character => character.charCodeAt(0))
    expect(image(bytes, { alt: 'a' })).toMatchObject({ type: 'image/png' })
  })

  it.each([
    ['bytes of SVG', new TextEncoder().encode(svg), 'SVG can hold script'],
    ['SVG in an address', `data:image/svg+xml;base64,${btoa(svg)}`, 'SVG can hold script'],
    ['text in an address', 'data:image/svg+xml,<svg/>', 'is in base64'],
    ['an address that is no base64', 'data:image/png;base64,<script>', 'is in base64'],
    ['50 MB', new Uint8Array(50 * 1024 * 1024), 'An image of 51200 KB is too large'],
    ['50 MB in an address', `data:image/png;base64,${'A'.repeat(50 * 1024 * 1024)}`, 'KB is too large'],
  ])('of images throw for %s', (_, source, sentence) => {
    expect(() => image(source, { alt: 'a' })).toThrow(sentence)
  })

  it('hold an image of many bytes', () => {
    const bytes = new Uint8Array(100_000)
    bytes.set(Uint8Array.from(atob(pixel), character => character.charCodeAt(0)))
    const checked = checkBlocks([image(bytes, { alt: 'a' })])
    expect('blocks' in checked).toBe(true)
    expect(blockLimits.maxBytes).toBeGreaterThan(133_336)
  })
})
