import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesLineEnds, diffLines, diffRuns } from './diff-lines.js'

const drawn = (before: string, after: string) =>
  diffRuns(before, after).flatMap(({ kind, texts }) =>
    kind === 'skipped' ? [`..${texts.length}`] : texts.map(text => `${kind[0]} ${text}`),
  )

describe('diffLines', () => {
  it('gives back both texts, and no more changes than taking all out and putting all in', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 20 })
      .map(lines => lines.map(l => `${l}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        const of = (kind: string) => lines.filter(line => line.kind !== kind).map(line => `${line.text}\n`)
        expect(of('added').join('')).toBe(before)
        expect(of('removed').join('')).toBe(after)
      }),
    )
  })

  it('finds the shortest way', () => {
    const changes = diffLines('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter(({ kind }) => kind !== 'same')
    expect(changes).toHaveLength(5)
  })

  it('takes all out and puts all in where too much differs to look for', () => {
    const many = (letter: string) => Array.from({ length: 5_000 }, (_, index) => `${letter}${index}`).join('\n')
    const lines = diffLines(many('a'), many('b'))
    expect(lines.slice(0, 5_000).every(({ kind }) => kind === 'removed')).toBe(true)
    expect(lines).toHaveLength(10_000)
  })

  it('finds a few changes in a long text', () => {
    const numbers = Array.from({ length: 45_000 }, (_, index) => `${index}`)
    const after = numbers.with(1, 'one').with(20_000, 'x').with(44_998, 'y').join('\n')
    expect(diffLines(numbers.join('\n'), after).filter(({ kind }) => kind !== 'same')).toHaveLength(6)
  })

  it('has no line for how lines end', () => {
    expect(diffLines('a\r\nb\rc', 'a\nb\nc\n').every(({ kind }) => kind === 'same')).toBe(true)
    expect(diffLines('', '')).toEqual([])
  })
})

describe('changesLineEnds', () => {
  it.each([
    ['a\nb', 'a\r\nb', true],
    ['a\n', 'a', true],
    ['a\rb', 'a\nb', true],
    ['a\n\n', 'b\n', false],
    ['a\r\nb\r\n', 'c\r\n', false],
  ])('of %j and %j is %s', (before, after, changes) => {
    expect(changesLineEnds(before, after)).toBe(changes)
  })
})

describe('diffRuns', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => String(index))

  it('leaves out what did not change, and says how much', () => {
    const after = numbers.with(10, 'ten').join('\n')
    const around = ['s 7', 's 8', 's 9', 'r 10', 'a ten', 's 11', 's 12', 's 13']
    expect(drawn(numbers.join('\n'), after)).toEqual(['..7', ...around, '..6'])
  })

  it('has the lines that it leaves out', () => {
    expect(diffRuns('a\nb\nc\nd\ne', 'a\nb\nc\nd\nf')[0]).toEqual({ kind: 'skipped', texts: ['a'] })
  })

  it('shows the beginning and the end where they change', () => {
    expect(drawn('a\nb', 'b\nc')).toEqual(['r a', 's b', 'a c'])
    expect(drawn('same', 'same')).toEqual(['..1'])
  })
})
