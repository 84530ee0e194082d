import { describe, expect, it } from 'vitest'
import { blocksText } from './blocks-text.js'
import { code, diff, image, json, link, markdown, table } from './make-blocks.js'
import { blocksIn, messageWith, readMessage, showMeta } from './shown-text.js'

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
    ['code', code('a\n  b', 'js', { title: 'a.js' }), 'a.js:\na\n  b'],
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
    expect(readMessage(messageWith('Save?', blocks), meta)).toEqual({ question: 'Save?', blocks })
    expect(readMessage(messageWith('', blocks), meta)).toEqual({ question: '', blocks })
  })

  it('is shown as it is where the blocks say something else', () => {
    const other = { [showMeta]: [diff('a', 'c')] }
    const message = messageWith('Save?', blocks)
    expect(readMessage(message, other)).toEqual({ question: message, blocks: [] })
  })

  it.each([undefined, null, {}, { [showMeta]: 'x' }, { [showMeta]: [] }, { [showMeta]: [{ kind: 'html' }] }])(
    'has no blocks with %j',
    odd => {
      expect(readMessage('Save?', odd)).toEqual({ question: 'Save?', blocks: [] })
      expect(blocksIn(odd)).toEqual([])
    },
  )

  it('is the question alone without blocks', () => {
    expect(messageWith('Save?', [])).toBe('Save?')
  })
})
