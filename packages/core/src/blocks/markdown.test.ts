import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MarkdownInline, type MarkdownNode, readMarkdown } from './markdown.js'

const drawInline = (content: readonly MarkdownInline[]): string =>
  content
    .map(part =>
      'content' in part
        ? `${part.kind}(${drawInline(part.content)})`
        : part.kind === 'code'
          ? `<${part.text}>`
          : part.text,
    )
    .join('')

const draw = (nodes: readonly MarkdownNode[]): unknown[] =>
  nodes.map(node => {
    if (node.kind === 'heading') return `h${node.level} ${drawInline(node.content)}`
    if (node.kind === 'paragraph') return drawInline(node.content)
    if (node.kind === 'quote') return { quote: draw(node.content) }
    if (node.kind === 'list') return { [`list ${node.numbers ?? ''}`.trim()]: node.items.map(draw) }
    return node.kind === 'code' ? { [`code ${node.info ?? ''}`.trim()]: node.text } : 'rule'
  })

describe('readMarkdown', () => {
  it.each([
    ['a heading', '## Two *words*', ['h2 Two emphasis(words)']],
    ['no heading', '#hashtag\n####### seven', ['#hashtag\n####### seven']],
    ['paragraphs', 'one\ntwo  \n\n\nthree', ['one\ntwo', 'three']],
    ['a rule', 'a\n\n---\n* * *', ['a', 'rule', 'rule']],
    ['a quote', '> one\n> > two\nafter', [{ quote: ['one', { quote: ['two'] }] }, 'after']],
    [
      'a list',
      '- a\n- b\n  - c\n    d\n- e\n\nafter',
      [{ list: [['a'], ['b', { list: [['c\nd']] }], ['e']] }, 'after'],
    ],
    ['a numbered list', '3. a\n9) b\n- c', [{ 'list 3,9': [['a'], ['b']] }, { list: [['c']] }]],
    ['code', '```js\na *b*\n\n  c\n```\nafter', [{ 'code js': 'a *b*\n\n  c' }, 'after']],
    [
      'code that ends where nothing else is said',
      '~~~ pay *all*\na\n~~~ b\n~~~~\nafter',
      [{ 'code pay *all*': 'a\n~~~ b' }, 'after'],
    ],
    ['no code', '```a``` b', ['``<a>`` b']],
    ['code without an end', '~~~\na\n```', [{ code: 'a\n```' }]],
    [
      'runs',
      'a **b _c_** `**d**` __e__ f_g_h 2 * 3 * 4',
      ['a strong(b emphasis(c)) <**d**> strong(e) f_g_h 2 * 3 * 4'],
    ],
    ['nothing', '', []],
  ])('reads %s', (_, text, expected) => {
    expect(draw(readMarkdown(text))).toEqual(expected)
  })

  it('has no HTML, no image and no link: they stay text, with the address to read', () => {
    expect(draw(readMarkdown('<script>alert(1)</script> <b>x</b>'))).toEqual(['<script>alert(1)</script> <b>x</b>'])
    expect(draw(readMarkdown('[**bank**](https://evil.example) ![](http://x/y.png) [a](javascript:alert)'))).toEqual([
      'strong(bank) <https://evil.example> <http://x/y.png> a <javascript:alert>',
    ])
  })

  it('nests so deep and no deeper', () => {
    expect(JSON.stringify(readMarkdown(`${'> '.repeat(500)}a`)).match(/quote/g)).toHaveLength(6)
    expect(draw(readMarkdown('**a __b *c* `d`__ [*e*](f)**'))).toEqual([
      'strong(a strong(b emphasis(c) <d>) emphasis(e) <f>)',
    ])
  })

  it.each(['*', '**a ', '[', '`', '> ', '- ', '\n', '_a', '```\n'])(
    'is done soon with 20,000 characters of %j',
    part => {
      const nodes = readMarkdown(part.repeat(20_000 / part.length))
      expect(JSON.stringify(nodes).length).toBeLessThan(2_000_000)
    },
  )

  it('leaves out no letter', () => {
    const part = fc.constantFrom(
      'a',
      'b c',
      '`',
      '```',
      '~~~',
      '**',
      '_',
      '# ',
      '> ',
      '- ',
      '7. ',
      '[d](e)',
      '![f](g)',
      '\n',
      '  ',
      '---',
    )
    const letters = (text: string) => text.replace(/[^a-g]/g, '')
    const drawn = (nodes: unknown): string =>
      typeof nodes === 'string'
        ? nodes
        : Object.entries(nodes ?? {})
            .map(([name, value]) => (['kind', 'level', 'numbers'].includes(name) ? '' : drawn(value)))
            .join('')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), parts => {
        expect(letters(drawn(readMarkdown(parts.join(''))))).toBe(letters(parts.join('')))
      }),
      { numRuns: 1_000 },
    )
  })

  it('reads a long paragraph as text', () => {
    expect(draw(readMarkdown(`**a** ${'b'.repeat(5_000)}`))).toEqual([`**a** ${'b'.repeat(5_000)}`])
  })
})
