import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../canonical-json/index.js'
import type { Block } from './block.js'
import { blocksText } from './blocks-text.js'
import { code, diff, image, json, link, markdown, table } from './make-blocks.js'
import { blocksIn, messageWith, readMessage, showMeta } from './shown-text.js'

// No digest, but as different as one.
const digestOf = (blocks: readonly Block[]) => `<${canonicalJson(blocks)}>`

describe('blocksText', () => {
  it.each([
    ['markdown', markdown('# Title\n- a'), '# Title\n- a'],
    ['a diff', diff('a\nb', 'a\nc', { title: 'x.txt' }), 'x.txt:\n  a\n- b\n+ c'],
    ['a diff of nothing', diff('a', 'a'), '  (1 unchanged)'],
    [
      'a table',
      table([
        { name: 'Ann\nLee', n: 1 },
        { name: 'x'.repeat(60), n: null },
      ]),
      `name                                     | n\n-----------------------------------------+--\nAnn Lee                                  | 1\n${'x'.repeat(39)}… |`,
    ],
    ['code', code('a\n  b', 'js', { title: 'a.js' }), 'a.js (js):\na\n  b'],
    ['code with a title', code('a', undefined, { title: 'a.sh' }), 'a.sh:\na'],
    ['code in a language', code('a', 'sh'), 'sh:\na'],
    ['a change of how lines end', diff('a\n', 'a\r\n'), '  (1 unchanged)\n(how lines end changes, too)'],
    ['JSON', json({ a: [1] }), '{\n  "a": [\n    1\n  ]\n}'],
    ['a link', link('https://example.com', 'The plan'), 'The plan:\nhttps://example.com/'],
    [
      'an image elsewhere',
      image('https://example.com/a.png', { alt: 'A cat' }),
      '[An image that is not shown here: A cat, at https://example.com/a.png]',
    ],
    [
      'an image',
      { kind: 'image', alt: 'A cat', type: 'image/png', data: '' } as const,
      '[An image that is not shown here: A cat]',
    ],
    ['a link that nothing checked', link('javascript:alert(1)'), '(a link that is refused: '],
  ])('shows %s', (_, block, text) => {
    expect(blocksText([block])).toContain(text)
  })

  it('warns of a link that is not what it looks like', () => {
    expect(blocksText([link('https://bank.com@evil.example/')])).toContain('Careful: ')
  })

  it('shows what acts on the text around it by its number', () => {
    expect(blocksText([code('a\u202eb'), table([{ 'a\u202e': '\u202eb' }])])).not.toContain('\u202e')
  })

  it('is bounded, and says what was left out', () => {
    const long = code(Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n'))
    const text = blocksText([long, code('x'.repeat(100_000)), table([{ a: 1 }])])
    expect(text.length).toBeLessThan(4_300)
    expect(text).toMatch(/\((\d+) more lines are not shown here\)/)
    expect(text).toContain('… (99700 more characters)')
    expect(text).toContain('a\n-\n1')
  })

  it('leaves what a short block does not need to a long one', () => {
    const lines = code(Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n'))
    expect(blocksText([markdown('a'), lines])).toContain('line 299')
    expect(blocksText([lines, lines])).not.toContain('line 299')
  })
})

describe('a message', () => {
  const blocks = [diff('a', 'b'), markdown('Sure?\n\nYes.')]
  const meta = { [showMeta]: JSON.parse(JSON.stringify(blocks)), other: 1 }

  it('is taken apart into what was put together', () => {
    expect(readMessage(messageWith('Save?', blocks, digestOf), meta, digestOf)).toEqual({ question: 'Save?', blocks })
    expect(readMessage(messageWith('', blocks, digestOf), meta, digestOf)).toEqual({ question: '', blocks })
  })

  it('is shown as it is where the blocks say something else', () => {
    const other = { [showMeta]: [diff('a', 'c')] }
    const message = messageWith('Save?', blocks, digestOf)
    expect(readMessage(message, other, digestOf)).toEqual({ question: message, blocks: [] })
  })

  const png = (data: string) => ({ kind: 'image', alt: 'a', type: 'image/png', data }) as const
  const long = Array.from({ length: 9 }, (_, index) => `${index}`)
  it.each([
    ['lines past the end', code(`${'a\n'.repeat(5_000)}b`), code(`${'a\n'.repeat(5_000)}c`)],
    ['the end of a line', code(`${'a'.repeat(400)}b`), code(`${'a'.repeat(400)}c`)],
    ['the end of a cell', table([{ a: `${'a'.repeat(50)}b` }]), table([{ a: `${'a'.repeat(50)}c` }])],
    ['an image', png('aaaa'), png('bbbb')],
    [
      'unchanged lines',
      diff(['b', ...long].join('\n'), ['b', ...long, '1'].join('\n')),
      diff(['c', ...long].join('\n'), ['c', ...long, '1'].join('\n')),
    ],
  ])('is of its own blocks alone, also where others differ in %s that it leaves out', (_, shown, other) => {
    expect(blocksText([shown])).toBe(blocksText([other]))
    expect(messageWith('', [shown], digestOf)).not.toBe(messageWith('', [other], digestOf))
    expect(messageWith('', [shown], digestOf)).toContain('(This is a part. SHA-256 of the whole: <')
  })

  it.each([undefined, null, {}, { [showMeta]: 'x' }, { [showMeta]: [] }, { [showMeta]: [{ kind: 'html' }] }])(
    'has no blocks with %j',
    odd => {
      expect(readMessage('Save?', odd, digestOf)).toEqual({ question: 'Save?', blocks: [] })
      expect(blocksIn(odd)).toEqual([])
    },
  )

  it('is the question alone without blocks', () => {
    expect(messageWith('Save?', [], digestOf)).toBe('Save?')
  })
})
